import GraphCodable

/// A small box at least as wide as the longest cutoff, so that forces come from it and its neighbours alone.
///
/// Cells point at the 26 cells around them, which point back: the graph is full of cycles. The simulation
/// breaks them when it goes away.
public final class Cell: GCodable {
  /// The number of the cell: it counts along x first, then y, then z.
  public let index: Int
  /// Where the cell lies in the grid of cells.
  public let place: SIMD3<Int>
  /// The 26 cells around this one across the periodic boundary, in a fixed order.
  public internal(set) var neighbours: [Cell] = []
  /// The slab that owns this cell.
  public internal(set) weak var domain: Domain?

  init(index: Int, place: SIMD3<Int>) {
    self.index = index
    self.place = place
  }

  /// Where the particles of this cell stand in the arrays of the simulation.
  public var particles: Range<Int> {
    domain?.simulation?.particleRange(ofCell: index) ?? 0..<0
  }

  private enum Key: String {
    case index, place, neighbours, domain
  }

  /// Reads a cell from an archive.
  public init(from decoder: GDecoder) throws {
    index = try decoder.decode(for: Key.index)
    place = try decoder.decode(for: Key.place)
    // A neighbour's neighbours include this cell, so neither can be complete before the other exists.
    try decoder.deferDecode(for: Key.neighbours) { self.neighbours = $0 }
    try decoder.deferDecode(for: Key.domain) { self.domain = $0 }
  }

  /// Writes the cell into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(index, for: Key.index)
    try encoder.encode(place, for: Key.place)
    try encoder.encode(neighbours, for: Key.neighbours)
    try encoder.encodeConditional(domain, for: Key.domain)
  }
}
