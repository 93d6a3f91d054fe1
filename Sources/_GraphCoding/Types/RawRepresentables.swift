// Enums with raw values, option sets and other wrappers need no code: adopting `GCodable` is enough.

extension GEncodable where Self: RawRepresentable, RawValue: GEncodable {
  /// Encodes the raw value.
  public func encode(to encoder: GEncoder) throws { try encoder.hashed { try encoder.encode(rawValue) } }
}

extension GDecodable where Self: RawRepresentable, RawValue: GDecodable {
  /// Decodes the raw value.
  ///
  /// - Throws: `invalidValue` for a raw value that the type does not have.
  public init(from decoder: GDecoder) throws {
    var text = decoder.markedText
    let rawValue: RawValue = try decoder.decode()
    // Enums compare it with their cases.
    if !_isPOD(RawValue.self) { try decoder.takeMarks(since: &text, leads: false) }
    guard let value = Self(rawValue: rawValue) else { throw decoder.noRawValue(rawValue, of: Self.self) }
    self = value
  }
}
