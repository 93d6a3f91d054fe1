/// A scheme by which the instances of a class hierarchy store their class.
///
/// It defines the name of each discriminator, and where an instance stores that name. By default the name is the raw
/// value of the discriminator, and is stored under ``DiscriminatorKey`` beside the properties of the instance. A scheme
/// implements only what differs:
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
/// A base class that does not inherit from ``PolymorphicClass`` declares its scheme as ``PolyCodable/CodingScheme``.
public protocol PolymorphicCodingScheme {
  /// The possible discriminators.
  associatedtype ClassType: PolymorphicDiscriminator

  /// The key that names are stored under, and that ends the path of an error about an unknown name.
  associatedtype DiscriminatorKey: PolyCompatibleCodingKey = DefaultDiscriminatorCodingKey

  /// Returns the name that a discriminator is stored by, which defaults to its raw value.
  static func name(of discriminator: ClassType) -> String

  /// Returns the discriminator with the given name, or nil if the name is unknown.
  ///
  /// A discriminator may be found by several names. It is always stored by the one that `name(of:)` returns.
  static func discriminator(named name: String) -> ClassType?

  /// Encodes a name.
  ///
  /// - Parameters:
  ///   - name: The name of a discriminator.
  ///   - encoder: The encoder that the instance encodes its properties to.
  /// - Throws: Any error that `encoder` throws.
  static func encodeName(_ name: String, to encoder: any Encoder) throws

  /// Decodes a name.
  ///
  /// It is called twice for each instance: to find the class, and during the `init(from:)` of ``PolymorphicClass``.
  ///
  /// - Parameter decoder: The decoder that the instance decodes its properties from.
  /// - Returns: The name of a discriminator, which need not be known.
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

/// The default scheme, which stores the raw value of a discriminator under a key beside the properties of the instance.
///
/// - Parameters:
///   - DiscriminatorKey: the key under which the discriminator is stored.
///   - ClassType: the possible discriminators.
public enum StandardPolymorphicCodingScheme<
  DiscriminatorKey: PolyCompatibleCodingKey, ClassType: PolymorphicDiscriminator
>: PolymorphicCodingScheme {}
