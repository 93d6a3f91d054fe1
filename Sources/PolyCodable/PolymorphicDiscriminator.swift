import Foundation

/// An enum of the discriminators of a class hierarchy, which knows how to decode the class of each.
///
/// Its raw value is what is stored. The three methods decode an instance of the class that a discriminator
/// stands for from three kinds of places. There is nothing to write for them in an enum that adopts
/// ``PolymorphicClassTable`` and so says which classes these are.
public protocol PolymorphicDiscriminator: Codable, RawRepresentable where RawValue == String {
  /// Decodes an instance of this discriminator's class from a document that holds nothing else.
  func from<PC: PolyCodable>(_ data: Data, jsonDecoder decoder: JSONDecoder) throws -> PC

  /// Decodes an instance of this discriminator's class from below a key.
  func decode<PC: PolyCodable, Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> PC

  /// Decodes an instance of this discriminator's class from the next element of a sequence.
  func decodeNext<PC: PolyCodable>(from container: inout any UnkeyedDecodingContainer) throws -> PC

  /// The discriminator whose class stands in for unknown ones, `nil` by default.
  ///
  /// With it, a discriminator that has no case is no error. ``PolymorphicBaseClass`` keeps the text, so that
  /// it is written again when the instance is encoded.
  static var fallbackDiscriminator: Self? { get }
}

extension PolymorphicDiscriminator {
  // Documented in the protocol.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static var fallbackDiscriminator: Self? { nil }
}
