/// How the instances of a class hierarchy store which class they are.
///
/// A scheme says by which name a discriminator is stored, and where that name stands in what an instance encodes. Each
/// requirement has a default: the raw value of the discriminator, under ``DiscriminatorKey``, beside the properties of
/// the instance. A scheme replaces what is different:
///
///     enum ZooScheme: PolymorphicCodingScheme {
///       typealias ClassType = AnimalType
///
///       static func name(of discriminator: AnimalType) -> String { "zoo." + discriminator.rawValue }
///
///       static func discriminator(named name: String) -> AnimalType? {
///         name.hasPrefix("zoo.") ? AnimalType(rawValue: String(name.dropFirst(4))) : nil
///       }
///     }
///
///     typealias Animal = PolymorphicClass<ZooScheme>
///
/// A base class that does not inherit from ``PolymorphicClass`` names its scheme as ``PolyCodable/CodingScheme``.
public protocol PolymorphicCodingScheme {
  /// The possible discriminators.
  associatedtype ClassType: PolymorphicDiscriminator

  /// The key under which names are stored; errors about a name end in it.
  associatedtype DiscriminatorKey: PolyCompatibleCodingKey = DefaultDiscriminatorCodingKey

  /// Returns the name under which a discriminator is stored, by default its raw value.
  static func name(of discriminator: ClassType) -> String

  /// Returns the discriminator with a name, or nil for an unknown name.
  ///
  /// Several names may lead to one discriminator, which is then stored under its own name.
  static func discriminator(named name: String) -> ClassType?

  /// Writes a name to the encoder that an instance encodes its properties to.
  ///
  /// By default the name stands in the keyed container, under ``DiscriminatorKey``.
  static func encodeName(_ name: String, to encoder: any Encoder) throws

  /// Reads the name from the decoder that an instance is to be decoded from.
  ///
  /// It is called before the class is known, and once more while the instance is being decoded.
  ///
  /// - Throws: `DecodingError` if there is no name.
  static func decodeName(from decoder: any Decoder) throws -> String
}

// Documented in the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PolymorphicCodingScheme {
  public static func name(of discriminator: ClassType) -> String { discriminator.rawValue }

  public static func discriminator(named name: String) -> ClassType? { ClassType(rawValue: name) }

  public static func encodeName(_ name: String, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DiscriminatorKey.self)
    try container.encode(name, forKey: .discriminatorKey)
  }

  public static func decodeName(from decoder: any Decoder) throws -> String {
    try decoder.container(keyedBy: DiscriminatorKey.self).decode(String.self, forKey: .discriminatorKey)
  }
}

/// The scheme that stores the raw value of a discriminator under a key, beside the properties of the instance.
///
/// - Parameters:
///   - DiscriminatorKey: the key under which the discriminator is stored.
///   - ClassType: the possible discriminators.
public enum StandardPolymorphicCodingScheme<
  DiscriminatorKey: PolyCompatibleCodingKey, ClassType: PolymorphicDiscriminator
>: PolymorphicCodingScheme {}
