import _GraphFiles

/// Shapes of records that have lost fields: the remaining first fields of a shape of the archive.
final class CutShapes {
  /// All shapes of the archive, then the new ones.
  private(set) var shapes: [Contents.Shape]
  private var numbers: [Key: UInt64] = [:]

  private struct Key: Hashable {
    let shape: UInt64
    let fieldCount: Int
  }

  init(_ shapes: [Contents.Shape]) { self.shapes = shapes }

  /// The number, from 1, of the shape that has the first fields of another one.
  func number(ofShape shape: UInt64, fieldCount: Int) -> UInt64 {
    let key = Key(shape: shape, fieldCount: fieldCount)
    if let number = numbers[key] { return number }
    var cut = shapes[Int(shape) - 1]
    cut.fields = Array(cut.fields.prefix(fieldCount))
    cut.isOpen = false
    let number = append(cut)
    numbers[key] = number
    return number
  }

  /// Adds a shape, and returns its number, from 1.
  func append(_ shape: Contents.Shape) -> UInt64 {
    shapes.append(shape)
    return UInt64(shapes.count)
  }
}

extension ArraySlice<UInt8> {
  /// The varint that the bytes begin with.
  var varint: UInt64? {
    unsafe withUnsafeBytes { bytes in
      var parser = unsafe ByteParser(bytes, origin: 0, subject: "a number")
      return try? parser.varint()
    }
  }
}

extension [UInt8] {
  /// The bytes of a varint.
  init(varint number: UInt64) {
    var builder = ByteBuilder()
    builder.varint(number)
    self = builder.bytes
  }
}
