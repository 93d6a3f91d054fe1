import CyclicCoding
import Foundation
import Testing

/// Numbers are decoded as other types of numbers where `JSONDecoder` does so, with the same results.
@Suite("CyclicCoding: numbers")
struct NumberTests {
  /// What decoding as a type leads to, with JSON and with a flattened container.
  private func outcomes<Encoded: Encodable, Decoded: Decodable & Equatable>(
    of value: Encoded, as type: Decoded.Type
  ) throws -> (json: Decoded?, flattened: Decoded?) {
    func outcome(_ decode: () throws -> Decoded) throws -> Decoded? {
      do { return try decode() } catch DecodingError.dataCorrupted { return nil }
    }
    let json = try JSONEncoder().encode(value)
    let flattened = try CyclicEncoder().flatten(value)
    return (
      try outcome { try JSONDecoder().decode(type, from: json) },
      try outcome { try CyclicDecoder().decode(type, from: flattened) }
    )
  }

  private func compare<Encoded: Encodable>(_ value: Encoded) throws {
    func compare<Decoded: Decodable & Equatable>(_ type: Decoded.Type) throws {
      let (json, flattened) = try outcomes(of: value, as: type)
      #expect(json == flattened, "\(value) as \(type)")
    }
    try compare(Double.self)
    try compare(Float.self)
    #if !(os(macOS) && arch(x86_64))
      try compare(Float16.self)
    #endif
    try compare(CGFloat.self)
    try compare(Int8.self)
    try compare(Int.self)
    try compare(UInt.self)
    try compare(Int128.self)
    try compare(UInt128.self)
  }

  /// Around the integers above which a `Float` and a `Double` no longer hold every one.
  @Test(arguments: [
    0, 1, -1, 300, 2049, 65_519, 65_520, 1 << 24 + 1, 1 << 53 - 1, 1 << 53 + 1, -(1 << 53) - 1,
    // Rounded to a Double first, it would become another Float.
    1 << 53 + 1 << 29 + 1, .max, .min, .max - 512, .max - 511,
  ])
  func integersBecomeTheNumbersThatJSONMakes(value: Int) throws { try compare(value) }

  @Test(arguments: [.max, .max - 1024, 1 << 63, 1 << 63 + 1025] as [UInt64])
  func largeIntegersBecomeTheNumbersThatJSONMakes(value: UInt64) throws { try compare(value) }

  @Test func wideIntegersBecomeTheNumbersThatJSONMakes() throws {
    // The first that a Float rounds to infinity, and the last that it does not.
    let limit = UInt128.max - UInt128(1) << 103 + 1
    let unsigned: [UInt128] = [.max, limit, limit - 1, 1 << 64, 1 << 64 + 1, 1 << 100 + 1]
    for value in unsigned { try compare(value) }
    let signed: [Int128] = [.max, .min, -(1 << 64), -(1 << 100) - 1]
    for value in signed { try compare(value) }
  }

  @Test func integerThatNoDoubleHoldsIsRounded() throws {
    let (json, flattened) = try outcomes(of: 1 << 53 + 1, as: Double.self)
    #expect(json == 9_007_199_254_740_992 && flattened == json)
  }

  @Test func wholeDoublesBecomeIntegers() throws {
    for value in [0.0, -0.0, 1, -7, 1e15, 1e16, 0x1p53, 0x1p53 + 2, 1e18, 1.5, -0.5, 1e300] {
      try compare(value)
    }
  }

  @Test(arguments: ["nan", "inf", "0x10", "1e5", "1.5", "", "-", "--1", "1 "])
  func forgedDigitsAreAnError(digits: String) throws {
    let json = #"{"referenced": {"[]": []}, "root": {"w": "\#(digits)"}}"#
    let flattened = try JSONDecoder().decode(FlattenedContainer.self, from: Data(json.utf8))
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Double.self, from: flattened) }
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Float.self, from: flattened) }
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Int128.self, from: flattened) }
  }
}
