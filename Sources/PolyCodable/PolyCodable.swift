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

  /// How instances store which class they are.
  associatedtype CodingScheme: PolymorphicCodingScheme =
    StandardPolymorphicCodingScheme<DiscriminatorKey, ClassType>
  where CodingScheme.ClassType == ClassType

  /// The discriminator that stands for the class of this instance.
  var classType: ClassType { get }
}

extension PolyCodable {
  /// Writes the discriminator of this instance beside what is encoded otherwise.
  ///
  /// - Throws: `EncodingError.invalidValue` where the table of discriminators (``PolymorphicClassTable``)
  ///   says that this discriminator stands for another class.
  public func encodeDiscriminator(to encoder: any Encoder) throws {
    try encodeDiscriminator(named: CodingScheme.name(of: classType), to: encoder)
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
    try CodingScheme.encodeName(name, to: encoder)
  }

  /// The class that the discriminator stands for by its table, if that is another than this instance's.
  var otherListedClass: (any PolyCodable.Type)? {
    guard let listed = (classType as? any PolymorphicClassTable)?.polymorphicClass, listed != type(of: self)
    else { return nil }
    return listed
  }

  /// The stored discriminator of the value that `decoder` stands at, and the name to store it under again.
  ///
  /// - Throws: `DecodingError` if there is no discriminator, or an unknown one without a
  ///   ``PolymorphicDiscriminator/fallbackDiscriminator`` whose class is a `Self`.
  static func decodeDiscriminator(from decoder: any Decoder) throws -> (type: ClassType, name: String) {
    let name = try CodingScheme.decodeName(from: decoder)
    if let type = CodingScheme.discriminator(named: name) { return (type, CodingScheme.name(of: type)) }
    if let fallbackDiscriminator { return (fallbackDiscriminator, name) }
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: decoder.codingPath + [CodingScheme.DiscriminatorKey.discriminatorKey],
        debugDescription: "'\(name)' is not a discriminator of \(ClassType.self)\(listOfNames)."))
  }

  /// What an error says about the names that there are, which can be listed if the discriminators can.
  private static var listOfNames: String {
    guard let type = ClassType.self as? any CaseIterable.Type else { return "" }
    let names = names(of: type).map { "'\($0)'" }
    return names.isEmpty ? ", which has none" : "; known are \(names.joined(separator: ", "))"
  }

  private static func names<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
    type.allCases.compactMap { ($0 as? ClassType).map(CodingScheme.name) }
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
