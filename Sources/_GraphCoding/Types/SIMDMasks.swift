import _GraphFiles
import _GraphSupport

// A mask is stored as one bool per lane, whatever its vectors; lanes in memory are as wide as theirs. A mask
// of three lanes differs in memory from its bytes, so containers of masks are data units.

extension SIMDMask {
  fileprivate static var format: PackedFormat { PackedFormat(.bool, lanes: Storage.scalarCount) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMDMask: GEncodable, _GraphLeafEncodable, _GraphPackable {
  public static var _graphPacked: PackedFormat { .unit }
  public static var _graphPlainKind: GraphKind { .fixed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve(byteCount: scalarCount + 9)
    encoder.putFormat(Self.format)
    for lane in 0..<scalarCount { encoder.state.pointee.out.putByte(self[lane] ? 1 : 0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMDMask: GDecodable, _GraphLeafDecodable {
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    guard kind == .fixed else { return try decoder.readOther(Self.self, kind) }
    var mask = Self()
    let bytes = try unsafe decoder.readFixed(Self.self, format)  // One for each lane, by the format.
    for lane in 0..<mask.scalarCount {
      let byte = unsafe bytes[lane]
      guard byte <= 1 else { throw decoder.malformed("a Bool is neither 0 nor 1") }
      mask[lane] = byte == 1
    }
    return mask
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMDMask: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    for lane in 0..<scalarCount { self[lane].write(to: &wbuffer) }
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init()
    for lane in 0..<scalarCount { self[lane] = try Bool(from: &rbuffer) }
  }
}
