/// A base class whose instances store which class they are.
///
/// A hierarchy usually declares an alias for it, and its classes inherit from that:
///
///     typealias Animal = DefaultKeyedPolymorphicClass<AnimalType>
///
///     final class Dog: Animal {
///       init() { super.init(.dog) }
///       required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
///     }
///
/// ``DefaultKeyedPolymorphicClass`` and ``PolymorphicBaseClass`` are this class with the standard scheme.
///
/// - Parameter CodingScheme: how instances store which class they are.
open class PolymorphicClass<CodingScheme: PolymorphicCodingScheme>: PolyCodable {
  /// The possible discriminators.
  public typealias ClassType = CodingScheme.ClassType

  /// The key under which the discriminator is stored.
  public typealias DiscriminatorKey = CodingScheme.DiscriminatorKey

  /// The discriminator that stands for the class of this instance.
  public let classType: ClassType

  /// The name to encode: the one that was decoded if `classType` is the fallback for it.
  private let storedName: String

  /// Creates an instance of the class that `classType` stands for.
  public init(_ classType: ClassType) {
    self.classType = classType
    storedName = CodingScheme.name(of: classType)
  }

  /// Decodes the discriminator.
  ///
  /// A subclass passes its own decoder, and may decode its properties before or after that.
  ///
  /// - Throws: `DecodingError` if there is no discriminator or an unknown one, or if it stands for another class by its
  ///   ``PolymorphicClassTable``.
  public required init(from decoder: any Decoder) throws {
    (classType, storedName) = try Self.decodeDiscriminator(from: decoder)
    if let listed = otherListedClass {
      throw DecodingError.typeMismatch(
        Self.self,
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "The discriminator '\(storedName)' stands for \(listed), not for \(Self.self): "
            + "instances of more than one class are decoded by decodePolymorphic."))
    }
  }

  /// Encodes the discriminator.
  ///
  /// A subclass passes its own encoder.
  ///
  /// - Throws: `EncodingError.invalidValue` if the discriminator stands for another class by its
  ///   ``PolymorphicClassTable``.
  open func encode(to encoder: any Encoder) throws {
    try encodeDiscriminator(named: storedName, to: encoder)
  }
}

/// A base class that stores the discriminator of its instances under a key.
///
/// - Parameters:
///   - DiscriminatorKey: the key under which the discriminator is stored.
///   - ClassType: the possible discriminators.
public typealias PolymorphicBaseClass<
  DiscriminatorKey: PolyCompatibleCodingKey, ClassType: PolymorphicDiscriminator
> = PolymorphicClass<StandardPolymorphicCodingScheme<DiscriminatorKey, ClassType>>

/// A base class that stores the discriminator of its instances under the key `typeDescriminator`.
///
/// For the spelling see ``DefaultDiscriminatorCodingKey``.
public typealias DefaultKeyedPolymorphicClass<ClassType: PolymorphicDiscriminator> =
  PolymorphicBaseClass<DefaultDiscriminatorCodingKey, ClassType>
