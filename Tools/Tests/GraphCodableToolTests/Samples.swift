import Foundation
import GraphCodable
import PlainSimulation
import Simulation

/// Files for the tests.
extension Folder {
  /// An archive of a `GCodable` model.
  @discardableResult
  func archive(_ name: String = "state.gcodable", _ state: Simulation.State = .init()) throws -> [UInt8] {
    try GraphEncoder().write(state, to: file(name))
    return try bytes(of: name)
  }

  /// An archive of the same model as a `Codable` one.
  func plainArchive(_ name: String, of state: Simulation.State) throws {
    let plain = PlainSimulation.State(positions: state.positions, cellCount: state.cells.count)
    try GraphEncoder().write(codable: plain, to: file(name))
  }

  /// A series with so many entries.
  @discardableResult
  func series(_ name: String = "run.gcodable", entryCount: Int = 3) throws -> GraphArchiveSeries {
    let writer = try GraphArchiveSeries.Writer(file(name))
    var state = Simulation.State()
    for number in 0..<entryCount {
      state.title = "Entry \(number)"
      try GraphEncoder().append(
        state, to: writer, step: 100 * number, time: 0.5 * Double(number),
        metadata: ["cells": "\(number + 4)"])
    }
    return writer.series
  }

  /// Changes one bit of a file.
  func damage(_ name: String, at offset: Int) throws {
    var bytes = try bytes(of: name)
    bytes[offset] ^= 0x10
    try write(bytes, to: name)
  }
}

extension Folder {
  /// An archive of one array, stored as it is.
  func uncompressed(_ name: String, byteCount: Int) throws {
    let encoder = GraphEncoder()
    encoder.compression = .none
    try encoder.write([UInt8](repeating: 0, count: byteCount), to: file(name))
  }
}

extension Folder {
  /// The files that the documents speak of.
  func makeDocumentFiles() throws {
    try archive()
    let entry = try series()[1]
    try write(bytes(of: "run.gcodable"), to: "damaged.gcodable")
    try damage("damaged.gcodable", at: Int(entry.offset) + 50_000)
    try write(bytes(of: "run.gcodable").dropLast(1_000), to: "cut.gcodable")
  }
}
