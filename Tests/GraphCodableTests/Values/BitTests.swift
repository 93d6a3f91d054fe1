import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Bits")
struct BitTests {
  static let doubles: [UInt64] = {
    var patterns: [UInt64] = [
      0, 1 << 63,  // Zero and minus zero.
      1, 0x000F_FFFF_FFFF_FFFF, 0x8000_0000_0000_0001,  // Subnormals.
      0x0010_0000_0000_0000, 0x7FEF_FFFF_FFFF_FFFF,  // The smallest normal one and the largest.
      0x7FF0_0000_0000_0000, 0xFFF0_0000_0000_0000,  // Infinities.
    ]
    var random = SplitMix64(seed: 5)
    for bit in 0..<52 {  // NaNs: each payload bit alone, signalling and quiet, both signs.
      for sign in [0, 1 << 63] as [UInt64] {
        patterns.append(0x7FF0_0000_0000_0000 | sign | 1 << UInt64(bit))
      }
    }
    for _ in 0..<200 { patterns.append(random.next()) }
    return patterns
  }()

  @Test func everyDoubleComesBackBitForBit() throws {
    let values = Self.doubles.map(Double.init(bitPattern:))
    try #expect(roundTrip(values).map(\.bitPattern) == Self.doubles)
    try #expect(roundTrip(values.map(Optional.init)).map { $0?.bitPattern } == Self.doubles)
    for value in values {
      let bytes = try script { try $0.encode(value, for: Letter.a) }
      try Reading.decode(bytes) {
        try #expect($0.decode(Double.self, for: Letter.a).bitPattern == value.bitPattern)
      }
    }
    let dates = values.map(Date.init(timeIntervalSinceReferenceDate:))
    try #expect(roundTrip(dates).map(\.timeIntervalSinceReferenceDate.bitPattern) == Self.doubles)
    try #expect(roundTrip(dates[3]).timeIntervalSinceReferenceDate.bitPattern == Self.doubles[3])
  }

  @Test func everyFloatComesBackBitForBit() throws {
    let patterns =
      Self.doubles.map { UInt32(truncatingIfNeeded: $0 >> 32) } + (0..<23).map { 0x7F80_0000 | 1 << $0 }
    let values = patterns.map(Float.init(bitPattern:))
    try #expect(roundTrip(values).map(\.bitPattern) == patterns)
    try #expect(roundTrip(["a": values]).values.first?.map(\.bitPattern) == patterns)
    let alone = try script { for value in values { try $0.encode(value) } }
    try Reading.decode(alone) {
      for pattern in patterns { try #expect($0.decode(Float.self).bitPattern == pattern) }
    }
  }

  #if !(os(macOS) && arch(x86_64))
    @Test func everyHalfComesBackBitForBit() throws {
      let all = (0...UInt16.max).map(Float16.init(bitPattern:))
      try #expect(roundTrip(all).map(\.bitPattern) == Array(0...UInt16.max))
      let alone = try script { for value in all.suffix(2000) { try $0.encode(value) } }
      try Reading.decode(alone) {
        for value in all.suffix(2000) { try #expect($0.decode(Float16.self).bitPattern == value.bitPattern) }
      }
    }
  #endif

  private func checkIntegers<Value: GCodable & FixedWidthInteger>(_ type: Value.Type) throws {
    var values: [Value] = [.min, .max, 0, 1, .min + 1, .max - 1]
    if Value.isSigned { values += [-1 as Int8, -2, -128].compactMap { Value(exactly: $0) } }
    for shift in 0..<Value.bitWidth {
      values += [1 &<< shift, (1 &<< shift) &- 1, ~(1 &<< shift)].map {
        Value(truncatingIfNeeded: $0 as Value)
      }
    }
    try #expect(roundTrip(values) == values)
    try #expect(roundTrip(Set(values)) == Set(values))
    let optionals: [Value?] = values
    let copies = try roundTrip(optionals)
    #expect(copies == optionals)
    let bytes = try script { for value in values { try $0.encode(value) } }
    try Reading.decode(bytes) { for value in values { try #expect($0.decode(Value.self) == value) } }
  }

  @Test func everyIntegerComesBack() throws {
    try checkIntegers(Int8.self)
    try checkIntegers(Int16.self)
    try checkIntegers(Int32.self)
    try checkIntegers(Int64.self)
    try checkIntegers(Int.self)
    try checkIntegers(UInt8.self)
    try checkIntegers(UInt16.self)
    try checkIntegers(UInt32.self)
    try checkIntegers(UInt64.self)
    try checkIntegers(UInt.self)
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      try checkIntegers(Int128.self)
      try checkIntegers(UInt128.self)
    }
  }

  @Test func anIntegerDecodesAsAnotherTypeThatCanHoldIt() throws {
    let bytes = try script {
      try $0.encode(200 as UInt8, for: Letter.a)
      try $0.encode(-5 as Int, for: Letter.b)
      try $0.encode(UInt64.max, for: Letter.c)
    }
    try Reading.decode(bytes) {
      try #expect($0.decode(Int.self, for: Letter.a) == 200)
      try #expect($0.decode(Int8.self, for: Letter.b) == -5)
      try #expect($0.decode(UInt.self, for: Letter.c) == .max)
    }
    for (type, key) in [(Int8.self, Letter.a), (UInt.self, .b), (Int64.self, .c)]
      as [(any (GDecodable & BinaryInteger).Type, Letter)]
    {
      func decode<Value: GDecodable>(_ type: Value.Type) throws {
        try Reading.decode(bytes) { _ = try $0.decode(type, for: key) }
      }
      let error = #expect(throws: GCodableError.self) { try decode(type) }
      #expect(error?.code == .invalidValue)
      #expect(error?.keyPathDescription == key.rawValue)
    }
  }

  @Test func vectorsAndRangesComeBack() throws {
    let three = SIMD3<Float>(-0.0, .nan, 3)
    let copy = try roundTrip(three)
    #expect((0..<3).allSatisfy { copy[$0].bitPattern == three[$0].bitPattern })
    try #expect(roundTrip([SIMD3<Double>(1, 2, 3), SIMD3(4, 5, 6)]) == [SIMD3(1, 2, 3), SIMD3(4, 5, 6)])
    try #expect(
      roundTrip((0..<3000).map { SIMD3<Int16>(repeating: Int16($0)) }).last == SIMD3(repeating: 2999))
    try #expect(roundTrip([SIMD4<UInt8>(1, 2, 3, 4)]) == [SIMD4(1, 2, 3, 4)])
    try #expect(roundTrip([3..<5, 7..<7]) == [3..<5, 7..<7])
    try #expect(roundTrip(["a"..."b"]) == ["a"..."b"])
  }

  @Test func uuidsAndDataAndUrlsComeBack() throws {
    let uuids = (0..<50).map { _ in UUID() }
    try #expect(roundTrip(uuids) == uuids)
    try #expect(roundTrip(Set(uuids)) == Set(uuids))
    for count in [0, 1, 14, 15, 16, 100, 20_000, 300_000] {
      let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) })
      try #expect(roundTrip(data) == data)
      try #expect(decoded(Bytes.self, from: encoded(data)) == Bytes(data))
      try #expect(roundTrip(data.dropFirst(3)) == data.dropFirst(3))
    }
    for text in ["https://example.org/a%20b?c=d#e", "relative/path", "file:///tmp/x", "mailto:a@b.c"] {
      let url = try #require(URL(string: text))
      try #expect(roundTrip(url) == url)
    }
    let relative = try #require(URL(string: "b/c", relativeTo: URL(string: "https://example.org/a/")))
    let copy = try roundTrip(relative)
    #expect(copy == relative && copy.baseURL == relative.baseURL)
  }
}
