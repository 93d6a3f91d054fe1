import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Names that differ only in their normalization, which Swift takes for equal strings, are two names.
@Suite("Corpus: normalization") struct NormalizationTests {
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  /// A record of both keys.
  private static func record(fieldsBefore count: Int) throws -> Bytes {
    try script { encoder in
      for number in 0..<count { try encoder.encode(number, for: NameKey("field \(number)")) }
      try encoder.encode(1, for: NameKey(composed))
      try encoder.encode(2, for: NameKey(decomposed))
    }
  }

  /// With 300 fields before, they are overflow fields.
  @Test(arguments: [0, 300]) func bothFieldsAreDecoded(fieldsBefore count: Int) throws {
    let bytes = try Self.record(fieldsBefore: count)
    try GraphArchive(bytes).verify()
    for keys in [[Self.composed, Self.decomposed], [Self.decomposed, Self.composed]] {
      var values: [Int] = []
      try Reading.decode(bytes) { decoder in
        for key in keys { values.append(try decoder.decode(for: NameKey(key))) }
      }
      #expect(values == (keys[0].utf8.count == 2 ? [1, 2] : [2, 1]))
    }
  }

  @Test(arguments: [0, 300]) func bothPathsLeadToTheirFields(fieldsBefore count: Int) throws {
    let archive = try GraphArchive(Self.record(fieldsBefore: count))
    try #expect(archive.decode(Int.self, at: GraphPath([.key(Self.composed)])) == 1)
    try #expect(archive.decode(Int.self, at: GraphPath([.key(Self.decomposed)])) == 2)
    try #expect(archive.item(at: GraphPath([.key(Self.decomposed)])).text == "2")
    let keys = try archive.items().suffix(2).map { item -> Bytes in
      if case .key(let key) = item.step { Bytes(key.utf8) } else { [] }
    }
    #expect(keys == [Bytes(Self.composed.utf8), Bytes(Self.decomposed.utf8)])
  }

  @Test func codableFieldsAreDecoded() throws {
    struct Model: Codable, Equatable {
      var one: Int
      var two: Int
      enum CodingKeys: String, CodingKey {
        case one = "\u{E9}"
        case two = "f"
      }
    }
    // A program cannot have an enum of both, so the archive has one more key than the model.
    let bytes = Draft(record: [
      ("e\u{301}", Kind.uint8, [7]), ("\u{E9}", Kind.uint8, [8]), ("f", Kind.uint8, [9]),
    ]).bytes
    try #expect(GraphDecoder().decode(codable: Model.self, from: bytes) == Model(one: 8, two: 9))
  }

  @Test func bothPairsOfMetadataAreKept() throws {
    let item = try #require(ValidCase.all.first { $0.name == "metadata-of-two-normalizations" })
    let pairs = try GraphArchive(item.bytes).metadataPairs
    #expect(pairs.map { Bytes($0.key.utf8) } == [Bytes(Self.decomposed.utf8), Bytes(Self.composed.utf8)])
    #expect(pairs.map(\.value) == ["decomposed", "composed"])
  }

  @Test func bothPairsOfMetadataOfAnEntryAreKept() throws {
    let entry = DraftSeries.Entry(
      archive: Draft().bytes,
      metadata: [(utf8(Self.decomposed), utf8("decomposed")), (utf8(Self.composed), utf8("composed"))])
    let folder = try TemporaryFolder()
    let url = folder.file("x.gcseries")
    try Data(DraftSeries([entry]).bytes).write(to: url)
    let series = try GraphArchiveSeries(url)
    #expect(series.count == 1)
    try GraphDecoder().verify(series)
  }

  @Test func ofAKeyThatIsThereTwiceTheFirstOneCounts() throws {
    let item = try #require(ValidCase.all.first { $0.name == "key-repeated" })
    var values: [Int] = []
    try Reading.decode(item.bytes) { decoder in
      values = [try decoder.decode(for: NameKey("a")), try decoder.decode(for: NameKey("b"))]
    }
    #expect(values == [7, 1])
    try #expect(GraphDecoder().decode(codable: [String: Int].self, from: item.bytes) == ["a": 7, "b": 1])
    let archive = try GraphArchive(item.bytes)
    try #expect(archive.decode(Int.self, at: "a") == 7)
    try #expect(archive.decode(Int.self, at: "b") == 1)
  }
}
