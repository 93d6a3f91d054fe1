/// A class whose instances are decoded as the class that their discriminator stands for.
///
/// Base classes adopt it, and what inherits from them is decoded by `decodePolymorphic` as what it was when
/// it was encoded. Most base classes get everything from ``PolymorphicBaseClass``. One that cannot inherit
/// from it names its discriminator and its coding key, writes the one under the other with
/// ``encodeDiscriminator(to:)`` and is `Codable` otherwise:
///
///     class Shape: PolyCodable {
///       typealias DiscriminatorKey = TypeDiscriminatorCodingKey
///       var classType: ShapeType { .shape }
///
///       func encode(to encoder: any Encoder) throws {
///         try encodeDiscriminator(to: encoder)
///       }
///       …
///     }
///
/// Its subclasses call `super.init(from: decoder)` and `super.encode(to: encoder)` with the coder that they
/// have been given, not with `superDecoder()` and `superEncoder()`: the discriminator stands beside the
/// properties of all classes of the hierarchy.
public protocol PolyCodable: PolymorphicValue {
  /// The possible discriminators.
  associatedtype ClassType: PolymorphicDiscriminator

  /// The key under which the discriminator is stored.
  associatedtype DiscriminatorKey: PolyCompatibleCodingKey = DefaultDiscriminatorCodingKey

  /// The discriminator that stands for the class of this instance.
  var classType: ClassType { get }
}

extension PolyCodable {
  /// Writes the discriminator of this instance beside what is encoded otherwise.
  ///
  /// - Throws: `EncodingError.invalidValue` where the table of discriminators (``PolymorphicClassTable``)
  ///   says that this discriminator stands for another class.
  public func encodeDiscriminator(to encoder: any Encoder) throws {
    try encodeDiscriminator(named: classType.rawValue, to: encoder)
  }

  /// Writes the discriminator under a name that may be another than that of the case.
  func encodeDiscriminator(named name: String, to encoder: any Encoder) throws {
    if let listed = otherListedClass {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "The discriminator '\(name)' stands for \(listed), not for \(type(of: self))."))
    }
    var container = encoder.container(keyedBy: DiscriminatorKey.self)
    try container.encode(name, forKey: .discriminatorKey)
  }

  /// The class that the discriminator stands for by its table, if that is another than this instance's.
  var otherListedClass: (any PolyCodable.Type)? {
    guard let listed = (classType as? any PolymorphicClassTable)?.polymorphicClass, listed != type(of: self)
    else { return nil }
    return listed
  }

  /// The stored discriminator of the value that `decoder` stands at, and its text.
  ///
  /// - Throws: `DecodingError`: what is stored there has no discriminator, or one that is not known while there is
  ///   no ``PolymorphicDiscriminator/fallbackDiscriminator`` or that stands for a class that is not asked for.
  static func decodeDiscriminator(from decoder: any Decoder) throws -> (type: ClassType, name: String) {
    let container = try decoder.container(keyedBy: DiscriminatorKey.self)
    let name = try container.decode(String.self, forKey: .discriminatorKey)
    guard let type = ClassType(rawValue: name) ?? fallbackDiscriminator else {
      throw DecodingError.dataCorruptedError(
        forKey: .discriminatorKey, in: container,
        debugDescription: "'\(name)' is no discriminator of \(ClassType.self)\(ClassType.listOfCases).")
    }
    return (type, name)
  }

  /// The discriminator for unknown ones, unless its class is known and none that can stand for this one.
  private static var fallbackDiscriminator: ClassType? {
    let fallback = ClassType.fallbackDiscriminator
    guard let listed = (fallback as? any PolymorphicClassTable)?.polymorphicClass else { return fallback }
    return listed is Self.Type ? fallback : nil
  }

  // Documented in PolymorphicValue.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func decodePolymorphic(from decoder: any Decoder) throws -> Self {
    let container = KeyedDecodingContainer(WholeValueContainer(decoder: decoder))
    return try decodeDiscriminator(from: decoder).type.decode(from: container, forKey: .whole)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func decodePolymorphicElement(from decoder: any Decoder) throws -> Self {
    var container: any UnkeyedDecodingContainer = WholeValueSequence(decoder: decoder)
    return try decodeDiscriminator(from: decoder).type.decodeNext(from: &container)
  }
}
