/// An array of packed elements whose head has been read.
struct PackedArray {
  /// The format of its elements, or those of the fields of its structs.
  let formats: [PackedFormat]
  let isOfStructs: Bool
  let count: Int
  let place: Place

  enum Place {
    case stream(UnsafeRawBufferPointer)
    /// The number of a bulk segment, which has the right size.
    case segment(Int)
  }

  var elementByteCount: Int { formats.reduce(0) { $0 + $1.byteCount } }
}

/// An element of a packed array, or a field of one.
struct PackedPart {
  let array: PackedArray
  let index: Int
  /// Which field of a struct; nil for all of it.
  var field: Int?

  /// The formats of its fields, or its only one.
  var formats: [PackedFormat] { field.map { [array.formats[$0]] } ?? array.formats }

  /// Whether it is a struct, which has fields.
  var isStruct: Bool { array.isOfStructs && field == nil }

  /// Where its bytes are among those of all elements.
  var range: Range<Int> {
    let start =
      index * array.elementByteCount + array.formats.prefix(field ?? 0).reduce(0) { $0 + $1.byteCount }
    return start..<(start + formats.reduce(0) { $0 + $1.byteCount })
  }

  /// A packed array with the part as its only element, as it would stand in a graph stream behind its kind.
  func arrayBytes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var builder = ByteBuilder()
    if isStruct { builder.byte(UInt8(formats.count)) }
    for format in formats { builder.byte(format.rawValue) }
    builder.varint(1 << 1)
    builder.append(Array(bytes))
    return builder.bytes
  }

  /// The kind of that array.
  var arrayKind: GraphKind { isStruct ? .packedStructs : .packed }
}

extension GDecoder {
  /// Reads the head of a packed array, and moves behind it.
  func readPackedArray(_ kind: GraphKind) throws -> PackedArray {
    var formats = [PackedFormat(rawValue: 0)]
    if kind == .packedStructs {
      formats = try readFieldFormats()
    } else {
      formats[0] = PackedFormat(rawValue: try readByte())
      guard formats[0].byteCount > 0 else {
        throw malformed("packed format \(formats[0].rawValue) is not known")
      }
    }
    let byteCount = formats.reduce(0) { $0 + $1.byteCount }
    let (count, bulkNumber) = try readPackedCount(of: byteCount)
    return PackedArray(
      formats: formats, isOfStructs: kind == .packedStructs, count: count,
      place: try bulkNumber.map { .segment($0) } ?? .stream(readBytes(UInt64(count * byteCount))))
  }

  /// Calls `body` with some bytes of the elements of a packed array; of a bulk segment, the blocks are expanded that
  /// have them.
  func withBytes<Result>(
    _ range: Range<Int>, of array: PackedArray, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    switch array.place {
    case .stream(let bytes): return try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
    case .segment(let number):
      let open = try openBulk(number, array.isOfStructs ? .none : array.formats[0])
      let bytes = try tables.reader.bytes(range, of: open)
      return try withExtendedLifetime(bytes) { try body(bytes.buffer) }
    }
  }
}
