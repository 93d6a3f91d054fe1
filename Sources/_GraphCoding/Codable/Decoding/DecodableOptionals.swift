import _GraphFiles
import _GraphSupport

extension Optional: DecodableContainer where Wrapped: Decodable {
  static func decodableType(_ reader: CodableReader) -> AnyDecodableType {
    DecodableOptional<Wrapped>(reader)
  }
}

private final class DecodableOptional<Wrapped: Decodable>: DecodableType<Wrapped?> {
  override func read(_ kind: GraphKind) throws -> Wrapped? {
    var kind = kind
    if kind == .tagged { kind = try reader.decoder.readKind() }
    switch kind {
    case .null, .absent: return nil
    case .conditional where !reader.decoder.conditionalIsStored(): return nil
    case .record where reader.skipNilRecord(): return nil
    default: return try reader.type(Wrapped.self).read(kind)
    }
  }
}
