/// A class whose instances are decoded as the class that their discriminator stands for.
///
/// The base class of a hierarchy conforms to it. Instances of its subclasses are then decoded by `decodePolymorphic` as
/// the class they were encoded from. Most base classes inherit everything from ``PolymorphicClass``. A base class that
/// cannot do so declares its discriminators and its coding key, and calls ``encodeDiscriminator(to:)``:
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
/// Subclasses pass their own coder to `super.init(from: decoder)` and `super.encode(to: encoder)`, not a
/// `superDecoder()` or `superEncoder()`: all classes of the hierarchy share a container with the discriminator.
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
  /// Encodes the discriminator of this instance, by its coding scheme.
  ///
  /// - Parameter encoder: The encoder that the instance encodes its properties to.
  /// - Throws: `EncodingError.invalidValue` if the discriminator stands for another class by its
  ///   ``PolymorphicClassTable``, or if the class adds stored properties and does not override `encode(to:)`; any error
  ///   that `encoder` throws.
  public func encodeDiscriminator(to encoder: any Encoder) throws {
    try encodeDiscriminator(named: CodingScheme.name(of: classType), to: encoder)
  }

  /// Encodes the discriminator by a name, which may differ from that of `classType`.
  func encodeDiscriminator(named name: String, to encoder: any Encoder) throws {
    if let listed = otherListedClass {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "The discriminator '\(name)' stands for \(listed), not for \(type(of: self))."))
    }
    if let type = type(of: self) as? AnyClass, let loss = KnownCodings.shared.loss(of: type) {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: loss.description + "."))
    }
    try CodingScheme.encodeName(name, to: encoder)
  }

  /// The class that the discriminator stands for by its table, if it is not the class of this instance.
  var otherListedClass: (any PolyCodable.Type)? {
    guard let listed = (classType as? any PolymorphicClassTable)?.polymorphicClass, listed != type(of: self)
    else { return nil }
    return listed
  }

  /// Decodes the discriminator of an instance, and the name to encode it by again.
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

  /// What an error says about the known names, which can be listed if the discriminators can.
  private static var listOfNames: String {
    guard let type = ClassType.self as? any CaseIterable.Type else { return "" }
    let names = names(of: type).map { "'\($0)'" }
    return names.isEmpty ? ", which has none" : "; expected one of \(names.joined(separator: ", "))"
  }

  private static func names<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
    type.allCases.compactMap { ($0 as? ClassType).map(CodingScheme.name) }
  }

  /// The discriminator for unknown ones, unless its class is known and is not a `Self`.
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
