import _GraphSupport

/// The form of a value in the graph stream: one byte that says what follows.
///
/// A kind is stored once per field in a shape, once per container for its elements, and before the value if it can vary
/// (`tagged`). `Documentation/Format.md` gives the bytes of each.
@frozen
public struct GraphKind: RawRepresentable, Hashable, Sendable {
  /// The byte in the archive.
  public let rawValue: UInt8

  /// Makes a kind of any byte, known or not.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension GraphKind {
  // Structure.

  /// `Optional.none`; no bytes follow.
  @inlinable public static var null: Self { Self(rawValue: 0x00) }
  /// A field that `encodeIfPresent` left out; no bytes follow.
  @inlinable public static var absent: Self { Self(rawValue: 0x01) }
  /// A kind byte, then a value of that kind: an optional.
  @inlinable public static var tagged: Self { Self(rawValue: 0x02) }
  /// As `tagged`: a field written by `encodeIfPresent`.
  @inlinable public static var taggedIfPresent: Self { Self(rawValue: 0x22) }
  /// As `tagged`: a value that may or may not have an identity.
  @inlinable public static var taggedIdentity: Self { Self(rawValue: 0x42) }
  /// As `tagged`: a conditional reference.
  @inlinable public static var taggedConditional: Self { Self(rawValue: 0x62) }
  /// A shape number, then the fields of that shape.
  @inlinable public static var record: Self { Self(rawValue: 0x03) }
  /// The number of an object that is in the archive.
  @inlinable public static var reference: Self { Self(rawValue: 0x04) }
  /// The number of an object that is in the archive only if a `reference` to it is.
  @inlinable public static var conditional: Self { Self(rawValue: 0x05) }

  // Containers.

  /// A `PackedFormat`, the lengths of nested arrays, and all their elements as in `packed`.
  @inlinable public static var nestedPacked: Self { Self(rawValue: 0x06) }
  /// The kind of an array, the packed bits that tell which of its elements are there, and the array.
  @inlinable public static var packedOptionals: Self { Self(rawValue: 0x07) }
  /// An element kind, a count, the elements.
  @inlinable public static var array: Self { Self(rawValue: 0x08) }
  /// As `array`; no two elements are equal.
  @inlinable public static var set: Self { Self(rawValue: 0x09) }
  /// A key kind, a value kind, a count, then key and value in turn.
  @inlinable public static var dictionary: Self { Self(rawValue: 0x0A) }
  /// A `PackedFormat` and a count, then the elements without padding or the number of a bulk segment.
  @inlinable public static var packed: Self { Self(rawValue: 0x0B) }
  /// A number that identifies the content, a byte count, then bytes that only their type can read.
  @inlinable public static var binary: Self { Self(rawValue: 0x0C) }
  /// A `PackedFormat`, then one element of it.
  @inlinable public static var fixed: Self { Self(rawValue: 0x0D) }

  /// The number of a layout, then as in `packed` after its format.
  @inlinable public static var packedStructs: Self { Self(rawValue: 0x0E) }
  /// A number that identifies the content, a byte count, the bytes: a value of a later version, which others skip.
  ///
  /// All kinds from 0x80 on have this form.
  @inlinable public static var opaque: Self { Self(rawValue: 0x0F) }

  // Single values.

  /// A byte count, then UTF-8.
  @inlinable public static var string: Self { Self(rawValue: 0x10) }
  /// One byte, 0 or 1.
  @inlinable public static var bool: Self { Self(rawValue: 0x11) }
  /// One byte, two's complement.
  @inlinable public static var int8: Self { Self(rawValue: 0x12) }
  /// A varint of the zigzag form, as for the wider signed integers.
  @inlinable public static var int16: Self { Self(rawValue: 0x13) }
  /// See `int16`.
  @inlinable public static var int32: Self { Self(rawValue: 0x14) }
  /// See `int16`.
  ///
  /// `Int` is stored as this.
  @inlinable public static var int64: Self { Self(rawValue: 0x15) }
  /// One byte.
  @inlinable public static var uint8: Self { Self(rawValue: 0x16) }
  /// A varint, as for the wider unsigned integers.
  @inlinable public static var uint16: Self { Self(rawValue: 0x17) }
  /// See `uint16`.
  @inlinable public static var uint32: Self { Self(rawValue: 0x18) }
  /// See `uint16`.
  ///
  /// `UInt` is stored as this.
  @inlinable public static var uint64: Self { Self(rawValue: 0x19) }
  /// The two bytes of an IEEE 754 binary16.
  @inlinable public static var float16: Self { Self(rawValue: 0x1A) }
  /// The four bytes of an IEEE 754 binary32.
  @inlinable public static var float32: Self { Self(rawValue: 0x1B) }
  /// The eight bytes of an IEEE 754 binary64.
  @inlinable public static var float64: Self { Self(rawValue: 0x1C) }
}

extension GraphKind: CustomStringConvertible {
  /// The name of the kind, as in the format document.
  public var description: String { Self.names[self] ?? "kind 0x\(String(rawValue, radix: 16))" }

  /// The kind that says how its bytes are read: `tagged` for all tagged kinds, `opaque` for those of later versions.
  @inlinable
  @inline(__always)
  public var plain: Self {
    rawValue & 0x80 != 0 ? .opaque : rawValue & 0x1F == Self.tagged.rawValue ? .tagged : self
  }

  /// Whether this version of the format knows the kind as the kind of a field or an element.
  @usableFromInline @inline(__always) var isKnown: Bool {
    rawValue < 32 && Self.known >> UInt32(rawValue) & 1 == 1
  }

  /// A bit for each kind.
  @inlinable @inline(__always) static var known: UInt32 { 0x1FFF_FFFF }

  /// Whether values of the kind are known, and take any bytes.
  ///
  /// The kind of a container's elements or of a field always does: the writer tags what may be nil. Without
  /// that, a few bytes could claim any number of elements.
  @usableFromInline @inline(__always) package var takesBytes: Bool {
    isKnown && self != .null && self != .absent
  }

  /// Whether a value of the kind may be a reference, or hold one.
  @usableFromInline package var mayLeadToObjects: Bool {
    switch self {
    case .tagged, .record, .reference, .conditional, .array, .set, .dictionary: true
    default: false
    }
  }

  @usableFromInline static let names: [Self: String] = [
    .null: "nil", .absent: "absent", .tagged: "tagged", .taggedIfPresent: "tagged if present",
    .taggedIdentity: "tagged identity", .taggedConditional: "tagged conditional", .record: "record",
    .reference: "reference",
    .conditional: "conditional reference", .array: "array", .set: "set", .dictionary: "dictionary",
    .nestedPacked: "nested packed array", .packedOptionals: "packed optionals", .packed: "packed array",
    .packedStructs: "packed structs",
    .opaque: "opaque", .binary: "binary",
    .fixed: "fixed",
    .string: "string", .bool: "bool",
    .int8: "int8", .int16: "int16", .int32: "int32", .int64: "int64", .uint8: "uint8", .uint16: "uint16",
    .uint32: "uint32", .uint64: "uint64", .float16: "float16", .float32: "float32", .float64: "float64",
  ]
}
