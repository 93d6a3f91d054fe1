/// A property wrapper for values with instances of polymorphic classes.
///
/// With it, the compiler synthesizes the `init(from:)` of a type with polymorphic properties:
///
///     struct Drawing: Codable {
///       @Polymorphic var background: Shape
///       @Polymorphic var frame: Shape?
///       @Polymorphic var layers: [String: [Shape]]
///     }
///
/// It also decodes a polymorphic root with any decoder:
///
///     let shapes = try anyDecoder.decode(Polymorphic<[Shape]>.self, from: document).wrappedValue
///
/// The wrapper itself leaves no trace in the encoded data.
@propertyWrapper
public struct Polymorphic<Value: PolymorphicValue>: Codable {
  /// The wrapped value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Decodes the value; each instance is decoded as the class that its discriminator stands for.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
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

// The compiler synthesizes calls that encode and decode a `Polymorphic<Value?>` as any other type. These overloads make
// it behave as a `Value?`: nil is not encoded, and a missing key is nil.

extension KeyedDecodingContainer {
  /// Decodes the value for a key, or nil if there is none.
  public func decode<Value>(
    _ type: Polymorphic<Value?>.Type, forKey key: Key
  ) throws -> Polymorphic<Value?> {
    try decodeIfPresent(type, forKey: key) ?? Polymorphic(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the value for a key, or nothing if it is nil.
  public mutating func encode<Value>(_ value: Polymorphic<Value?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
