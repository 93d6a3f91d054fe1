import _GraphFiles
import _GraphSupport

/// A `Codable` value in the place of a `GCodable` one.
///
/// Where the wrapped type is a class, it is one pointer, as the class itself is: what treats references by their
/// addresses treats these the same.
package struct CodableAdapter<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// A type whose values stand for those of another: what is known of that one counts.
package protocol StandIn {
  static var subject: Any.Type { get }
  /// What makes the values where they are instances of a class, as one reference; nil for the type itself.
  static var maker: (any GDecodable.Type)? { get }
  var subject: Any { get }
  init?(instance: AnyObject)
}

extension CodableAdapter: StandIn {
  package static var subject: Any.Type { Value.self }
  package static var maker: (any GDecodable.Type)? { nil }
  package var subject: Any { value }

  package init?(instance: AnyObject) {
    guard let value = instance as? Value else { return nil }
    self.init(value)
  }
}

/// The type that values of a type stand for, as a rule itself.
package func subject(of type: Any.Type) -> Any.Type { (type as? any StandIn.Type)?.subject ?? type }

/// The value that a value stands for, as a rule itself.
func subject(of value: Any) -> Any { (value as? any StandIn)?.subject ?? value }

extension CodableAdapter: GEncodable where Value: Encodable {
  package static func _graphKind(_ encoder: GEncoder) -> GraphKind { encoder.codable.type(Value.self).kind }

  package func _graphWrite(_ encoder: GEncoder) throws { try encoder.codable.type(Value.self).write(value) }

  package func encode(to encoder: GEncoder) throws { try encoder.codable.encodeFields(of: value, in: nil) }
}

/// A `CodableAdapter`, with its conformances, as the argument of a generic class.
protocol EncodableAdapter: GEncodable {
  associatedtype Value: Encodable
  init(_ value: Value)
}

extension CodableAdapter: EncodableAdapter where Value: Encodable {}

extension CodableAdapter: GDecodable where Value: Decodable {
  package static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    Self(try decoder.codable.type(Value.self).read(kind))
  }

  package init(from decoder: GDecoder) throws {
    self.init(try decoder.codable.makeOfFields(Value.self, in: nil))
  }
}

/// A key of which only its values are known, or the place in a list.
package struct ArchiveKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) { self.init(stringValue, intValue: nil) }

  init(_ stringValue: String, intValue: Int?) {
    self.stringValue = stringValue
    self.intValue = intValue
  }

  init(_ key: some CodingKey) { self.init(key.stringValue, intValue: key.intValue) }

  package init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  /// What `superEncoder()` and `superDecoder()` use.
  static let `super` = Self(stringValue: "super")

  /// A key as a `GCodableError` has it: `[3]` for the fourth element.
  init(pathKey: String) {
    if pathKey.hasPrefix("["), pathKey.hasSuffix("]"), let index = Int(pathKey.dropFirst().dropLast()) {
      self.init(intValue: index)
    } else {
      self.init(stringValue: pathKey)
    }
  }
}

extension FieldToken {
  /// The token of a coding key, without kind; 0, which no field has, where the key type is not one byte.
  ///
  /// The low bits are 6, so that it differs from the token of the same type as a key with a raw value, whose name
  /// may be another one.
  @inline(__always)
  static func of<Key: CodingKey>(coding key: Key) -> UInt64 {
    let type = address(of: Key.self) | 6
    switch MemoryLayout<Key>.size {
    case 0: return type
    case 1:
      // One byte: no alignment to mind.
      let byte = unsafe unsafeBitCast(key, to: UInt8.self)
      return type | UInt64(byte) << 56
    default: return 0
    }
  }

  /// The coding key of a type that has a token; nil where none of that type is known to have it.
  @inline(__always)
  static func codingKey<Key: CodingKey>(_ type: Key.Type, of token: UInt64) -> Key? {
    let typeToken = address(of: type) | 6
    guard MemoryLayout<Key>.size == 1, token & (1 << 56 - 1) == typeToken else { return nil }
    // The byte was that of a key of the type, of which it is all.
    return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: token >> 56), to: Key.self)
  }
}

extension GraphKind {
  /// Whether it is one of a list of elements.
  var isList: Bool {
    self == .array || self == .set || self == .packed || self == .nestedPacked || self == .packedOptionals
  }

  /// Whether a value of the kind is a record, or may be one.
  @inline(__always)
  var mayBeRecord: Bool { self == .record || self == .tagged }

  /// Whether it is one of strings or integers.
  package var isName: Bool {
    switch self {
    case .string, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: true
    default: false
    }
  }
}
