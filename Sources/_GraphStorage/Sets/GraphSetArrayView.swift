import _GraphCoding
import _GraphReading
import _GraphSupport

/// An array over the parts of a set, whose elements are decoded on demand.
///
///     let positions = try set.array(Double.self, "positions")
///     let rows = try positions.slice(1_000..<2_000)
///
/// Indices are those of the whole array. Only the parts that hold requested elements are opened, and only their blocks that
/// do are read, checked and expanded.
public struct GraphSetArrayView<Element: GDecodable>: Sendable {
  private let set: GraphArchiveSet
  private let array: SetManifest.Array

  /// The name of the array.
  public var name: String { array.name }
  /// The length of each dimension, from the outermost.
  public var shape: [Int] { array.shape }
  /// The number of elements in all dimensions.
  public var count: Int { ArrayBox.count(array.shape) ?? 0 }

  fileprivate init(_ set: GraphArchiveSet, _ array: SetManifest.Array) {
    (self.set, self.array) = (set, array)
  }

  /// The elements in a range of the outermost dimension, in row-major order.
  ///
  /// - Throws: as ``slice(_:)``.
  public subscript(rows: Range<Int>) -> [Element] {
    get throws { try slice(rows).elements }
  }

  /// All elements, in row-major order.
  ///
  /// - Throws: as ``slice(_:)``.
  public func elements() throws -> [Element] { try slice().elements }

  /// The elements in a range of each dimension, from the outermost; all of those without a range.
  ///
  /// - Throws: `valueNotFound` for ranges out of bounds; otherwise as ``GraphArchiveSet/part(_:)`` and
  ///   ``GraphArchive/array(_:at:)``.
  /// - Complexity: O(n) in the elements of the blocks that are expanded, and in the number of parts.
  public func slice(_ ranges: Range<Int>...) throws -> GArray<Element> {
    let wanted = try box(ranges)
    let pieces = pieces(of: wanted)
    let elements = try pieces.map { piece in
      try view(piece.stored).elements(in: piece.common.relative(to: piece.stored.box))
    }
    return GArray(joined(elements, pieces.map(\.common), wanted), shape: wanted.shape)
  }

  /// The number of blocks, in all parts, that a slice has to expand.
  ///
  /// - Throws: as ``slice(_:)``.
  public func blockCount(of ranges: Range<Int>...) throws -> Int {
    try pieces(of: box(ranges)).reduce(0) { count, piece in
      try count + view(piece.stored).blockCount(in: piece.common.relative(to: piece.stored.box))
    }
  }

  /// The numbers of the parts that have elements of a slice, in ascending order.
  ///
  /// - Throws: `valueNotFound` for ranges out of bounds.
  public func parts(of ranges: Range<Int>...) throws -> [Int] {
    Set(try pieces(of: box(ranges)).map(\.stored.part)).sortedOutOfLine(by: <)
  }

  private func box(_ ranges: [Range<Int>]) throws -> ArrayBox {
    guard ranges.count <= shape.count,
      zip(ranges, shape).allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= $1 })
    else { throw GCodableError(.valueNotFound, "no slice \(ranges) of \(name): the shape is \(shape)") }
    return ArrayBox(ranges + shape.dropFirst(ranges.count).map { 0..<$0 })
  }

  private func pieces(of wanted: ArrayBox) -> [(stored: SetManifest.Piece, common: ArrayBox)] {
    array.pieces.compactMap { piece in piece.box.intersection(wanted).map { (piece, $0) } }
      .sortedOutOfLine { one, other in
        one.common.ranges.lazy.map(\.lowerBound).lexicographicallyPrecedes(
          other.common.ranges.lazy.map(\.lowerBound))
      }
  }

  private func view(_ piece: SetManifest.Piece) throws -> GraphArrayView<Element> {
    let view: GraphArrayView<Element> = try set.part(piece.part).array(at: array.path(of: piece))
    try array.check(view.shape, of: piece)
    return view
  }

  /// Puts the elements of boxes, which fill another one, into row-major order.
  private func joined(_ elements: [[Element]], _ boxes: [ArrayBox], _ wanted: ArrayBox) -> [Element] {
    guard elements.count > 1 else { return elements.first ?? [] }
    let runs = boxes.map { $0.runs(in: wanted) }
    var joined: [Element] = []
    joined.reserveCapacity(wanted.count ?? 0)
    // Cut along the outermost dimension, as most are: one behind the other.
    if runs.allSatisfy({ $0.count == 1 }) {
      for piece in elements { joined += piece }
      return joined
    }
    let sorted = zip(runs.indices, runs).flatMap { piece, runs in
      runs.enumerated().map { (start: $1.lowerBound, piece: piece, number: $0) }
    }.sortedOutOfLine { $0.start < $1.start }
    for run in sorted {
      let length = elements[run.piece].count / runs[run.piece].count
      joined += elements[run.piece][(run.number * length)..<((run.number + 1) * length)]
    }
    return joined
  }
}

extension GraphSetArrayView: CustomStringConvertible {
  /// One line with the name, the type of the elements and the length of each dimension.
  public var description: String {
    "GraphSetArrayView<\(Element.self)>(name: \(String(reflecting: name)), shape: \(shape))"
  }
}

extension GraphArchiveSet {
  /// An array over all parts, whose elements are decoded on demand.
  ///
  /// - Parameters:
  ///   - type: the type of the elements; as in ``GraphArchive/array(_:at:)``, it may differ from the type they were encoded
  ///     as.
  ///   - name: the name that the parts were written with.
  /// - Throws: `GCodableError` with the code `keyNotFound` when there is no such array.
  /// - Complexity: O(n) in the number of arrays.
  public func array<Element: GDecodable>(
    _ type: Element.Type, _ name: String
  ) throws -> GraphSetArrayView<Element> {
    try array(name)
  }

  /// An array over all parts, whose element type is inferred from the result.
  ///
  ///     let positions: GraphSetArrayView<Double> = try set.array("positions")
  ///
  /// - Throws: as ``array(_:_:)``.
  /// - Complexity: as ``array(_:_:)``.
  public func array<Element: GDecodable>(_ name: String) throws -> GraphSetArrayView<Element> {
    guard let array = manifest.arrays.first(where: { $0.name == name }) else {
      throw GCodableError(
        .keyNotFound,
        "the set has no array \(name), but \(manifest.arrays.map(\.name).joined(separator: ", "))")
    }
    return GraphSetArrayView(self, array)
  }
}
