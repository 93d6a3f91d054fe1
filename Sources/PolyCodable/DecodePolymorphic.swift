import Foundation

// The same in each kind of container and in the decoders of Foundation: what is asked for is an instance of a
// polymorphic class, or an optional, an array or a dictionary of such values.

extension KeyedDecodingContainer {
  /// Decodes the value below a key, instances as the class that their discriminator says.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type, forKey key: Key) throws -> Value
  {
    try decode(Polymorphic<Value>.self, forKey: key).wrappedValue
  }

  /// Decodes the value below a key, or nil where the key is missing or its value is null.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public func decodePolymorphicIfPresent<Value: PolymorphicValue>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try decodeIfPresent(Polymorphic<Value>.self, forKey: key)?.wrappedValue
  }
}

extension UnkeyedDecodingContainer {
  /// Decodes the next value, instances as the class that their discriminator says.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public mutating func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type) throws -> Value {
    try decode(Polymorphic<Value>.self).wrappedValue
  }

  /// Decodes the next value, or nil where there is none or it is null.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public mutating func decodePolymorphicIfPresent<Value: PolymorphicValue>(_ type: Value.Type) throws
    -> Value?
  {
    try decodeIfPresent(Polymorphic<Value>.self)?.wrappedValue
  }
}

extension SingleValueDecodingContainer {
  /// Decodes the value, instances as the class that their discriminator says.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type) throws -> Value {
    try decode(Polymorphic<Value>.self).wrappedValue
  }
}

extension JSONDecoder {
  /// Decodes a document whose root is an instance of a polymorphic class.
  ///
  /// The document is read twice: for the discriminator, and by ``PolymorphicDiscriminator/from(_:jsonDecoder:)``.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public func decodePolymorphic<Class: PolyCodable>(_ type: Class.Type, from data: Data) throws -> Class {
    try decode(StoredDiscriminator<Class>.self, from: data).type.from(data, jsonDecoder: self)
  }

  /// Decodes a document whose root is an optional, an array or a dictionary of polymorphic values.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type, from data: Data) throws -> Value
  {
    try decode(Polymorphic<Value>.self, from: data).wrappedValue
  }
}

extension PropertyListDecoder {
  /// Decodes a document whose root is a polymorphic value.
  ///
  /// - Throws: `DecodingError`, also for discriminators that are missing or unknown.
  public func decodePolymorphic<Value: PolymorphicValue>(_ type: Value.Type, from data: Data) throws -> Value
  {
    try decode(Polymorphic<Value>.self, from: data).wrappedValue
  }
}

/// What is read of an instance to know its class.
private struct StoredDiscriminator<Class: PolyCodable>: Decodable {
  let type: Class.ClassType

  init(from decoder: any Decoder) throws {
    type = try Class.decodeDiscriminator(from: decoder).type
  }
}
