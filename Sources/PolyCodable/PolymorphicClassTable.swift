import Foundation

/// A discriminator enum that maps each case to a class.
///
/// The compiler makes sure that no case is missing:
///
///     enum ShapeType: String, PolymorphicClassTable {
///       case circle
///       case square
///
///       var polymorphicClass: any PolyCodable.Type {
///         switch self {
///         case .circle: Circle.self
///         case .square: Square.self
///         }
///       }
///     }
public protocol PolymorphicClassTable: PolymorphicDiscriminator, CaseIterable {
  /// The class whose instances have this discriminator.
  var polymorphicClass: any PolyCodable.Type { get }
}

// Documented in PolymorphicDiscriminator.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PolymorphicClassTable {
  public func from<PC: PolyCodable>(_ data: Data, jsonDecoder decoder: JSONDecoder) throws -> PC {
    try listed(as: PC.self, at: []) { try decoder.decode($0, from: data) }
  }

  public func decode<PC: PolyCodable, Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> PC {
    try listed(as: PC.self, at: container.codingPath + [key]) { try container.decode($0, forKey: key) }
  }

  public func decodeNext<PC: PolyCodable>(from container: inout any UnkeyedDecodingContainer) throws -> PC {
    try listed(as: PC.self, at: container.codingPath) { try container.decode($0) }
  }

  /// Decodes an instance of the listed class, which must be `PC` or a subclass of it.
  private func listed<PC: PolyCodable>(
    as _: PC.Type, at path: @autoclosure () -> [any CodingKey],
    decode: (any PolyCodable.Type) throws -> any PolyCodable
  ) throws -> PC {
    guard polymorphicClass is PC.Type, let value = try decode(polymorphicClass) as? PC else {
      throw DecodingError.typeMismatch(
        PC.self,
        .init(
          codingPath: path(),
          debugDescription: "The discriminator '\(rawValue)' stands for \(polymorphicClass), "
            + "which is not a \(PC.self)."))
    }
    return value
  }
}
