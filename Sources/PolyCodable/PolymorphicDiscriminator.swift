import Foundation

/// A type, usually an enum, whose values stand for the classes of a hierarchy.
///
/// The raw value is stored. The three methods decode an instance of the class that a discriminator stands for, each from a
/// different source. A ``PolymorphicClassTable`` has default implementations of them.
public protocol PolymorphicDiscriminator: Codable, RawRepresentable where RawValue == String {
  /// Decodes an instance of this discriminator's class that is the root of a document.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - decoder: The decoder to use.
  /// - Throws: `DecodingError`, also if the class is not a `PC`.
  func from<PC: PolyCodable>(_ data: Data, jsonDecoder decoder: JSONDecoder) throws -> PC

  /// Decodes an instance of this discriminator's class for a key.
  ///
  /// - Parameters:
  ///   - container: The container of the instance.
  ///   - key: The key of the instance.
  /// - Throws: `DecodingError`, also if the class is not a `PC`.
  func decode<PC: PolyCodable, Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> PC

  /// Decodes an instance of this discriminator's class from the next element of a container.
  ///
  /// - Parameter container: The container, which the method moves past the instance.
  /// - Throws: `DecodingError`, also if the class is not a `PC`.
  func decodeNext<PC: PolyCodable>(from container: inout any UnkeyedDecodingContainer) throws -> PC

  /// The discriminator to use in place of unknown ones, or nil if they are an error, which is the default.
  ///
  /// ``PolymorphicClass`` keeps the unknown name, and encodes it again.
  static var fallbackDiscriminator: Self? { get }
}

extension PolymorphicDiscriminator {
  // Documented in the protocol.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static var fallbackDiscriminator: Self? { nil }
}
