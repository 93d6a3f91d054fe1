import Foundation
import _GraphFiles
import _GraphSupport

extension Data: PackedOwner {
  package func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result {
    try unsafe withUnsafeBytes { try unsafe body(PackedBytes($0)) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: _GraphContainerEncodable, GDecodable {
  /// `Data` is a packed array of bytes that are not numbers; it can be decoded as `[UInt8]`, and `[UInt8]` as `Data`.
  @inlinable public static var _graphPlainKind: GraphKind { .packed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try write(encoder, .byte)
  }

  /// - Parameter format: of one byte.
  func write(_ encoder: GEncoder, _ format: PackedFormat) throws {
    // The copy that becomes the owner shares the bytes of large data, which then cannot change.
    try unsafe withUnsafeBytes {
      try unsafe encoder.writePacked(PackedBytes($0), count: count, format: format, owner: self)
    }
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Data {
    guard kind == .packed else { return try decoder.readOther(Data.self, kind) }
    return try read(Data.self, decoder, [.byte, UInt8._graphPacked])
  }

  /// - Parameter formats: those that the packed array may have, of one byte each.
  static func read(_ type: Any.Type, _ decoder: GDecoder, _ formats: [PackedFormat]) throws -> Data {
    let packed = try decoder.readPackedHead()
    guard formats.contains(packed.format) else {
      throw decoder.typeMismatch(type, "the archive has a packed array of \(packed.format)")
    }
    try MemoryRoom.require(packed.count, stride: 1)
    var data = Data(count: packed.count)
    try unsafe data.withUnsafeMutableBytes { try unsafe decoder.fill($0, packed, stride: 1) }
    return data
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UUID: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.uuid) }
  public static var _graphZero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Date: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  /// A date is its seconds since the reference date, bit for bit.
  @inlinable public static var _graphPlainKind: GraphKind { .fixed }
  public static var _graphPacked: PackedFormat { .init(.date) }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    encoder.putFormat(Self._graphPacked)
    encoder.state.pointee.out.putUInt64(timeIntervalSinceReferenceDate.bitPattern)
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Date {
    guard kind == .fixed else { return try decoder.readOther(Date.self, kind) }
    let format = try decoder.state.pointee.stream.readFormat()
    guard format.plain == _graphPacked else {
      throw decoder.typeMismatch(Date.self, "the archive has a value of format \(format)")
    }
    return Date(timeIntervalSinceReferenceDate: try Double._graphRead(decoder, .float64))
  }
}
