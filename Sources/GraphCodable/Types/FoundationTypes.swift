// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CGraphArchive
import Foundation

extension Data: _GraphContainerEncodable, GDecodable {
  /// `Data` is a packed array of bytes, as `[UInt8]` is: each decodes as the other.
  @inlinable public static var _graphPlainKind: GraphKind { .packed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    // Large ones are not held inside the value, so their bytes stay where they are as long as the copy
    // that becomes the owner shares them.
    try withUnsafeBytes {
      try encoder.writePacked($0, count: count, format: UInt8._graphPacked, owner: self)
    }
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Data {
    guard kind == .packed else { return try decoder.readOther(Data.self, kind) }
    let packed = try decoder.readPackedHead()
    guard packed.format == UInt8._graphPacked else {
      throw decoder.typeMismatch(Data.self, "the archive has a packed array of \(packed.format)")
    }
    var data = Data(count: packed.count)
    try data.withUnsafeMutableBytes { try decoder.fill($0, packed) }
    return data
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encode(self) }

  public init(from decoder: GDecoder) throws { self = try decoder.decode() }
}

extension UUID: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.uuid) }
  public static var _graphZero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Date: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  /// A date is its seconds since the reference date, bit for bit.
  @inlinable public static var _graphPlainKind: GraphKind { .fixed }
  public static var _graphPacked: PackedFormat { .init(.date) }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.reserve()
    gca_put_u8(&encoder.state.pointee.out, Self._graphPacked.rawValue)
    gca_put_u64(&encoder.state.pointee.out, timeIntervalSinceReferenceDate.bitPattern)
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Date {
    guard kind == .fixed else { return try decoder.readOther(Date.self, kind) }
    let format = PackedFormat(rawValue: try decoder.readByte())
    guard format == _graphPacked else {
      throw decoder.typeMismatch(Date.self, "the archive has a value of format \(format)")
    }
    return Date(timeIntervalSinceReferenceDate: try Double._graphRead(decoder, .float64))
  }
}

extension URL: GCodable {
  private enum Key: String { case relative, base }

  /// Encodes the URL's own text and its base, if it has one.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(relativeString, for: Key.relative)
    try encoder.encodeIfPresent(baseURL?.absoluteString, for: Key.base)
  }

  public init(from decoder: GDecoder) throws {
    let relative: String = try decoder.decode(for: Key.relative)
    let base: String? = try decoder.decodeIfPresent(for: Key.base)
    let baseURL = try base.map { base in
      guard let url = URL(string: base) else {
        throw decoder.invalidValue(URL.self, "\"\(base)\" is not the text of a URL")
      }
      return url
    }
    guard let url = URL(string: relative, relativeTo: baseURL) else {
      throw decoder.invalidValue(URL.self, "\"\(relative)\" is not the text of a URL")
    }
    self = url
  }
}

extension CGFloat: _GraphLeafEncodable, _GraphLeafDecodable {
  /// Stored as a `Double` on every platform.
  @inlinable public static var _graphPlainKind: GraphKind { .float64 }

  public func _graphWritePlain(_ encoder: GEncoder) throws { try Double(self)._graphWritePlain(encoder) }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> CGFloat {
    CGFloat(try Double._graphRead(decoder, kind))
  }
}
