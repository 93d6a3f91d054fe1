// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CGraphArchive

/// A type whose values are a fixed number of scalars: stored as their bytes behind a `PackedFormat`.
///
/// The scalars must stand at the start of the value's memory without gaps; what stands behind them
/// (padding, the fourth lane of a `SIMD3`) is not stored. Not for use outside the package.
public protocol _GraphFixed: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  /// A value whose scalars are overwritten by those of the archive.
  static var _graphZero: Self { get }
}

extension _GraphFixed {
  @inlinable public static var _graphPlainKind: GraphKind { .fixed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    let format = Self._graphPacked
    try encoder.reserve(byteCount: format.byteCount + 1)
    gca_put_u8(&encoder.state.pointee.out, format.rawValue)
    withUnsafeBytes(of: self) { gca_put_bytes(&encoder.state.pointee.out, $0.baseAddress, format.byteCount) }
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    guard kind == .fixed else { return try decoder.readOther(Self.self, kind) }
    let format = PackedFormat(rawValue: try decoder.readByte())
    guard format == _graphPacked else {
      throw decoder.typeMismatch(Self.self, "the archive has a value of format \(format)")
    }
    let bytes = try decoder.readBytes(UInt64(format.byteCount))
    var value = _graphZero
    withUnsafeMutableBytes(of: &value) { $0.copyMemory(from: bytes) }
    return value
  }
}
