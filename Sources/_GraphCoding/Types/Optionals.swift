import _GraphFiles
import _GraphSupport

// An optional is a kind byte, then the value: nil, a left-out field and a conditional reference to an absent
// object are kinds as well. So a nil field needs no separate shape.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: GEncodable where Wrapped: GEncodable {
  @inlinable public static var _graphPlainKind: GraphKind { .tagged }

  @inlinable public static func _graphKind(_ encoder: GEncoder) -> GraphKind { .tagged }

  @inlinable
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    switch self {
    case nil: encoder.state.pointee.out.putByte(GraphKind.null.rawValue)
    case .some(let value):
      encoder.state.pointee.out.putByte(encoder.nestedKind(Wrapped.self).rawValue)
      try encoder.writeNested(value)
    }
  }

  @inlinable public func _graphWrite(_ encoder: GEncoder) throws { try _graphWritePlain(encoder) }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: GDecodable where Wrapped: GDecodable {
  @inlinable
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Wrapped? {
    var kind = kind
    if kind == .tagged { kind = try decoder.readKind() }
    switch kind {
    case .null, .absent: return nil
    case .conditional where !decoder.conditionalIsStored(): return nil
    default: return try Wrapped._graphRead(decoder, kind)
    }
  }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }
}

extension GDecoder {
  /// Whether the object whose number is at the cursor is in the archive; moves past the number if not.
  @usableFromInline
  func conditionalIsStored() -> Bool {
    let cursor = state.pointee.stream.input.cursor
    guard let number = try? state.pointee.stream.readObjectNumber(),
      state.pointee.objects[Int(number)].offset == ObjectSlot.notStored
        || (state.pointee.isPartial && !isReached(number))
    else {
      state.pointee.stream.input.cursor = cursor
      return true
    }
    return false
  }
}
