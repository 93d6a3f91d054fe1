import _GraphFiles
import _GraphSupport

/// A type that can encode itself into a graph archive.
///
/// Structs, enums and classes implement `encode(to:)` alone:
///
///     struct Particle: GEncodable {
///       var mass: Double
///       private enum Key: String { case mass }
///       func encode(to encoder: GEncoder) throws {
///         try encoder.encode(mass, for: Key.mass)
///       }
///     }
public protocol GEncodable {
  /// Encodes the value's parts, each with a key or, in order, without one.
  ///
  /// - Throws: what the encoder throws, or an error of your own, which stops the whole encode and reaches its caller.
  func encode(to encoder: GEncoder) throws

  /// The version of a class, stored once per class and seen by `GDecoder.encodedTypeVersion`. Default 0.
  static var typeVersion: UInt32 { get }

  /// How elements of this type lie in a packed array; `.none` where they do not. Not for use outside the package.
  static var _graphEncodedFormat: PackedFormat { get }

  /// How arrays of this type are packed with those inside them; see `_GraphRowFormat`. Not for use outside the package.
  ///
  /// - Parameter encoder: nil for what the types alone say.
  static func _graphRowFormat(_ encoder: GEncoder?) -> _GraphRowFormat

  /// Adds the elements of an array, and of those inside it, to a nested packed array. Not for use outside the package.
  func _graphAddRows(to rows: _GraphRows)

  /// The kind of the array that holds the elements of an array of this type, which is an optional; `.null` where they are not packed.
  /// Not for use outside the package.
  ///
  /// - Parameter encoder: nil for what the types alone say.
  static func _graphArrayKind(_ encoder: GEncoder?) -> GraphKind

  /// Writes optionals of this type as packed ones. Not for use outside the package.
  ///
  /// - Returns: false where they cannot be, and nothing is written.
  static func _graphWriteOptionals<List: Collection>(_ list: List, _ encoder: GEncoder) throws -> Bool
  where List.Element == Self

  /// Whether the elements of this type, which is an array, are packed in the way of `_graphPlainKind`. Not for use outside the package.
  static func _graphIsPacked(_ encoder: GEncoder) -> Bool

  /// The kind of values of this type where they have no identity. Not for use outside the package.
  static var _graphPlainKind: GraphKind { get }

  /// Writes the value as `_graphPlainKind`. Not for use outside the package.
  func _graphWritePlain(_ encoder: GEncoder) throws

  /// The kind of a field with this static type. Not for use outside the package.
  static func _graphKind(_ encoder: GEncoder) -> GraphKind

  /// Writes the value's bytes, as `_graphKind` has announced. Not for use outside the package.
  func _graphWrite(_ encoder: GEncoder) throws

  /// Whether the type is a struct whose coding the macro leaves to the library. Not for use outside the package.
  static var _graphIsFieldwise: Bool { get }

  /// Adds the stored properties of such a struct to a list, in the order in which they are encoded. Not for use outside
  /// the package.
  static func _graphAddFields(to list: inout _GraphFieldList) throws
}

/// A type that can be encoded into a graph archive, and decoded from one.
public typealias GCodable = GEncodable & GDecodable

/// A type whose values lie side by side in a packed array.
///
/// Not for use outside the package.
public protocol _GraphPackable {
  /// How they lie.
  static var _graphPacked: PackedFormat { get }
}

/// The bytes of an archive, in the form that is cheapest to make.
public typealias Bytes = [UInt8]

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GEncodable {
  @inlinable public static var typeVersion: UInt32 { 0 }

  @inlinable public static var _graphEncodedFormat: PackedFormat { .none }

  @inlinable
  public static func _graphRowFormat(_ encoder: GEncoder?) -> _GraphRowFormat { .none }

  @inlinable
  public func _graphAddRows(to rows: _GraphRows) {}

  @inlinable
  public static func _graphArrayKind(_ encoder: GEncoder?) -> GraphKind { .null }

  @inlinable
  public static func _graphWriteOptionals<List: Collection>(_ list: List, _ encoder: GEncoder) throws -> Bool
  where List.Element == Self { false }

  @inlinable
  public static func _graphIsPacked(_ encoder: GEncoder) -> Bool { true }

  @inlinable public static var _graphPlainKind: GraphKind { .record }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRecord(self, encoder.encoderType(Self.self))
  }

  @inlinable public static var _graphIsFieldwise: Bool { false }

  public static func _graphAddFields(to list: inout _GraphFieldList) throws {}

  @inlinable
  public static func _graphKind(_ encoder: GEncoder) -> GraphKind {
    encoder.encoderType(Self.self).pointee.kind
  }

  @inlinable
  public func _graphWrite(_ encoder: GEncoder) throws {
    let type = encoder.encoderType(Self.self)
    if type.pointee.plan == .record {
      try encoder.writeRecord(self, type)
    } else if _canBeClass(Self.self) != 0 && type.pointee.plan == .reference {
      try encoder.writeReference(self)
    } else {
      try encoder.writeDynamic(self, type)
    }
  }
}

/// A type whose values are written without checking what the encoder knows about the type.
///
/// If it has an identity anyway, through an option or a user's extension, the encoder is careful and requests the plain form
/// itself. Not for use outside the package.
public protocol _GraphLeafEncodable: GEncodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphLeafEncodable {
  @inlinable
  @inline(__always)
  public static func _graphKind(_ encoder: GEncoder) -> GraphKind { _graphPlainKind }

  @inlinable
  @inline(__always)
  public func _graphWrite(_ encoder: GEncoder) throws { try _graphWritePlain(encoder) }
}

/// A type with a plain form of its own whose values may have an identity.
///
/// Not for use outside the package.
public protocol _GraphContainerEncodable: GEncodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphContainerEncodable {
  @inlinable
  public func _graphWrite(_ encoder: GEncoder) throws {
    let type = encoder.encoderType(Self.self)
    if type.pointee.plan == .dynamicIdentity {
      try encoder.writeDynamic(self, type)
    } else {
      try _graphWritePlain(encoder)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GEncodable where Self: _GraphPackable {
  @inlinable public static var _graphEncodedFormat: PackedFormat { _graphPacked }
}
