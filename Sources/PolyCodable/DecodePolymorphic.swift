import Foundation

// The same methods for each kind of container and for the decoders of Foundation. They decode an instance of a
// polymorphic class, or an optional, an array or a dictionary of such values.

extension KeyedDecodingContainer {
  /// Decodes the value for a key; each instance is decoded as the class that its discriminator stands for.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type, forKey key: Key) throws -> Value
  {
    try decode(Polymorphic<Value>.self, forKey: key).wrappedValue
  }

  /// Decodes the value for a key, or returns nil if the key is missing or its value is null.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public func decodePolymorphicIfPresent<Value: PolymorphicValue>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try decodeIfPresent(Polymorphic<Value>.self, forKey: key)?.wrappedValue
  }
}

extension UnkeyedDecodingContainer {
  /// Decodes the next value; each instance is decoded as the class that its discriminator stands for.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public mutating func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type) throws -> Value {
    try decode(Polymorphic<Value>.self).wrappedValue
  }

  /// Decodes the next value, or returns nil if there is none or it is null.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public mutating func decodePolymorphicIfPresent<Value: PolymorphicValue>(_ type: Value.Type) throws
    -> Value?
  {
    try decodeIfPresent(Polymorphic<Value>.self)?.wrappedValue
  }
}

extension SingleValueDecodingContainer {
  /// Decodes the value; each instance is decoded as the class that its discriminator stands for.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type) throws -> Value {
    try decode(Polymorphic<Value>.self).wrappedValue
  }
}

extension JSONDecoder {
  /// Decodes a document whose root is an instance of a polymorphic class.
  ///
  /// The document is parsed twice: to find the discriminator, and by
  /// ``PolymorphicDiscriminator/from(_:jsonDecoder:)``.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public func decodePolymorphic<Class: PolyCodable>(_ type: Class.Type, from data: Data) throws -> Class {
    try decode(DiscriminatorOnly<Class>.self, from: data).type.from(data, jsonDecoder: self)
  }

  /// Decodes a document whose root is an optional, an array or a dictionary of polymorphic values.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type, from data: Data) throws -> Value
  {
    try decode(Polymorphic<Value>.self, from: data).wrappedValue
  }
}

extension PropertyListDecoder {
  /// Decodes a document whose root is a polymorphic value: an instance, or an optional, an array or a dictionary.
  ///
  /// - Throws: `DecodingError`, also if a discriminator is missing or unknown or stands for a class that does not match.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type, from data: Data) throws -> Value
  {
    try decode(Polymorphic<Value>.self, from: data).wrappedValue
  }
}

/// The part of an instance that tells its class.
private struct DiscriminatorOnly<Class: PolyCodable>: Decodable {
  let type: Class.ClassType

  init(from decoder: any Decoder) throws {
    type = try Class.decodeDiscriminator(from: decoder).type
  }
}
