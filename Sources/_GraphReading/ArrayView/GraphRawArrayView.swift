import _GraphCoding
import _GraphFiles
import _GraphSupport

/// An array in an archive whose elements are read as bytes, for programs that do not know their type.
///
///     let array = try archive.rawArray(at: "frames[10..<20]")
///     let bytes = try array[0..<array.count]
///
/// Only the blocks that are needed are expanded, as in ``GraphArrayView``.
public struct GraphRawArrayView: Sendable {
  private let array: StoredArray

  /// A field of the elements.
  public struct Field: Hashable, Sendable {
    /// Its name; nil for one without, and for elements that are no structs.
    public let key: String?
    /// The layout of its scalars.
    public let format: PackedFormat
  }

  /// The length of each dimension, from the outermost.
  public var shape: [Int] { array.shape }
  /// How many elements there are in all dimensions.
  public var count: Int { array.count }
  /// The bytes of an element: its fields one after the other.
  public var elementByteCount: Int { array.elementByteCount }
  /// What an element consists of: one field, or those of a packed struct.
  public let fields: [Field]

  fileprivate init(_ array: StoredArray) {
    self.array = array
    fields = array.fields.map { Field(key: $0.key, format: $0.format) }
  }

  /// The bytes of the elements in a range of places, in row-major order and little-endian.
  ///
  /// - Throws: as ``GraphArrayView``'s subscript.
  /// - Complexity: O(n) in the elements of the blocks that are expanded.
  public subscript(places: Range<Int>) -> [UInt8] {
    get throws {
      guard places.lowerBound >= 0, places.upperBound <= count else {
        throw GCodableError(.valueNotFound, "no elements \(places): there are \(count)")
      }
      return try array.bytes(of: places)
    }
  }
}

extension GraphRawArrayView: CustomStringConvertible {
  /// One line with the length of each dimension and the size of an element.
  public var description: String {
    "GraphRawArrayView(shape: \(shape), bytes of an element: \(elementByteCount))"
  }
}

extension GraphArchive {
  /// The array at a path, whose elements are read as bytes on demand.
  ///
  /// - Throws: as ``array(_:at:)``, except for a mismatch of the element type.
  /// - Complexity: as ``item(at:)``.
  public func rawArray(at path: GraphPath = []) throws -> GraphRawArrayView {
    GraphRawArrayView(try storedArray(at: path))
  }
}
