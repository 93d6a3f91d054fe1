import Foundation
import GraphCodable

/// A value whose coding is what a test says.
struct Scripted: Codable {
  private static let encodeKey = CodingUserInfoKey(rawValue: "encode")!
  private static let decodeKey = CodingUserInfoKey(rawValue: "decode")!
  typealias Encode = (any Encoder) throws -> Void
  typealias Decode = (any Decoder) throws -> Void

  init() {}

  init(from decoder: any Decoder) throws {
    guard let decode = decoder.userInfo[Self.decodeKey] as? Decode else { return }
    try decode(decoder)
  }

  func encode(to encoder: any Encoder) throws {
    guard let encode = encoder.userInfo[Self.encodeKey] as? Encode else { return }
    try encode(encoder)
  }

  /// An archive whose root is what `encode` says.
  static func archive(depth: Int? = nil, _ encode: @escaping Encode) throws -> Bytes {
    let encoder = GraphEncoder()
    if let depth { encoder.maximumDepth = depth }
    encoder.userInfo[encodeKey] = encode
    return try encoder.encode(codable: Self())
  }

  /// Decodes the root of an archive as `decode` says.
  static func read(_ bytes: Bytes, depth: Int? = nil, _ decode: @escaping Decode) throws {
    let decoder = GraphDecoder()
    if let depth { decoder.limits.depth = depth }
    decoder.userInfo[decodeKey] = decode
    _ = try decoder.decode(codable: Self.self, from: bytes)
  }

  static func copy(_ encode: @escaping Encode, _ decode: @escaping Decode) throws {
    try read(archive(encode), decode)
  }
}

/// Keys of the tests.
enum Key: String, CodingKey { case a, b, c, d, none }

/// Keys that are made at run time.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
  var stringValue: String
  var intValue: Int?
  init(stringLiteral value: String) { stringValue = value }
  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
