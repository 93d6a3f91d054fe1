// A leaf's `encode(to:)` and `init(from:)` are the protocol's, for users who call them by hand: they
// encode and decode the value itself, without a key. The coders never call them.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphLeafEncodable {
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode(to encoder: GEncoder) throws { try encoder.encode(self) }
}

/// A type whose values are read as one of their own kinds, never field by field.
///
/// Not for use outside the package.
public protocol _GraphLeafDecodable: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphLeafDecodable {
  @_semantics("optimize.sil.specialize.generic.never")
  public init(from decoder: GDecoder) throws { self = try decoder.decode() }
}
