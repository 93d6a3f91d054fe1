/// A value whose instances of polymorphic classes are decoded as what they are.
///
/// As a property wrapper it lets the compiler write `init(from:)` of a type with polymorphic properties:
///
///     struct Drawing: Codable {
///       @Polymorphic var background: Shape
///       @Polymorphic var frame: Shape?
///       @Polymorphic var layers: [String: [Shape]]
///     }
///
/// It also is what to ask any coder for, whose root is such a value:
///
///     let shapes = try anyDecoder.decode(Polymorphic<[Shape]>.self, from: document).wrappedValue
///
/// Nothing is stored for the wrapper itself.
@propertyWrapper
public struct Polymorphic<Value: PolymorphicValue>: Codable {
  /// The value itself.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Decodes the value, instances as the class that their discriminator says.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try .decodePolymorphic(from: decoder)
  }

  /// Encodes the value as if it were not wrapped.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Polymorphic: Equatable where Value: Equatable {}
extension Polymorphic: Hashable where Value: Hashable {}
extension Polymorphic: Sendable where Value: Sendable {}

// What the compiler writes for a property of type `Polymorphic<Value?>` asks for the property's own type. These
// make it behave as for `Value?`: nil is not written, and a missing key is nil.

extension KeyedDecodingContainer {
  /// Decodes the value below a key, or nil where there is none.
  public func decode<Value>(
    _ type: Polymorphic<Value?>.Type, forKey key: Key
  ) throws -> Polymorphic<Value?> {
    try decodeIfPresent(type, forKey: key) ?? Polymorphic(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the value below a key, or nothing where it is nil.
  public mutating func encode<Value>(_ value: Polymorphic<Value?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
