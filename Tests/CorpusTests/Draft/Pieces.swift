import GraphCodable

// The pieces that archives are made of, by Documentation/Format.md alone: nothing of the library writes them.

/// Bytes one after the other.
func join(_ parts: Bytes...) -> Bytes { Array(parts.joined()) }

/// Bytes that repeat.
func repeated(_ bytes: Bytes, _ count: Int) -> Bytes { Array(repeatElement(bytes, count: count).joined()) }

/// A number in as many bytes as it needs, or in more.
func varint(_ value: UInt64, in byteCount: Int? = nil) -> Bytes {
  let least = (1...8).first { $0 * 7 >= 64 - value.leadingZeroBitCount } ?? 9
  let count = byteCount ?? least
  guard count < 9 else { return [0] + little(value) }
  return Array(little((value << 1 | 1) << UInt64(count - 1)).prefix(count))
}

/// A signed number.
func zigzag(_ value: Int64) -> Bytes { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

/// A number of bytes, then these.
func counted(_ bytes: Bytes) -> Bytes { varint(UInt64(bytes.count)) + bytes }

/// A string.
func text(_ text: String) -> Bytes { counted(Bytes(text.utf8)) }

/// An integer in all its bytes.
func little(_ value: some FixedWidthInteger) -> Bytes {
  withUnsafeBytes(of: value.littleEndian) { Bytes($0) }
}

func float64(_ value: Double) -> Bytes { little(value.bitPattern) }
func float32(_ value: Float) -> Bytes { little(value.bitPattern) }

/// The kinds, by their names in the document.
enum Kind {
  static let null: UInt8 = 0x00
  static let absent: UInt8 = 0x01
  static let tagged: UInt8 = 0x02
  static let record: UInt8 = 0x03
  static let reference: UInt8 = 0x04
  static let conditional: UInt8 = 0x05
  static let nestedPacked: UInt8 = 0x06
  static let array: UInt8 = 0x08
  static let set: UInt8 = 0x09
  static let dictionary: UInt8 = 0x0A
  static let packed: UInt8 = 0x0B
  static let binary: UInt8 = 0x0C
  static let fixed: UInt8 = 0x0D
  static let packedStructs: UInt8 = 0x0E
  static let opaque: UInt8 = 0x0F
  static let string: UInt8 = 0x10
  static let bool: UInt8 = 0x11
  static let int8: UInt8 = 0x12
  static let int16: UInt8 = 0x13
  static let int32: UInt8 = 0x14
  static let int64: UInt8 = 0x15
  static let uint8: UInt8 = 0x16
  static let packedOptionals: UInt8 = 0x07
  static let uint16: UInt8 = 0x17
  static let uint32: UInt8 = 0x18
  static let uint64: UInt8 = 0x19
  static let float16: UInt8 = 0x1A
  static let float32: UInt8 = 0x1B
  static let float64: UInt8 = 0x1C
  static let taggedIfPresent: UInt8 = 0x22
  static let taggedIdentity: UInt8 = 0x42
  static let taggedConditional: UInt8 = 0x62
}

/// The number of a packed format.
func format(_ scalar: UInt16, lanes: UInt16 = 0, meaning: UInt16 = 0) -> UInt16 {
  scalar | lanes << 5 | meaning << 8
}

/// The packed format of the bytes of strings.
let stringFormat = format(17, meaning: 21)

/// A packed array whose elements stand behind it.
func packedArray(_ format: UInt16, count: UInt64, _ elements: Bytes) -> Bytes {
  join(varint(UInt64(format)), varint(count << 1), elements)
}

/// Packed optionals of an array of a kind, with the bits that tell which are there.
func optionals(_ bits: Bytes, _ kind: UInt8, _ array: Bytes) -> Bytes {
  [Kind.packedOptionals, kind] + packedArray(format(17), count: UInt64(bits.count), bits) + array
}

/// A packed array whose elements are in a bulk segment.
func packedArray(_ format: UInt16, count: UInt64, segment: UInt64) -> Bytes {
  join(varint(UInt64(format)), varint(count << 1 | 1), varint(segment))
}

/// A nested packed array whose elements stand behind it.
func nestedArray(_ format: UInt16, _ lengths: Lengths..., elements: Bytes) -> Bytes {
  join(
    [Kind.nestedPacked], varint(UInt64(format)), varint(UInt64(lengths.count)), joined(lengths.map(\.bytes)),
    varint(0), elements)
}

/// The lengths of the arrays of a dimension.
enum Lengths {
  case all(UInt64)
  case each([UInt64])

  var bytes: Bytes {
    switch self {
    case .all(let length): varint(length << 1)
    case .each(let lengths): varint(1) + joined(lengths.map { varint($0) })
    }
  }
}

/// Overflow fields with their head.
func overflow(_ fields: [Bytes], unkeyed: UInt32, count: UInt32? = nil, byteCount: UInt64? = nil) -> Bytes {
  let bytes = Array(fields.joined())
  return join(
    little(count ?? UInt32(fields.count)), little(unkeyed), little(byteCount ?? UInt64(bytes.count)), bytes)
}
