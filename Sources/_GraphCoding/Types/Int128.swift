import _GraphFiles

// 128-bit integers are stored as 16 bytes.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.int128) }
  public static var _graphZero: Int128 { 0 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.uint128) }
  public static var _graphZero: UInt128 { 0 }
}
