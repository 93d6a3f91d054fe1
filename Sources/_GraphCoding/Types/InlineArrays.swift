import _GraphFiles
import _GraphSupport

#if compiler(>=6.2)
  // The bytes are those of an array, which has a count: so a property may change from one to the other.

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
  extension InlineArray: GEncodable where Element: GEncodable {
    public static var _graphPlainKind: GraphKind { [Element]._graphPlainKind }

    public static func _graphKind(_ encoder: GEncoder) -> GraphKind { [Element]._graphKind(encoder) }

    public func _graphWrite(_ encoder: GEncoder) throws { try array._graphWrite(encoder) }

    public func _graphWritePlain(_ encoder: GEncoder) throws { try array._graphWritePlain(encoder) }

    public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(array) }

    private var array: [Element] { indices.map { self[$0] } }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
  extension InlineArray: GDecodable where Element: GDecodable {
    public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
      try Self([Element]._graphRead(decoder, kind), decoder)
    }

    public init(from decoder: GDecoder) throws { try self.init([Element](from: decoder), decoder) }

    private init(_ array: [Element], _ decoder: GDecoder) throws {
      guard array.count == count else {
        throw decoder.typeMismatch(
          Self.self, "the archive has \(array.count) elements, and the array has room for \(count)")
      }
      self.init { array[$0] }
    }
  }
#endif
