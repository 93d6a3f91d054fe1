/// A base class that stores the discriminator of its instances.
///
/// Usually it is given a name, and the classes of a hierarchy inherit from that:
///
///     typealias Animal = DefaultKeyedPolymorphicClass<AnimalType>
///
///     final class Dog: Animal {
///       init() { super.init(.dog) }
///       required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
///     }
///
/// - Parameters:
///   - DiscriminatorKey: the key under which the discriminator is stored.
///   - ClassType: the possible discriminators.
open class PolymorphicBaseClass<
  DiscriminatorKey: PolyCompatibleCodingKey, ClassType: PolymorphicDiscriminator
>: PolyCodable {
  /// The discriminator that stands for the class of this instance.
  public let classType: ClassType

  /// What is stored: another text than that of `classType` where that is the fallback for an unknown one.
  private let storedName: String

  /// Makes an instance of the class that `classType` stands for.
  public init(_ classType: ClassType) {
    self.classType = classType
    storedName = classType.rawValue
  }

  /// Decodes the discriminator.
  ///
  /// A subclass passes on the decoder that it has been given, and may use it before or after that.
  ///
  /// - Throws: `DecodingError` where there is no discriminator or an unknown one, or where the table of
  ///   discriminators (``PolymorphicClassTable``) says that it stands for another class than the one that is
  ///   being decoded.
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
  /// A subclass passes on the encoder that it has been given.
  ///
  /// - Throws: `EncodingError.invalidValue` where the table of discriminators (``PolymorphicClassTable``)
  ///   says that this one stands for another class than that of the instance.
  open func encode(to encoder: any Encoder) throws {
    try encodeDiscriminator(named: storedName, to: encoder)
  }
}

/// A base class that stores the discriminator of its instances under the key `typeDescriminator`.
///
/// That spelling is the one of the files that exist; see ``DefaultDiscriminatorCodingKey``.
public typealias DefaultKeyedPolymorphicClass<ClassType: PolymorphicDiscriminator> =
  PolymorphicBaseClass<DefaultDiscriminatorCodingKey, ClassType>
