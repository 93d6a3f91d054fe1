import GraphCodable

/// A part of the box, which leads to the next one: a ring.
package final class Cell: GCodable {
  package let index: Int
  package let name: String?
  package var next: Cell?

  package init(index: Int, name: String?) {
    self.index = index
    self.name = name
  }

  private enum Key: String { case index, name, next }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(index, for: Key.index)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(next, for: Key.next)
  }

  package init(from decoder: GDecoder) throws {
    index = try decoder.decode(for: Key.index)
    name = try decoder.decode(for: Key.name)
    try decoder.deferDecode(for: Key.next) { self.next = $0 }
  }

  /// Cells in a ring; the first one has a name.
  package static func ring(_ count: Int) -> [Cell] {
    let cells = (0..<count).map { Cell(index: $0, name: $0 == 0 ? "origin" : nil) }
    for cell in cells { cell.next = cells[(cell.index + 1) % count] }
    return cells
  }
}
