import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The same bits in every place where a value can stand, and with every option that looks at values.
@Suite("Bits in every place")
struct PlaceTests {
  static let options: [GraphEncoder.Options] = [
    [], .tryHashableIdentityAtFirst, .tryHashableIdentityAtLast, .disableIdentity,
  ]

  /// - Parameter bits: what tells values apart that are equal to `==`.
  private func check<Value: GCodable, Bits: Equatable>(
    _ values: [Value], _ options: GraphEncoder.Options, bits: (Value) -> Bits,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = values.map(bits)
    let copy = try roundTrip(Places(values), options)
    #expect(copy.all.count == 15)
    for (place, copies) in copy.all where copies.map(bits) != expected {
      Issue.record("\(Value.self) as \(place) with \(options)", sourceLocation: location)
    }
    for value in values.prefix(60) where try bits(roundTrip(value, options)) != bits(value) {
      Issue.record("\(Value.self) \(bits(value)) as root with \(options)", sourceLocation: location)
    }
  }

  @Test(arguments: options) func doublesKeepTheirBits(options: GraphEncoder.Options) throws {
    try check(BitTests.doubles.map(Double.init(bitPattern:)), options, bits: \.bitPattern)
    try check(
      BitTests.doubles.map { CGFloat(Double(bitPattern: $0)) }, options, bits: { Double($0).bitPattern })
  }

  @Test(arguments: options) func floatsKeepTheirBits(options: GraphEncoder.Options) throws {
    let patterns: [UInt32] =
      [0, 1 << 31, 1, 0x007F_FFFF, 0x8000_0001, 0x0080_0000, 0x7F7F_FFFF, 0x7F80_0000, 0xFF80_0000]
      + (0..<23).flatMap { [0x7F80_0000 | 1 << $0, 0xFF80_0000 | 1 << $0] }
    try check(patterns.map(Float.init(bitPattern:)), options, bits: \.bitPattern)
  }

  #if !(os(macOS) && arch(x86_64))
    @Test(arguments: options) func halvesKeepTheirBits(options: GraphEncoder.Options) throws {
      let patterns: [UInt16] =
        [0, 1 << 15, 1, 0x03FF, 0x8001, 0x0400, 0x7BFF, 0x7C00, 0xFC00]
        + (0..<10).flatMap { [0x7C00 | 1 << $0, 0xFC00 | 1 << $0] }
      try check(patterns.map(Float16.init(bitPattern:)), options, bits: \.bitPattern)
    }
  #endif

  private func checkIntegers<Value: GCodable & FixedWidthInteger>(
    _ type: Value.Type, _ options: GraphEncoder.Options
  ) throws {
    let powers = (0..<Value.bitWidth).map { 1 &<< Value($0) }
    let values = Set(
      [.min, .max, 0, .min + 1, .max - 1] + powers + powers.map { $0 &- 1 } + powers.map { ~$0 })
    try check(values.sorted(), options, bits: { $0 })
  }

  @Test(arguments: options) func integersKeepTheirExtremes(options: GraphEncoder.Options) throws {
    try checkIntegers(Int8.self, options)
    try checkIntegers(Int16.self, options)
    try checkIntegers(Int32.self, options)
    try checkIntegers(Int64.self, options)
    try checkIntegers(Int.self, options)
    try checkIntegers(UInt8.self, options)
    try checkIntegers(UInt16.self, options)
    try checkIntegers(UInt32.self, options)
    try checkIntegers(UInt64.self, options)
    try checkIntegers(UInt.self, options)
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      try checkIntegers(Int128.self, options)
      try checkIntegers(UInt128.self, options)
    }
  }

  @Test(arguments: options) func textStaysAsItWasWritten(options: GraphEncoder.Options) throws {
    let texts = [
      "", "\0", "a\0b", "\0\0", "\u{E9}", "e\u{301}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}",
      "\u{212B}",
      "\u{C5}", "A\u{30A}", "\u{FEFF}", "\r\n", "\n", "\u{10FFFF}", "👨‍👩‍👧‍👦",
      String(repeating: "e\u{301}", count: 5000),
    ]
    try check(texts, options) { Array($0.utf8) }
    try check(texts.map { $0[...] }, options) { Array($0.utf8) }
    try check(texts.flatMap { Array($0.prefix(3)) }, options) { Array($0.utf8) }
    try check(texts.flatMap { Array($0.unicodeScalars.prefix(3)) }, options, bits: \.value)
    try check([true, false], options) { $0 }
  }

  /// Equal to `==`, so a set or dictionary holds one; it stays the one that it is.
  @Test(arguments: options) func elementsAndKeysStayAsTheyWereWritten(options: GraphEncoder.Options) throws {
    for text in ["\u{E9}", "e\u{301}", "\u{212B}", "A\u{30A}"] {
      let (set, table) = (try roundTrip([text] as Set, options), try roundTrip([text: 1], options))
      #expect(set.first?.utf8.elementsEqual(text.utf8) == true)
      #expect(table.keys.first?.utf8.elementsEqual(text.utf8) == true)
    }
    for number in [0.0, -0.0] {
      try #expect(roundTrip([number] as Set, options).first?.bitPattern == number.bitPattern)
      try #expect(roundTrip([number: 1], options).keys.first?.bitPattern == number.bitPattern)
    }
    // No two of these are equal.
    let nans = Set((1...5 as ClosedRange<UInt64>).map { Double(bitPattern: 0x7FF8_0000_0000_0000 | $0) })
    try #expect(roundTrip(nans, options).map(\.bitPattern).sorted() == nans.map(\.bitPattern).sorted())
  }

  @Test func everyScalarComesBackAlone() throws {
    let all = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    try #expect(roundTrip(all) == all)
    for scalar in all.enumerated().filter({ $0.offset.isMultiple(of: 997) }).map(\.element) {
      let text = String(scalar)
      try #expect(roundTrip(text).unicodeScalars.elementsEqual([scalar]))
      try #expect(roundTrip(Character(scalar)).unicodeScalars.elementsEqual([scalar]))
    }
  }
}

/// The same values in many places.
final class Places<Value: GCodable>: GCodable {
  private(set) var all: [(String, [Value])]
  private let values: [Value]

  init(_ values: [Value]) { (self.values, all) = (values, []) }

  /// Has a segment of its own, with all values at its end.
  private var long: [Value] {
    let count = (16 << 10) / MemoryLayout<Value>.stride / values.count + 2
    return Array(repeatElement(values, count: count).joined())
  }
  private var numbered: [Int: Value] {
    Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, $1) })
  }

  func encode(to encoder: GEncoder) throws {
    for (number, value) in values.enumerated() {
      try encoder.encode(value)
      try encoder.encode(value, for: NameKey("keyed \(number)"))
    }
    try encoder.encode(values.map { One($0) }, for: Letter.a)
    try encoder.encode(values.map { Generic($0) }, for: Letter.b)
    try encoder.encode(values, for: Letter.c)
    try encoder.encode(values.map { Optional($0) }, for: Letter.d)
    try encoder.encode(values.map { Optional(Optional($0)) }, for: Letter.e)
    try encoder.encode(ContiguousArray(values), for: Letter.f)
    try encoder.encode(long, for: Letter.g)
    try encoder.encode(numbered, for: Letter.h)
    try encoder.encode(values.enumerated().map { Named("\($0)", $1) }, for: Letter.i)
    try encoder.encode(values.map { Result<Value, Refusal>.success($0) }, for: Letter.j)
    try encoder.encode(values, for: Letter.k)
  }

  init(from decoder: GDecoder) throws {
    values = try decoder.decode(for: Letter.c)
    let count = values.count
    all = [("an array", values)]
    all.append(("unkeyed", try (0..<count).map { _ in try decoder.decode() }))
    all.append(("keyed", try (0..<count).map { try decoder.decode(for: NameKey("keyed \($0)")) }))
    let ones = try decoder.decode([One].self, for: Letter.a)
    all += [("a field", ones.map(\.field)), ("what is left out if it is nil", ones.compactMap(\.ifPresent))]
    all.append(("a conditional field", ones.compactMap(\.conditional)))
    all.append(
      ("what an object holds", try decoder.decode([Generic<Value>].self, for: Letter.b).map(\.value)))
    all.append(("an optional", try decoder.decode([Value?].self, for: Letter.d).compactMap { $0 }))
    all.append(
      ("a double optional", try decoder.decode([Value??].self, for: Letter.e).compactMap { $0 ?? nil }))
    all.append(("contiguous", Array(try decoder.decode(ContiguousArray<Value>.self, for: Letter.f))))
    all.append(("a large array", Array(try decoder.decode([Value].self, for: Letter.g).suffix(count))))
    let numbered = try decoder.decode([Int: Value].self, for: Letter.h)
    all.append(("a dictionary's value", numbered.sorted { $0.key < $1.key }.map(\.value)))
    all.append(
      ("a value with an identity", try decoder.decode([Named<Value>].self, for: Letter.i).map(\.value)))
    let results = try decoder.decode([Result<Value, Refusal>].self, for: Letter.j)
    all.append(("a result", try results.map { try $0.get() }))
    try decoder.deferDecode([Value].self, for: Letter.k) { self.all.append(("deferred", $0)) }
  }

  /// A record with the value in several fields.
  private struct One: GCodable {
    let field: Value
    let ifPresent: Value?
    let conditional: Value?
    init(_ value: Value) { (field, ifPresent, conditional) = (value, value, value) }
    init(from decoder: GDecoder) throws {
      ifPresent = try decoder.decodeIfPresent(for: Letter.b)
      conditional = try decoder.decode(for: Letter.c)
      field = try decoder.decode(for: Letter.a)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(field, for: Letter.a)
      try encoder.encodeIfPresent(ifPresent, for: Letter.b)
      try encoder.encodeConditional(conditional, for: Letter.c)
    }
  }
}
