import Foundation
import GraphCodable
import GraphCodableMPI

/// What a rank has of a model: cells, one of which it refers to in the next part, and its pieces of two arrays.
final class Domain: GCodable {
  var cells: [Cell]
  var positions: [Double]
  var field: GArray<Double>
  var neighbour: GPartReference<Cell>
  /// Waits as long, in seconds, when it is encoded.
  var delay = 0.0
  /// Throws when it is encoded.
  var isBroken = false

  final class Cell: GCodable {
    let name: String
    var next: Cell?

    init(_ name: String) { self.name = name }

    private enum Key: String { case name, next }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(next, for: Key.next)
    }

    init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      next = try decoder.decode(for: Key.next)
    }
  }

  /// Elements of the first array: each quarter has more than one block.
  static let total = 1_000_003
  /// The shape of the second one, which is cut along its columns.
  static let fieldShape = [100, 400]

  static func position(_ index: Int) -> Double { Double(index) * 0.5 + 0.25 }
  static func field(_ row: Int, _ column: Int) -> Double { Double(1000 * row + column) }

  /// - Parameters:
  ///   - step: is in the names of the cells, so the parts of no two steps are equal.
  ///   - groupSize: how many ranks have a part together.
  ///   - total: elements of the first array over all ranks.
  init(on world: MPICommunicator, step: Int = 0, groupSize: Int = 1, total: Int = total) {
    let columns = world.share(of: Self.fieldShape[1])
    cells = (0..<3).map { Cell("cell \($0) of \(world.rank) at \(step)") }
    cells[0].next = cells[2]
    positions = world.share(of: total).map(Self.position)
    field = GArray(
      (0..<Self.fieldShape[0]).flatMap { row in columns.map { Self.field(row, $0) } },
      shape: [Self.fieldShape[0], columns.count])
    let partCount = (world.size + groupSize - 1) / groupSize
    let path: GraphPath = groupSize == 1 ? "cells[2]" : "[0].cells[2]"
    neighbour = GPartReference(part: (world.rank / groupSize + 1) % partCount, path: path)
  }

  static func arrays(on world: MPICommunicator, total: Int = total) -> [GraphArchiveSet.ArrayPart] {
    [
      .init("positions", globalShape: [total], offset: [world.share(of: total).lowerBound]),
      .init("field", globalShape: fieldShape, offset: [0, world.share(of: fieldShape[1]).lowerBound]),
    ]
  }

  private enum Key: String { case cells, positions, field, neighbour }

  func encode(to encoder: GEncoder) throws {
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    if isBroken { throw GCodableError(.typeMismatch, "this domain is broken") }
    try encoder.encode(cells, for: Key.cells)
    try encoder.encode(positions, for: Key.positions)
    try encoder.encode(field, for: Key.field)
    try encoder.encode(neighbour, for: Key.neighbour)
  }

  init(from decoder: GDecoder) throws {
    cells = try decoder.decode(for: Key.cells)
    positions = try decoder.decode(for: Key.positions)
    field = try decoder.decode(for: Key.field)
    neighbour = try decoder.decode(for: Key.neighbour)
  }

  /// Whether the objects are the ones that were encoded, those of the next part among them.
  func isWhole(in set: GraphArchiveSet) throws -> Bool {
    guard let next = cells[0].next, next === cells[2], cells[1].next == nil else { return false }
    return try neighbour.value(in: set).name.hasPrefix("cell 2 of ")
  }
}
