/// An instance of a polymorphic class, or an optional, an array or a dictionary of such values.
///
/// The conformances that there are suffice; it is not meant to be adopted otherwise than by ``PolyCodable``.
public protocol PolymorphicValue: Codable {
  /// Decodes the value that `decoder` stands at, instances as the class that their discriminator says.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown or that stand for a class
  ///   which is not the one asked for.
  static func decodePolymorphic(from decoder: any Decoder) throws -> Self

  /// Decodes the value that `decoder` stands at, which is an element of an array.
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
