import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Floating-point numbers that are stored to a precision: the bound is a promise for every number.
@Suite("Precision")
struct PrecisionTests {
  static let precisions: [GPrecision] = [
    .absolute(0.005), .absolute(3e-5), .absolute(1000), .absolute(1e30), .absolute(1e-30),
    .absolute(.leastNonzeroMagnitude),
    .absolute(.greatestFiniteMagnitude), .relative(1e-3), .relative(0.7), .relative(1e-12), .bits(1),
    .bits(12), .bits(30),
    .bits(52),
  ]

  /// Numbers of any bits, and numbers of about the size of the bound.
  static func numbers<Number: BinaryFloatingPoint>(
    _ type: Number.Type, _ count: Int, seed: UInt64, _ make: (UInt64) -> Number
  ) -> [Number] {
    var random = SplitMix64(seed: seed)
    var numbers = (0..<count).map { index -> Number in
      let bits = random.next()
      switch index % 4 {
      case 0, 1: return make(bits)
      case 2: return Number(Double(Int64(bitPattern: bits)) * 0x1p-63 * 100)
      default: return Number(Double(Int64(bitPattern: bits)) * 0x1p-63 * 0x1p20)
      }
    }
    let special: [Number] = [
      0, -0.0, .infinity, -.infinity, .nan, .signalingNaN, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, .leastNormalMagnitude, -.leastNonzeroMagnitude, make(.max), make(.max >> 1),
    ]
    numbers.replaceSubrange(0..<special.count, with: special)
    return numbers
  }

  /// Whether a number came back as the precision promises.
  static func isKept<Number: BinaryFloatingPoint>(_ old: Number, _ new: Number, _ precision: GPrecision)
    -> Bool
  {
    guard old.isFinite else { return old.isNaN ? new.isNaN : old == new }
    guard new.isFinite, old.sign == new.sign else { return false }
    // The difference of two numbers of the type is exact where they are close, and a double has it where they are not.
    let error = (Double(old) - Double(new)).magnitude
    switch precision.mode {
    case .absolute(let bound): return error <= bound && (Double(old.ulp) <= bound || old == new)
    case .relative(let bound): return error <= Double(old.magnitude) * bound
    case .bits(let bits):
      return error <= Double(old.magnitude) * Double(sign: .plus, exponent: -bits - 1, significand: 1)
    }
  }

  private func check<Number: BinaryFloatingPoint & GCodable & _GraphPrecise>(
    _ numbers: [Number], _ precision: GPrecision, _ compression: GraphEncoder.Compression = .lz4,
    _ bits: (Number) -> UInt64
  ) throws {
    let encoder = GraphEncoder()
    encoder.compression = compression
    let bytes = try encoder.encode(Precise(numbers, precision)) as Bytes
    let back = try GraphDecoder().decode(Precise<[Number]>.self, from: bytes).value
    let bad = numbers.indices.first {
      !Self.isKept(numbers[$0], back[$0], precision)
        || (!numbers[$0].isFinite && bits(numbers[$0]) != bits(back[$0]))
    }
    #expect(
      back.count == numbers.count && bad == nil, "\(bad.map { "\(numbers[$0]) became \(back[$0])" } ?? "")")
    // Again at the same precision: nothing changes, and the bytes are the same.
    try #expect(encoder.encode(Precise(back, precision)) as Bytes == bytes)
    // However it is stored.
    for other in [GraphEncoder.Compression.none, .lz4] {
      encoder.compression = other
      let again = try GraphDecoder().decode(
        Precise<[Number]>.self, from: encoder.encode(Precise(back, precision)) as Bytes)
      #expect(again.value.map(bits) == back.map(bits))
    }
  }

  @Test(arguments: precisions) func theBoundHoldsForEachNumber(precision: GPrecision) throws {
    let count = Effort.count("GRAPHCODABLE_NUMBERS", usual: 40_000, thorough: 400_000)
    for seed in 0..<UInt64(max(count / 400_000, 1)) {
      let share = min(count, 400_000)
      let doubles = Self.numbers(Double.self, share, seed: seed) { Double(bitPattern: $0) }
      try check(doubles, precision) { $0.bitPattern }
      let floats = Self.numbers(Float.self, share, seed: seed) {
        Float(bitPattern: UInt32(truncatingIfNeeded: $0))
      }
      try check(floats, precision) { UInt64($0.bitPattern) }
      #if !(os(macOS) && arch(x86_64))
        let halves = Self.numbers(Float16.self, share / 4, seed: seed) {
          Float16(bitPattern: UInt16(truncatingIfNeeded: $0))
        }
        try check(halves, precision) { UInt64($0.bitPattern) }
      #endif
    }
  }

  @Test(arguments: precisions) func itHoldsInShortAndInUncompressedArrays(precision: GPrecision) throws {
    for count in [20, 1_000, 9_000] {
      let doubles = Self.numbers(Double.self, count, seed: 5) { Double(bitPattern: $0) }
      try check(doubles, precision) { $0.bitPattern }
      try check(doubles, precision, .none) { $0.bitPattern }
      let floats = Self.numbers(Float.self, count, seed: 5) {
        Float(bitPattern: UInt32(truncatingIfNeeded: $0))
      }
      try check(floats, precision) { UInt64($0.bitPattern) }
      try check(floats, precision, .none) { UInt64($0.bitPattern) }
    }
  }

  /// Numbers that compress, and noise that does not, in blocks of one segment.
  @Test func blocksThatDoNotCompressAreRoundedToo() throws {
    var random = SplitMix64(seed: 8)
    var numbers = (0..<(1 << 18)).map { Double($0) }
    numbers += (0..<(1 << 17)).map { _ in Double(bitPattern: random.next()) }
    try check(numbers, .absolute(0.2)) { $0.bitPattern }
  }

  @Test func singleNumbersVectorsAndNestedArraysAreRounded() throws {
    struct All: GCodable, Equatable {
      var number = 1.23456789
      var float: Float? = 1.23456789
      var vector = SIMD3<Float>(1.23456789, -7.654321, 1e9)
      var nested = [[SIMD2(1.23456789, 2.3456789)], [], [SIMD2(9.87654321, -0.0)]]
      var exact = [1.23456789]
      enum Key: String { case number, float, vector, nested, exact }
      init() {}
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(number, for: Key.number, precision: .absolute(0.01))
        try encoder.encode(float, precision: .bits(4))
        try encoder.encode(vector, for: Key.vector, precision: .absolute(0.01))
        try encoder.encode(nested, for: Key.nested, precision: .relative(0.01))
        try encoder.encode(exact, for: Key.exact, precision: nil)
      }
      init(from decoder: GDecoder) throws {
        number = try decoder.decode(for: Key.number)
        float = try decoder.decode()
        vector = try decoder.decode(for: Key.vector)
        nested = try decoder.decode(for: Key.nested)
        exact = try decoder.decode(for: Key.exact)
      }
    }
    let encoder = GraphEncoder()
    encoder.precision = .absolute(5)  // Of whatever has no other.
    let (all, back) = (All(), try GraphDecoder().decode(All.self, from: encoder.encode(All()) as Bytes))
    #expect(back.number != all.number && abs(back.number - all.number) <= 0.01)
    #expect(back.float == 1.25)
    #expect(back.vector != all.vector && back.vector.z == 1e9 && abs(back.vector.y - all.vector.y) <= 0.01)
    #expect(
      back.nested[0][0] != all.nested[0][0] && abs(back.nested[2][0].x / all.nested[2][0].x - 1) <= 0.01)
    #expect(back.nested[2][0].y.sign == .minus)
    #expect(back.exact == all.exact)
    try #expect(GraphDecoder().decode(All.self, from: encoder.encode(back) as Bytes) == back)
  }

  struct Sample: GPackedStruct, Equatable {
    var position: SIMD2<Double>
    var mass: Double
    var weight: Float
    var id: UInt32
    static let packedLayout = PackedLayout<Self>(\.position, \.mass, \.weight, \.id)
  }

  @Test(arguments: [GPrecision.absolute(0.003), .relative(1e-4), .bits(9)], [20, 4_000])
  func numbersInPackedStructsAreRoundedAndOthersAreExact(precision: GPrecision, count: Int) throws {
    var random = SplitMix64(seed: 4)
    func number() -> Double { Double.random(in: -50...50, using: &random) }
    let samples = (0..<count).map { _ in
      Sample(
        position: SIMD2(number(), -0.0), mass: random.once(in: 9) ? .infinity : number(),
        weight: Float(number()),
        id: UInt32(truncatingIfNeeded: random.next()))
    }
    let bytes = try GraphEncoder().encode(Precise(samples, precision)) as Bytes
    let back = try GraphDecoder().decode(Precise<[Sample]>.self, from: bytes).value
    for (old, new) in zip(samples, back) {
      #expect(old.id == new.id && Self.isKept(old.weight, new.weight, precision))
      #expect(Self.isKept(old.position.x, new.position.x, precision) && new.position.y.sign == .minus)
      #expect(Self.isKept(old.mass, new.mass, precision))
    }
    #expect(back.map(\.weight) != samples.map(\.weight))
    try #expect(GraphEncoder().encode(Precise(back, precision)) as Bytes == bytes)
    let segment = try FilterTests.segments(bytes).first
    #expect(segment?.precision == (count > 1_000 ? precision : nil))
    let one = try GraphDecoder().decode(
      Precise<Sample>.self, from: GraphEncoder().encode(Precise(samples[0], precision)) as Bytes)
    #expect(one.value.id == samples[0].id && one.value.weight == back[0].weight)
  }

  @Test func theEncodersPrecisionIsThatOfAllArrays() throws {
    struct Model: Codable, Equatable {
      var frames: [[Float]]
      var ids: [Int]
      var scale: Double
    }
    let model = Model(
      frames: (0..<3).map { frame in (0..<8_000).map { sin(Float($0 + frame) / 100) } },
      ids: Array(0..<5_000), scale: 1.23456789)
    let encoder = GraphEncoder()
    encoder.precision = .absolute(0.001)
    let bytes = try encoder.encode(codable: model) as Bytes
    let back = try GraphDecoder().decode(codable: Model.self, from: bytes)
    #expect(back.ids == model.ids && back.scale == model.scale && back.frames != model.frames)
    for (old, new) in zip(model.frames.joined(), back.frames.joined()) { #expect(abs(old - new) <= 0.001) }
    let precisions = try FilterTests.segments(bytes).map(\.precision)
    #expect(precisions == [.absolute(0.001), nil])
    // The next graph of the same encoder, without it, and what others encode then.
    encoder.precision = nil
    let exact = try encoder.encode(codable: model) as Bytes
    try #expect(GraphDecoder().decode(codable: Model.self, from: exact) == model)
    try #expect(encoded(model.frames) == encoded(model.frames, compression: .lz4))
  }

  @Test(arguments: [
    GPrecision.absolute(0), .absolute(-1), .absolute(.infinity), .absolute(.nan), .relative(0), .relative(1),
    .relative(-0.5), .relative(.nan), .bits(0), .bits(53), .bits(.min),
  ])
  func whatIsNoPrecisionIsRefused(precision: GPrecision) throws {
    for value in [[1.5], []] {
      let error = #expect(throws: GCodableError.self) {
        try GraphEncoder().encode(Precise(value, precision)) as Bytes
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.description.contains("\(precision)") == true)
    }
    let encoder = GraphEncoder()
    encoder.precision = precision
    let error = #expect(throws: GCodableError.self) { try encoder.encode(1) as Bytes }
    #expect(error?.code == .invalidValue)
  }

  @Test func absoluteNumbersCompressAsTheirPrecisionSays() throws {
    var random = SplitMix64(seed: 6)
    let walk = (0..<200_000).reduce(into: [Float]()) { walk, _ in
      walk.append((walk.last ?? 0) + Float.random(in: -0.5...0.5, using: &random))
    }
    func byteCount(_ precision: GPrecision?) throws -> Int {
      let encoder = GraphEncoder()
      encoder.precision = precision
      return try (encoder.encode(walk) as Bytes).count
    }
    let exact = try byteCount(nil)
    try #expect(byteCount(.absolute(0.01)) * 5 < exact * 2)
    try #expect(byteCount(.absolute(0.1)) * 5 < exact)
    try #expect(byteCount(.bits(8)) < exact)
  }
}

/// A value that is encoded to a precision.
private struct Precise<Value: _GraphPrecise & GDecodable>: GCodable {
  let value: Value
  let precision: GPrecision?

  init(_ value: Value, _ precision: GPrecision?) { (self.value, self.precision) = (value, precision) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(value, precision: precision) }
  init(from decoder: GDecoder) throws { (value, precision) = (try decoder.decode(), nil) }
}
