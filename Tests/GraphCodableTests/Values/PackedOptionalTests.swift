import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles

/// Arrays of optionals whose elements are packed.
@Suite("Packed optionals") struct PackedOptionalTests {
  private struct Point: GPackedStruct, Equatable {
    var x: Double
    var flag: UInt64
    static let packedLayout = PackedLayout<Self>(\.x, \.flag)
  }

  private func check<Value: GCodable & Equatable>(_ value: Value, _ kind: GraphKind = .packedOptionals) throws
  {
    for compression in [GraphEncoder.Compression.none, .lz4] {
      let bytes = try encoded(value, compression: compression)
      let archive = try GraphArchive(bytes)
      #expect(try archive.item().kind == kind)
      #expect(try archive.decode(Value.self) == value)
      try archive.verify()
    }
  }

  @Test func allComeBack() throws {
    try check([1.5, nil, -0.0] as [Double?])
    try check([] as [Int?])
    try check([nil] as [UInt8?])
    try check((0..<9).map { $0 } as [Int?])
    try check([true, nil, false] as [Bool?])
    try check([UUID(), nil] as [UUID?])
    try check([SIMD3<Float>(1, 2, 3), nil] as [SIMD3<Float>?])
    try check([Point(x: 1, flag: 2), nil] as [Point?])
    try check(["a", nil, "", "é𝄞"] as [String?])
    try check(["a", nil, "🇩🇪"] as [Character?])
    try check([1..<2, nil] as [Range<Int>?])
    try check((0..<40_000).map { $0 % 3 == 0 ? nil : Double($0) } as [Double?])
    try check((0..<200_000).map { $0 % 5 == 0 ? nil : UInt8(truncatingIfNeeded: $0) } as [UInt8?])
    try check((0..<9_000).map { $0 % 7 == 0 ? nil : "string \($0)" } as [String?])
    try check([[1, nil], [], [nil]] as [[Int?]], .array)
    try check([1, .some(nil), nil] as [Int??], .array)
    try check([[1]] as [[Int]?], .array)
  }

  @Test func theyAreReadAsOtherTypes() throws {
    let numbers = try GraphArchive(encoded([1, nil, 3] as [Int?]))
    #expect(try numbers.decode([Int8?].self) == [1, nil, 3])
    #expect(try numbers.decode(Set<Int?>.self) == [1, nil, 3])
    #expect(try numbers.decode(ContiguousArray<Int?>.self) == [1, nil, 3])
    let error = #expect(throws: GCodableError.self) { try numbers.decode([Int].self) }
    #expect(error?.code == .valueNotFound && error?.keyPath == ["[1]"])
    #expect(try GraphArchive(encoded([1, 2] as [Int?])).decode([Int].self) == [1, 2])
    #expect(try GraphArchive(encoded(["a", nil])).decode([Substring?].self) == ["a", nil])
    #expect(try GraphArchive(encoded(["a", "b"] as [String?])).decode([String].self) == ["a", "b"])
    // The other way round.
    #expect(try GraphArchive(encoded([1, 2])).decode([Int?].self) == [1, 2])
    #expect(try GraphArchive(encoded(["a"])).decode([String?].self) == ["a"])
  }

  @Test func withoutALimitAllAreRead() throws {
    let decoder = GraphDecoder()
    decoder.limits.elementByteRatio = .max
    #expect(try decoder.decode([Int?].self, from: encoded([1, nil] as [Int?])) == [1, nil])
    #expect(try decoder.decode([String?].self, from: encoded(["a", nil])) == ["a", nil])
  }

  private struct Model: Codable, Equatable {
    var numbers: [Double?]
    var names: [String?]
    var more: [[Int?]]
  }

  @Test func codableModelsHaveThem() throws {
    let model = Model(numbers: [1, nil], names: ["a", nil, ""], more: [[nil, 2], []])
    let bytes: Bytes = try GraphEncoder().encode(codable: model)
    #expect(try GraphDecoder().decode(codable: Model.self, from: bytes) == model)
    #expect(try GraphArchive(bytes).item(at: "numbers").kind == .packedOptionals)
  }

  @Test func partsAreFound() throws {
    let archive = try GraphArchive(
      encoded(["n": [1.5, nil], "m": (0..<5_000).map { $0 == 7 ? nil : Double($0) }] as [String: [Double?]]))
    #expect(try archive.decode(Double.self, at: ["n", 0]) == 1.5)
    #expect(try archive.decode(Double?.self, at: ["n", 1]) == nil)
    #expect(try archive.items(at: "n").map(\.text) == ["1.5", "nil"])
    #expect(try archive.items(at: "m", in: 6..<9).map(\.text) == ["6.0", "nil", "8.0"])
    #expect(try archive.item(at: ["m", 7]).kind == .null)
    let error = #expect(throws: GCodableError.self) { try archive.item(at: ["n", 2]) }
    #expect(error?.code == .valueNotFound)
    let names = try GraphArchive(encoded(["a", nil, "c"]))
    #expect(try names.items().map(\.text) == [#""a""#, "nil", #""c""#])
    #expect(try names.decode(String.self, at: [2]) == "c")
  }

  @Test func withAnIdentityStringsAreStoredAsBefore() throws {
    let encoder = GraphEncoder(.tryHashableIdentityAtFirst)
    let strings: [String?] = ["a", nil, "a"]
    let bytes: Bytes = try encoder.encode(strings)
    #expect(try GraphArchive(bytes).item().kind == .array)
    #expect(try GraphDecoder().decode([String?].self, from: bytes) == strings)
  }
}
