import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// A part of a model that several processes have: a row of cells, and its piece of arrays over all of them.
final class Domain: GCodable {
  var cells: [Cell]
  var positions: [Double]
  var field: GArray<Double>
  var neighbours: [GPartReference<Cell>]

  final class Cell: GCodable {
    var name: String
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

  /// The part of rank `rank` of `count`, which has the elements `range` of an array of `total`.
  init(_ rank: Int, of count: Int, _ range: Range<Int>, _ columns: Range<Int>) {
    cells = (0..<3).map { Cell("cell \($0) of \(rank)") }
    cells[0].next = cells[2]
    positions = range.map { Double($0) + 0.5 }
    field = GArray(
      (0..<10).flatMap { row in columns.map { Double(100 * row + $0) } }, shape: [10, columns.count])
    neighbours = [GPartReference(part: (rank + 1) % count, path: "cells[2]")]
  }

  private enum Key: String { case cells, positions, field, neighbours }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(cells, for: Key.cells)
    try encoder.encode(positions, for: Key.positions)
    try encoder.encode(field, for: Key.field)
    try encoder.encode(neighbours, for: Key.neighbours)
  }

  init(from decoder: GDecoder) throws {
    cells = try decoder.decode(for: Key.cells)
    positions = try decoder.decode(for: Key.positions)
    field = try decoder.decode(for: Key.field)
    neighbours = try decoder.decode(for: Key.neighbours)
  }
}

/// A folder for one test, with a set in it.
struct SetFolder {
  let place: TemporaryFolder
  var url: URL { place.file("state") }
  /// Elements of the array over all parts.
  static let total = 1_000_003

  init() throws { place = try TemporaryFolder() }

  /// What a rank of `count` has of `total` elements.
  static func range(_ rank: Int, of count: Int, _ total: Int = total) -> Range<Int> {
    (total * rank / count)..<(total * (rank + 1) / count)
  }

  /// Writes a part, whose field is cut along its second dimension.
  func write(
    _ rank: Int, of count: Int, by writer: GraphArchiveSet.Writer, staging: URL? = nil
  ) throws -> GraphArchiveSet.Receipt {
    let range = Self.range(rank, of: count)
    let columns = Self.range(rank, of: count, 20)
    return try writer.part(rank, of: count).write(
      Domain(rank, of: count, range, columns),
      arrays: [
        .init("positions", globalShape: [Self.total], offset: [range.lowerBound]),
        .init("field", at: "field", globalShape: [10, 20], offset: [0, columns.lowerBound]),
      ], staging: staging)
  }

  /// Writes and commits a set.
  func save(_ count: Int, step: Int = 0) throws {
    let writer = try GraphArchiveSet.Writer(url)
    let receipts = try (0..<count).map { rank in
      try write(rank, of: count, by: GraphArchiveSet.Writer(url, token: writer.token))
    }
    try writer.commit(receipts.reversed(), step: step, time: Double(step) / 2, metadata: ["kind": "test"])
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
