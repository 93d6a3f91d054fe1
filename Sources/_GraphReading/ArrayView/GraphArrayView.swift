import _GraphCoding
import _GraphSupport

/// An array in an archive whose elements are decoded on demand.
///
///     let positions = try archive.array(Double.self, at: "positions")
///     let some = try positions[1_000..<2_000]
///     for chunk in positions.chunks(of: 1_000_000) { total += try chunk.elements().reduce(0, +) }
///
/// It may be an array of numbers, vectors or packed structs, or an array of such arrays of equal length, as in a matrix.
/// Only the blocks of the archive that hold requested elements are read, checked and expanded, on all processors; none is
/// kept. So an element costs one block, of at most 2 MiB as a rule, a row of a matrix the blocks that it lies in, and a column one block for
/// each MiB of the matrix: ``blockCount(of:)`` tells the cost in advance.
///
/// A view holds its archive, and any number of threads may use it at the same time.
public struct GraphArrayView<Element: GDecodable>: Sendable {
  let array: StoredArray

  /// The length of each dimension, from the outermost.
  public var shape: [Int] { array.shape }
  /// How many elements there are in all dimensions.
  public let count: Int

  fileprivate init(_ array: StoredArray) throws {
    self.array = array
    count = array.count
    try array.check(Element.self)
  }

  // MARK: Elements

  /// The elements in a range of places, in row-major order.
  ///
  /// - Throws: `valueNotFound` for places out of bounds; `invalidValue` for an element that the type cannot hold;
  ///   `damaged` or `malformed`; `file` where the archive cannot be read.
  /// - Complexity: O(n) in the elements of the blocks that are expanded.
  public subscript(places: Range<Int>) -> [Element] {
    get throws { try array.elements(Element.self, of: [checked(places)]) }
  }

  /// The element at a place, in row-major order.
  ///
  /// - Throws: as for a range.
  /// - Complexity: O(n) in the elements of a block.
  public subscript(place: Int) -> Element {
    get throws {
      guard place >= 0, place < count else { throw notFound(place..<place) }
      return try array.elements(Element.self, of: [place..<(place + 1)])[0]
    }
  }

  /// All elements, in row-major order.
  ///
  /// - Throws: as for a range.
  public func elements() throws -> [Element] { try self[0..<count] }

  func checked(_ places: Range<Int>) throws -> Range<Int> {
    guard places.lowerBound >= 0, places.upperBound <= count else { throw notFound(places) }
    return places
  }

  private func notFound(_ places: Range<Int>) -> GCodableError {
    GCodableError(.valueNotFound, "no elements \(places): there are \(count)")
  }

  // MARK: Slices

  /// The elements in a range of each dimension, from the outermost; all of those without a range.
  ///
  ///     let patch = try image.slice(100..<200, 300..<400)
  ///     let column = try matrix.slice(0..<matrix.shape[0], 7..<8)
  ///
  /// - Throws: as for a range of places.
  /// - Complexity: O(n) in the elements of the blocks that are expanded.
  public func slice(_ ranges: Range<Int>...) throws -> GArray<Element> {
    let elements = try array.elements(Element.self, of: runs(ranges))
    return GArray(elements, shape: ranges.map(\.count) + shape.dropFirst(ranges.count))
  }

  /// The elements of a slice, in row-major order.
  package func elements(in ranges: [Range<Int>]) throws -> [Element] {
    try array.elements(Element.self, of: runs(ranges))
  }

  /// How many blocks a slice needs.
  package func blockCount(in ranges: [Range<Int>]) throws -> Int { try array.blockCount(of: runs(ranges)) }

  /// The number of blocks that a slice has to expand; 0 where the array is too short for a segment of its own.
  ///
  /// - Throws: `valueNotFound` for ranges out of bounds.
  public func blockCount(of ranges: Range<Int>...) throws -> Int { try array.blockCount(of: runs(ranges)) }

  /// The runs of places that a slice has.
  private func runs(_ ranges: [Range<Int>]) throws -> [Range<Int>] {
    guard ranges.count <= shape.count,
      zip(ranges, shape).allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= $1 })
    else { throw GCodableError(.valueNotFound, "no slice \(ranges): the shape is \(shape)") }
    var runs = [0..<1]
    for (dimension, length) in shape.enumerated() {
      let range = dimension < ranges.count ? ranges[dimension] : 0..<length
      if range.isEmpty { return [] }
      if range.count == length {
        runs = runs.map { ($0.lowerBound * length)..<($0.upperBound * length) }
      } else {
        runs = runs.joined().map { (($0 * length) + range.lowerBound)..<(($0 * length) + range.upperBound) }
      }
    }
    return runs
  }

  // MARK: Chunks

  /// The array in consecutive pieces of `count` elements; the last one may be shorter.
  ///
  /// A multiple of a block's elements is best, because each block is then expanded once.
  ///
  /// - Precondition: `count` is 1 or more.
  public func chunks(of count: Int) -> Chunks {
    precondition(count > 0, "a chunk has elements")
    return Chunks(view: self, chunkCount: count)
  }

  /// The pieces of an array.
  public struct Chunks: Sequence, IteratorProtocol, Sendable {
    fileprivate let view: GraphArrayView
    fileprivate let chunkCount: Int
    fileprivate var place = 0

    /// The next piece; nil after the last.
    public mutating func next() -> Chunk? {
      guard place < view.count else { return nil }
      let end = place + Swift.min(chunkCount, view.count - place)
      defer { place = end }
      return Chunk(view: view, places: place..<end)
    }
  }

  /// A piece of an array.
  public struct Chunk: Sendable {
    fileprivate let view: GraphArrayView
    /// The places of its elements, in row-major order.
    public let places: Range<Int>

    /// The elements of the piece.
    ///
    /// - Throws: as for a range of the array.
    public func elements() throws -> [Element] { try view[places] }
  }
}

extension GraphArrayView: CustomStringConvertible {
  /// One line with the type of the elements and the length of each dimension.
  public var description: String { "GraphArrayView<\(Element.self)>(shape: \(shape))" }
}

extension GraphArchive {
  /// The array at a path, whose elements are decoded on demand.
  ///
  /// - Parameters:
  ///   - type: the type of the elements; as in ``decode(_:using:progress:)``, it may differ from the type they were encoded as.
  ///   - path: where the array is; a row of a matrix is an array, too.
  /// - Throws: `typeMismatch` if the value is not an array of numbers, vectors or packed structs, if it holds arrays of
  ///   different lengths, or if its elements cannot be decoded as the type; otherwise as ``item(at:)``.
  /// - Complexity: as ``item(at:)``.
  public func array<Element: GDecodable>(
    _ type: Element.Type = Element.self, at path: GraphPath = []
  ) throws -> GraphArrayView<Element> {
    let array = try storedArray(at: path)
    do { return try GraphArrayView(array) } catch { throw path.steps[...].leading(to: error) }
  }

  /// Finds an array whose elements stay where they are.
  func storedArray(at path: GraphPath) throws -> StoredArray {
    try withWalk(along: path) { walk in
      do {
        switch try walk.contents().form {
        case .packed(let elements): return try StoredArray(ArrayPart(elements), self, walk.decoder)
        case .rows(let part): return try StoredArray(part, self, walk.decoder)
        default:
          throw GCodableError(
            .typeMismatch, "the archive has no array of numbers, vectors or packed structs here",
            byteOffset: walk.decoder.streamOffset)
        }
      } catch { throw path.steps[...].leading(to: error) }
    }
  }
}
