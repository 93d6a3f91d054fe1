// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Ranges are records of their bounds; bounds in the wrong order are refused.

extension GDecoder {
  fileprivate func bounds<Bound: GDecodable & Comparable>(_ type: Any.Type) throws -> (Bound, Bound) {
    let bounds: (Bound, Bound) = (try decode(), try decode())
    // Not `>`: a NaN is in no order at all.
    guard bounds.0 <= bounds.1 else {
      throw invalidValue(type, "the bounds of a range are in the wrong order")
    }
    return bounds
  }
}

extension Range: GEncodable where Bound: GEncodable {
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(lowerBound)
    try encoder.encode(upperBound)
  }
}
extension Range: GDecodable where Bound: GDecodable {
  public init(from decoder: GDecoder) throws {
    let (lower, upper): (Bound, Bound) = try decoder.bounds(Self.self)
    self = lower..<upper
  }
}

extension ClosedRange: GEncodable where Bound: GEncodable {
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(lowerBound)
    try encoder.encode(upperBound)
  }
}
extension ClosedRange: GDecodable where Bound: GDecodable {
  public init(from decoder: GDecoder) throws {
    let (lower, upper): (Bound, Bound) = try decoder.bounds(Self.self)
    self = lower...upper
  }
}

extension PartialRangeFrom: GEncodable where Bound: GEncodable {
  public func encode(to encoder: GEncoder) throws { try encoder.encode(lowerBound) }
}
extension PartialRangeFrom: GDecodable where Bound: GDecodable {
  public init(from decoder: GDecoder) throws { self = (try decoder.decode())... }
}

extension PartialRangeUpTo: GEncodable where Bound: GEncodable {
  public func encode(to encoder: GEncoder) throws { try encoder.encode(upperBound) }
}
extension PartialRangeUpTo: GDecodable where Bound: GDecodable {
  public init(from decoder: GDecoder) throws { self = ..<(try decoder.decode()) }
}

extension PartialRangeThrough: GEncodable where Bound: GEncodable {
  public func encode(to encoder: GEncoder) throws { try encoder.encode(upperBound) }
}
extension PartialRangeThrough: GDecodable where Bound: GDecodable {
  public init(from decoder: GDecoder) throws { self = ...(try decoder.decode()) }
}
