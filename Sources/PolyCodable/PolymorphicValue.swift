/// An instance of a polymorphic class, or an optional, an array or a dictionary of such values.
///
/// Do not conform to this protocol directly; conform to ``PolyCodable``.
public protocol PolymorphicValue: Codable {
  /// Decodes a value; each instance is decoded as the class that its discriminator stands for.
  ///
  /// - Parameter decoder: The decoder of the value.
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  static func decodePolymorphic(from decoder: any Decoder) throws -> Self

  /// Decodes a value that is an element of an array.
  ///
  /// - Parameter decoder: The decoder of the element.
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  static func decodePolymorphicElement(from decoder: any Decoder) throws -> Self
}

// The methods are documented in the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PolymorphicValue {
  public static func decodePolymorphicElement(from decoder: any Decoder) throws -> Self {
    try decodePolymorphic(from: decoder)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: PolymorphicValue where Wrapped: PolymorphicValue {
  public static func decodePolymorphic(from decoder: any Decoder) throws -> Wrapped? {
    try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decodePolymorphic(from: decoder)
  }

  public static func decodePolymorphicElement(from decoder: any Decoder) throws -> Wrapped? {
    try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decodePolymorphicElement(from: decoder)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: PolymorphicValue where Element: PolymorphicValue {
  public static func decodePolymorphic(from decoder: any Decoder) throws -> [Element] {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    if let count = container.count { elements.reserveCapacity(count) }
    while !container.isAtEnd {
      elements.append(try container.decode(PolymorphicElement<Element>.self).value)
    }
    return elements
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Dictionary: PolymorphicValue where Key: Codable, Value: PolymorphicValue {
  public static func decodePolymorphic(from decoder: any Decoder) throws -> [Key: Value] {
    // As one value: not every coder stores a dictionary as a container of its keys.
    let container = try decoder.singleValueContainer()
    return try container.decode([Key: Polymorphic<Value>].self).mapValues(\.wrappedValue)
  }
}

/// An element of an array.
private struct PolymorphicElement<Value: PolymorphicValue>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    value = try .decodePolymorphicElement(from: decoder)
  }
}
