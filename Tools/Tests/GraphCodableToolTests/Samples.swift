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

  /// A series with so many entries, all of whose arrays are the same.
  @discardableResult
  func series(
    _ name: String = "run.gcodable", entryCount: Int = 3,
    sharing: GraphArchiveSeries.Writer.Sharing = .none
  ) throws -> GraphArchiveSeries {
    let writer = try GraphArchiveSeries.Writer(file(name))
    writer.sharing = sharing
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
  /// An archive of strings in two blocks of the graph stream, stored as they are.
  func texts(_ name: String) throws {
    let encoder = GraphEncoder()
    encoder.compression = .none
    // Each in a set, so that the texts stand in the graph stream.
    let texts = (0..<20).map { Set([String(repeating: "\(1000 + $0)", count: 25_000)]) }
    try encoder.write(texts, to: file(name))
  }

  /// A stream of two messages.
  func stream(_ name: String) throws {
    let writer = try GraphMessageWriter(file(name))
    for number in 0..<2 { try writer.write([number]) }
    try writer.close()
  }

  /// An archive of an array to a precision.
  func rounded(_ name: String) throws {
    let encoder = GraphEncoder()
    encoder.precision = .bits(12)
    try encoder.write((0..<5_000).map { Double($0) / 3 }, to: file(name))
  }

  /// Damages the last block of an archive whose graph stream is its only segment, and says where the block is.
  func damagedBlock(of name: String) throws -> Range<Int> {
    let archive = try GraphArchive(file(name))
    let segment = try archive.info.segments[0]
    let byteCount = Int(segment.rawByteCount) - segment.blockByteCount
    // Tables of a few bytes and no padding stand behind it.
    let bytes = try bytes(of: name)
    let contentsByteCount = bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    let end = bytes.count - contentsByteCount
    try damage(name, at: end - 1)
    return (end - byteCount)..<end
  }

  /// The files that the documents speak of.
  func makeDocumentFiles() throws {
    try set()
    try setSeries()
    try archive()
    let entry = try series()[1]
    try write(bytes(of: "run.gcodable"), to: "damaged.gcodable")
    try damage("damaged.gcodable", at: Int(entry.offset) + 50_000)
    try write(bytes(of: "run.gcodable").dropLast(1_000), to: "cut.gcodable")
    try FileManager.default.removeItem(at: file("run.gcodable"))
    try series(sharing: .blocks)
  }
}
