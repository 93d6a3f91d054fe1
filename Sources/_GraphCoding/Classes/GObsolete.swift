import _GraphSupport

/// A class that exists only to be replaced by its successor when older archives are decoded.
///
///     final class Old: GObsolete {
///       static var replacementType: any GDecodable.Type { New.replacementType }
///     }
///
/// Its own `init(from:)` and `encode(to:)` are never called; the default ones throw.
public protocol GObsolete: GCodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GObsolete {
  public init(from decoder: GDecoder) throws { throw Self.unreachable }

  public func encode(to encoder: GEncoder) throws { throw Self.unreachable }

  @inline(never)
  private static var unreachable: GCodableError {
    GCodableError(
      .internalInconsistency,
      "an obsolete type is neither made nor encoded; override replacementType to name its successor",
      typeName: _typeName(Self.self, qualified: true))
  }
}
