import _GraphFiles
import _GraphSupport

/// A type that can decode itself from a graph archive.
///
///     init(from decoder: GDecoder) throws {
///       mass = try decoder.decode(for: Key.mass)
///     }
public protocol GDecodable {
  /// Makes a value from its encoded parts.
  init(from decoder: GDecoder) throws

  /// The type to decode in place of this one; itself by default. See `GObsolete`.
  static var replacementType: any GDecodable.Type { get }

  /// How elements of this type lie in a packed array; `.none` where they do not. Not for use outside the package.
  static var _graphDecodedFormat: PackedFormat { get }

  /// The number of array levels around an element; 0 if the type is not an array. Not for use outside the package.
  static var _graphRowDepth: Int { get }

  /// Makes an array from a nested packed array. Not for use outside the package.
  static func _graphMakeRow(_ rows: _GraphRowReader, level: Int, index: Int) throws -> Self

  /// Tells which bits of the packed format are not a value of the type; nil if all are. Not for use outside the package.
  static var _graphRefuses: ((Self) -> Bool)? { get }

  /// The type itself if it has a list of fields: see `GEncodable._graphIsFieldwise`. Not for use outside the package.
  static var _graphFieldwise: (any GEncodable.Type)? { get }

  /// Reads a value of `kind` at the decoder's cursor. Not for use outside the package.
  static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GDecodable where Self: _GraphPackable {
  @inlinable public static var _graphDecodedFormat: PackedFormat { _graphPacked }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GDecodable {
  @inlinable public static var replacementType: any GDecodable.Type { Self.self }

  @inlinable public static var _graphDecodedFormat: PackedFormat { .none }

  @inlinable public static var _graphRowDepth: Int { 0 }

  public static func _graphMakeRow(_ rows: _GraphRowReader, level: Int, index: Int) throws -> Self {
    preconditionFailure("only arrays have a row depth")
  }

  @inlinable public static var _graphRefuses: ((Self) -> Bool)? { nil }

  @inlinable public static var _graphFieldwise: (any GEncodable.Type)? { nil }

  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    // 0 if the compiler knows that it is not a class; otherwise `readOther` finds out.
    if kind == .record && _canBeClass(Self.self) == 0 { return try decoder.readRecord(Self.self) }
    if _canBeClass(Self.self) != 0 && (kind == .reference || kind == .conditional) {
      return try decoder.readReference(Self.self)
    }
    return try decoder.readOther(Self.self, kind)
  }
}
