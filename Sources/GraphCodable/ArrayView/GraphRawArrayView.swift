/// An array of an archive whose elements are bytes: for those who do not know their type.
///
///     let array = try archive.rawArray(at: "frames[10..<20]")
///     let bytes = try array[0..<array.count]
///
/// It is found, and blocks are expanded, as for ``GraphArrayView``.
public struct GraphRawArrayView: Sendable {
  private let array: StoredArray

  /// A field of the elements.
  public struct Field: Hashable, Sendable {
    /// Its name; nil for one without, and for elements that are no structs.
    public let key: String?
    /// How it lies.
    public let format: PackedFormat
  }

  /// The length of each dimension, from the outermost.
  public var shape: [Int] { array.shape }
  /// How many elements there are in all dimensions.
  public var count: Int { array.count }
  /// Bytes of an element, which is its fields one after the other.
  public var elementByteCount: Int { array.elementByteCount }
  /// What an element consists of: one field, or those of a packed struct.
  public let fields: [Field]

  fileprivate init(_ array: StoredArray) {
    self.array = array
    fields = array.fields.map { Field(key: $0.key, format: $0.format) }
  }

  /// The bytes of the elements at some places, in row-major order and little-endian.
  ///
  /// - Throws: as ``GraphArrayView``'s subscript.
  /// - Complexity: O(n) in the elements of the blocks that have any of these.
  public subscript(places: Range<Int>) -> [UInt8] {
    get throws {
      guard places.lowerBound >= 0, places.upperBound <= count else {
        throw GCodableError(.valueNotFound, "no elements \(places): there are \(count)")
      }
      return try array.bytes(of: places)
    }
  }
}

extension GraphArchive {
  /// An array at a path, of which the bytes of elements are read when they are asked for.
  ///
  /// - Throws: as ``array(_:at:)``, but for the type.
  /// - Complexity: as ``item(at:)``.
  public func rawArray(at path: GraphPath = []) throws -> GraphRawArrayView {
    GraphRawArrayView(try storedArray(at: path))
  }
}
