/// An array whose elements stay where they are until they are written to the archive.
package struct BulkArray {
  package let byteCount: Int
  let elementByteCount: Int
  let format: PackedFormat
  /// Elements from the start of a row to the start of the next, in all dimensions but the first; 0 or 1 where there are
  /// no rows.
  var rowElementCount = 0
  /// Elements from one part to the next in each dimension between the first and the last, the outermost first.
  var innerStrides: [Int] = []
  /// The precision of the stored elements; nil for exact.
  var precision: GPrecision?
  /// How they are rounded to it in place; nil if they are not.
  var rounding: Rounding?
  /// How it is compressed; nil for the encoder's compression.
  var compression: ArchiveCompression?
  /// Keeps the elements alive and unchanged, and shows them.
  package let owner: any PackedOwner
  /// Where the elements are copied from as they are stored; nil where the owner has them.
  var copy: SegmentCopy?

  package init(
    byteCount: Int, elementByteCount: Int, format: PackedFormat, rowElementCount: Int = 0,
    innerStrides: [Int] = [], precision: GPrecision? = nil, rounding: Rounding? = nil,
    compression: ArchiveCompression? = nil, owner: any PackedOwner, copy: SegmentCopy? = nil
  ) {
    (self.byteCount, self.elementByteCount, self.format) = (byteCount, elementByteCount, format)
    (self.rowElementCount, self.precision, self.rounding) = (rowElementCount, precision, rounding)
    (self.innerStrides, self.compression, self.owner, self.copy) = (innerStrides, compression, owner, copy)
  }

  /// The strides inside an array of a shape; see `innerStrides`.
  package static func innerStrides(_ shape: [Int]) -> [Int] {
    var stride = 1
    var strides: [Int] = []
    for length in shape.dropFirst(2).reversed() {
      stride *= length
      if stride > 1, stride != strides.last { strides.append(stride) }
    }
    return strides.reversed()
  }
}
