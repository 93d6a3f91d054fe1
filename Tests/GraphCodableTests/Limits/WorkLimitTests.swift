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

/// Operations that would take quadratic time, or more.
@Suite("Limit of work")
struct WorkLimitTests {
  private func expectLimit(_ body: () throws -> Void) {
    let error = #expect(throws: GCodableError.self, performing: body)
    #expect(error?.code == .limitExceeded)
    #expect(error?.description.contains("stepRatio") == true)
  }

  // MARK: Hashes

  /// No NaN is equal to itself, and those with the same bits have the same hash.
  @Test func setsOfManyNaNsAreRefused() throws {
    let nans = [Double](repeating: .nan, count: 80_000)
    let bytes = try encoded(nans)
    expectLimit { _ = try decoded(Set<Double>.self, from: bytes) }
    expectLimit { _ = try GraphDecoder().decode(codable: Set<Double>.self, from: bytes) }
    expectLimit { _ = try decoded(Set<Double?>.self, from: encoded(nans.map { Optional($0) })) }
    let pairs = try script { encoder in
      for nan in nans {
        try encoder.encode(nan)
        try encoder.encode(1)
      }
    }
    struct Own: GDecodable {
      init(from decoder: GDecoder) throws { _ = try [Double: Int](from: decoder) }
    }
    expectLimit { _ = try decoded(Own.self, from: pairs) }
  }

  @Test func setsOfAFewNaNsComeBack() throws {
    let set = Set([Double](repeating: .nan, count: 100) + [1, 2, 3])
    try #expect(roundTrip(set).count == 103)
    try #expect(codableCopy(set).count == 103)
  }

  /// Values in an unkeyed container, which are of two types if it is said so, and so make a record.
  private struct Unkeyed: Encodable {
    let elements: [Double]
    let isMixed: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for (index, element) in elements.enumerated() {
        if isMixed, index % 2 == 1 {
          try container.encode(Optional.some(element))
        } else {
          try container.encode(element)
        }
      }
      guard isMixed else { return }
      try container.encode(1.5 as Float)
      try container.encode(2.5 as Float)
    }
  }

  /// The initializers of the standard library insert whatever comes.
  @Test(arguments: [false, true]) func listsForSetsAndDictionariesAreCounted(isMixed: Bool) throws {
    func bytes(_ elements: [Double]) throws -> Bytes {
      try GraphEncoder().encode(codable: Unkeyed(elements: elements, isMixed: isMixed))
    }
    let many = try bytes(Array(repeating: .nan, count: 80_000))
    expectLimit { _ = try GraphDecoder().decode(codable: Set<Double>.self, from: many) }
    expectLimit { _ = try GraphDecoder().decode(codable: [Double: Double].self, from: many) }
    // In a record of fixed fields, and in one of any number; with a last value of two equal keys.
    for count in [6, 600] {
      let elements = (0..<count).map(Double.init) + [0, 7]
      let few = try bytes(elements)
      let dictionary = try GraphDecoder().decode(codable: [Double: Double].self, from: few)
      #expect(dictionary[0] == 7 && dictionary[4] == 5)
      #expect(dictionary[1.5] == (isMixed ? 2.5 : nil))
      #expect(dictionary.count == count / 2 + (isMixed ? 1 : 0))
      let set = try GraphDecoder().decode(codable: Set<Double>.self, from: bytes(Array(elements.dropLast(2))))
      #expect(set.isSuperset(of: elements.dropLast(2)))
      #expect(throws: DecodingError.self) {
        try GraphDecoder().decode(codable: [Double: Double].self, from: bytes(Array(elements.dropLast())))
      }
    }
  }

  /// Foundation hashes the first 80 bytes of `Data`.
  @Test func setsOfDataThatBeginAlikeAreRefused() throws {
    let all = (0..<20_000).map { number in
      Data(repeating: 7, count: 80) + withUnsafeBytes(of: number) { Data($0) }
    }
    expectLimit { _ = try decoded(Set<Data>.self, from: encoded(all)) }
    expectLimit { _ = try GraphDecoder().decode(codable: Set<Data>.self, from: encoded(all)) }
    try #expect(decoded(Set<Data>.self, from: encoded(Array(all.prefix(2_000)))).count == 2_000)
  }

  /// Foundation hashes decimals as `Double`.
  @Test func setsOfDecimalsThatAreAlmostEqualAreRefused() throws {
    let one = Decimal(string: "1")!
    let small = Decimal(string: "0.00000000000000000000000000000001")!
    let all = (0..<20_000).map { one + small * Decimal($0) }
    try #require(Set(all.map(\.hashValue)).count < 10)
    expectLimit { _ = try decoded(Set<Decimal>.self, from: encoded(all)) }
  }

  @Test func largeSetsOfOtherValuesComeBack() throws {
    struct Point: GCodable, Hashable {
      var x: Double
      init(_ x: Double) { self.x = x }
      init(from decoder: GDecoder) throws { x = try decoder.decode() }
      func encode(to encoder: GEncoder) throws { try encoder.encode(x) }
    }
    let points = Set((0..<20_000).map { Point(Double($0)) })
    try #expect(roundTrip(points) == points)
    let names = Dictionary(uniqueKeysWithValues: points.map { ($0, "\($0.x)") })
    try #expect(roundTrip(names) == names)
    let data = Set((0..<20_000).map { number in withUnsafeBytes(of: number) { Data($0) } })
    try #expect(roundTrip(data) == data)
  }

  // MARK: Sharing

  /// What writes values that are shared.
  struct Shared: GEncodable, GIdentifiable {
    let gcodableID: Int?
    init(_ level: Int) { gcodableID = level }
    func encode(to encoder: GEncoder) throws {
      let level = gcodableID ?? 0
      try encoder.encode(level > 0 ? [Shared(level - 1), Shared(level - 1)] : [], for: Letter.a)
    }
  }

  struct Unaware: GDecodable, Hashable {
    var parts: [Unaware]
    init(from decoder: GDecoder) throws { parts = try decoder.decode(for: Letter.a) }
  }

  struct Aware: GDecodable, GIdentifiable {
    var gcodableID: Int? { nil }
    var parts: [Aware]
    init(from decoder: GDecoder) throws { parts = try decoder.decode(for: Letter.a) }
  }

  /// 41 values that hashing meets 2^40 times.
  @Test func valuesWithoutIdentityThatManyWaysLeadToAreRefused() throws {
    let bytes = try encoded(Shared(40))
    expectLimit { _ = try decoded(Unaware.self, from: bytes) }
    try #expect(decoded(Aware.self, from: bytes).parts.count == 2)
    try #expect(Set([decoded(Unaware.self, from: encoded(Shared(10)))]).count == 1)
  }

  // MARK: Keys

  /// Steps that a record of so many fields takes, which are asked for from the last one to the first.
  private func steps(fieldCount count: Int) throws -> Int {
    let names = (0..<count).map { NameKey("key \($0)") }
    let bytes = try script { encoder in
      for name in names { try encoder.encode([Label(name.rawValue)], for: name) }
    }
    var steps = 0
    try Reading.decode(bytes) { decoder in
      let before = decoder.state.pointee.cursor.stepsLeft
      for name in names.reversed() {
        try #expect(decoder.decode([Label].self, for: name) == [Label(name.rawValue)])
      }
      for name in names.prefix(100) { _ = try? decoder.decode(Int.self, for: name) }
      steps = before - decoder.state.pointee.cursor.stepsLeft
    }
    return steps
  }

  /// Each field is passed over once, wherever it is.
  @Test func stepsOfLargeRecordsGrowWithTheirFields() throws {
    let (few, many) = try (steps(fieldCount: 1_000), steps(fieldCount: 8_000))
    #expect(few >= 1_000)
    #expect(many < few * 10)
  }
}
