import GraphCodable

/// What a reader must refuse: the rule of Documentation/Format.md, and where it is broken.
struct Refusal: Error {
  let rule: String
  let place: Int
}

/// Reads numbers and strings.
struct PlainBytes {
  let bytes: Bytes
  var place: Int
  let end: Int
  /// The rule that bytes break which end too early.
  let rule: String

  init(_ bytes: Bytes, from start: Int = 0, to end: Int? = nil, rule: String) {
    (self.bytes, place, self.end, self.rule) = (bytes, start, end ?? bytes.count, rule)
  }

  var left: Int { end - place }

  func refuse(_ rule: String) -> Refusal { Refusal(rule: rule, place: place) }

  func check(_ isRight: Bool, _ rule: String) throws { if !isRight { throw refuse(rule) } }

  mutating func take(_ count: UInt64) throws -> ArraySlice<UInt8> {
    try check(count <= UInt64(left), rule)
    place += Int(count)
    return bytes[(place - Int(count))..<place]
  }

  mutating func byte() throws -> UInt8 { try take(1).first ?? 0 }

  mutating func number<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type) throws -> Value {
    try take(UInt64(type.bitWidth / 8)).reversed().reduce(0) { $0 << 8 | Value($1) }
  }

  mutating func varint() throws -> UInt64 {
    let count = try peek() == 0 ? 9 : UInt64(peek().trailingZeroBitCount + 1)
    let word = try take(count).suffix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return count == 9 ? word : word >> count
  }

  private func peek() throws -> UInt8 {
    try check(left > 0, rule)
    return bytes[place]
  }

  mutating func zigzag() throws -> Int64 {
    let number = try varint()
    return Int64(bitPattern: number >> 1) ^ -Int64(number & 1)
  }

  /// A string; of other bytes than UTF-8, a rule is broken.
  mutating func string(_ utf8Rule: String) throws -> String {
    let bytes = try take(varint())
    let text = String(decoding: bytes, as: UTF8.self)
    try check(text.utf8.elementsEqual(bytes), utf8Rule)
    return text
  }

  /// A number of things of some bytes at least.
  mutating func count(atLeast byteCount: Int) throws -> Int {
    let count = try varint()
    try check(count <= UInt64(left / byteCount), rule)
    return Int(count)
  }
}
