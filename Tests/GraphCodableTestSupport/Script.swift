import GraphCodable

/// A record whose fields are whatever a closure encodes, so that a test can spell out the calls.
package struct Script: GEncodable {
  private let body: (GEncoder) throws -> Void

  package init(_ body: @escaping (GEncoder) throws -> Void) { self.body = body }

  package func encode(to encoder: GEncoder) throws { try body(encoder) }
}

/// A record that a closure decodes.
///
/// Nested ones find their closure in the same place: the caller says which with `with(_:_:)`.
package struct Reading: GDecodable {
  /// The closure that is to decode the next record.
  private final class Current {
    var body: (GDecoder) throws -> Void = { _ in }
  }

  private static let key = CodingUserInfoKey(rawValue: "Reading")!

  package init(from decoder: GDecoder) throws {
    guard let current = decoder.userInfo[Self.key] as? Current else { return }
    try current.body(decoder)
  }

  /// Decodes `bytes` by calling `body` for the root.
  package static func decode(
    _ bytes: Bytes, depth: Int? = nil, _ body: @escaping (GDecoder) throws -> Void
  ) throws {
    let decoder = GraphDecoder()
    if let depth { decoder.limits.depth = depth }
    let current = Current()
    current.body = body
    decoder.userInfo[key] = current
    _ = try decoder.decode(Reading.self, from: bytes)
  }

  /// Runs `action`, in which the next `Reading` is decoded by `body`.
  package static func nested(
    _ decoder: GDecoder, _ body: @escaping (GDecoder) throws -> Void, _ action: () throws -> Void
  ) rethrows {
    guard let current = decoder.userInfo[key] as? Current else { return }
    let outer = current.body
    current.body = body
    defer { current.body = outer }
    try action()
  }
}

/// Encodes one record with the fields that `body` encodes.
package func script(depth: Int? = nil, _ body: @escaping (GEncoder) throws -> Void) throws -> Bytes {
  try encoded(Script(body), compression: .none, depth: depth)
}

/// A key of any name: no enum, so the coders know it by its string alone.
package struct NameKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ name: String) { rawValue = name }
}

/// Keys that the coders know by their byte.
package enum Letter: String, CaseIterable, Sendable {
  case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
}

/// Other keys with some of the same names.
package enum OtherLetter: String, CaseIterable, Sendable {
  case z, y, x, c, b, a
}

/// The only case of its type: a key of no bytes.
package enum OnlyKey: String, Sendable {
  case a
}
