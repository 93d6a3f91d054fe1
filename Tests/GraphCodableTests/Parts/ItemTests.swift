import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The archives of a model in both of its forms.
struct FleetArchive: CustomTestStringConvertible {
  let testDescription: String
  let bytes: Bytes

  static let both = [
    Self(testDescription: "GCodable", bytes: (try? encoded(Fleet(), .canonicalOrder)) ?? []),
    Self(testDescription: "Codable", bytes: (try? plain(Fleet(), .canonicalOrder)) ?? []),
  ]

  static func plain(_ fleet: Fleet, _ options: GraphEncoder.Options = []) throws -> Bytes {
    try GraphEncoder(options).encode(codable: PlainFleet(fleet))
  }
}

@Suite struct ItemTests {
  @Test func conditionalReferencesAreTold() throws {
    let parent = HastyParent([WaitingChild(1)])
    let archive = try GraphArchive(encoded(parent, .canonicalOrder))
    #expect(try !archive.item().isConditional)
    #expect(try !archive.item(at: "c[0]").isConditional)
    let back = try archive.items(at: "c[0]").filter { $0.objectNumber == 0 }
    #expect(back.map(\.isConditional) == [true, true])
  }

  @Test func segmentsHaveTheirBlocks() throws {
    let segment = try #require(
      try GraphArchive(encoded([UInt8](repeating: 7, count: 3 << 20))).info.segments.first)
    #expect(segment.blocks.map(\.rawByteCount).reduce(0, +) == 3 << 20)
    #expect(segment.blockCount == segment.blocks.count && segment.blockCount > 2)
    let stored = segment.blocks.map(\.storedByteCount).reduce(0, +)
    #expect(stored < 3 << 20 && UInt64(stored) < segment.storedByteCount)
  }

  private func lines(_ archive: FleetArchive, _ path: GraphPath, in range: Range<Int> = 0..<1000) throws
    -> [String]
  {
    try GraphArchive(archive.bytes).items(at: path, in: range).map { item in
      "\(item)".replacingOccurrences(of: "GraphCodableTests.", with: "")
        .replacingOccurrences(of: "Plain", with: "")
    }
  }

  @Test(arguments: FleetArchive.both) func partsAreListedOneLevelDeep(archive: FleetArchive) throws {
    try #expect("\(GraphArchive(archive.bytes).item())" == "record { 7 }")
    try #expect(
      lines(archive, "") == [
        "flagship: Tanker #0 { 6 }", "ships: array { 10 }", "byName: dictionary { 10 }",
        "byNumber: dictionary { 2 }",
        "byBerth: array { 2 }", "track: packed structs { 10 } of float64, float64 160 bytes", "label: nil",
      ])
    try #expect(
      lines(archive, "flagship.legs[2]") == [
        #"from: "port 2""#, #"to: "port 3""#, "days: [3, 2] { 2 } of int64 16 bytes",
      ])
    try #expect(
      lines(archive, "ships", in: 0..<3) == [
        "[0]: Ship #1 { 5 }", "[1]: Tanker #2 { 6 }", "[2]: Ship #3 { 5 }",
      ])
    try #expect(lines(archive, "ships[7].berths") == ["[0]: 7"])
  }

  @Test(arguments: FleetArchive.both) func enumsShowTheirPayloads(archive: FleetArchive) throws {
    try #expect(lines(archive, "ships[1].cargo") == ["boxes: record { 2 }"])
    try #expect(lines(archive, "ships[1].cargo.boxes") == ["count: 1", "weight: 0.5"])
    try #expect(lines(archive, "ships[0].cargo") == ["empty: record { 0 }"])
    try #expect(lines(archive, "ships[0].cargo.empty") == [])
  }

  @Test(arguments: FleetArchive.both) func dictionariesHaveTheirKeysAsSteps(archive: FleetArchive) throws {
    let names = try GraphArchive(archive.bytes).items(at: "byName")
    #expect(names.map(\.step) == (0..<10).map { .key("ship \($0)") })
    #expect(names[3].objectNumber == 0)
    #expect(names.allSatisfy { $0.keyText == nil })
    try #expect(lines(archive, "byNumber").sorted() == ["[-7]: record { 1 }", "[12]: record { 1 }"])
    try #expect(lines(archive, #"byName["ship 3"].name"#) == [])
    try #expect(GraphArchive(archive.bytes).item(at: #"byName["ship 3"].name"#).text == #""ship 3""#)
  }

  @Test(arguments: FleetArchive.both) func optionalsAndReferencesTakeNoStep(archive: FleetArchive) throws {
    try #expect(lines(archive, "byBerth") == ["[0]: nil", "[1]: record { 3 }"])
    try #expect(lines(archive, "byBerth[1].days") == ["[0]: 1", "[1]: 2", "[2]: 3"])
    try #expect(lines(archive, "byBerth[0]") == [])
    let sister: GraphPath = archive.testDescription == "Codable" ? ["sister", 0] : ["sister"]
    let there = GraphPath(["flagship"] + sister.steps + sister.steps)
    try #expect(GraphArchive(archive.bytes).item(at: there).objectNumber == 0)
  }

  @Test(arguments: FleetArchive.both) func packedElementsAndTheirFieldsAreItems(archive: FleetArchive) throws
  {
    try #expect(
      lines(archive, "track", in: 8..<20) == [
        "[8]: record { 2 } of float64, float64", "[9]: record { 2 } of float64, float64",
      ])
    try #expect(lines(archive, "track[3]") == ["[0]: 3.0", "[1]: -3.0"])
    try #expect(GraphArchive(archive.bytes).item(at: "track[3][1]").text == "-3.0")
  }

  @Test(arguments: ForgeryTests.targets) func whatIsListedIsFoundByItsPath(target: ForgeryTests.Target) throws
  {
    let archive = try GraphArchive(target.bytes)
    var paths: [GraphPath] = [""]
    var next = 0
    while next < paths.count, next < 100 {
      for item in try archive.items(at: paths[next]) {
        let path = paths[next].appending(try #require(item.step))
        // All but the key of a pair, which is known in the list alone.
        let line = "\(item)".replacingOccurrences(of: item.keyText.map { "\($0): " } ?? "", with: "")
        try #expect("\(archive.item(at: path))" == line)
        #expect(GraphPath(path.description) == path)
        paths.append(path)
      }
      next += 1
    }
    #expect(next > 1)
  }

  @Test func rangesAreKept() throws {
    let archive = try GraphArchive(encoded((0..<5000).map { "\($0)" }))
    try #expect(archive.items().count == 1000)
    try #expect(archive.items(in: 4_998..<9_999).map(\.text) == [#""4998""#, #""4999""#])
    try #expect(archive.items(in: 2..<2) == [])
    try #expect(archive.items(in: 5_000..<6_000) == [])
    try #expect(archive.items(in: -5..<1).map(\.step) == [.index(0)])
    let numbers = try GraphArchive(encoded((0..<5000).map { $0 }))
    try #expect(numbers.items(in: -5..<1).map(\.text) == ["0"])
    try #expect(numbers.items(in: 4_999..<Int.max).map(\.text) == ["4999"])
    try #expect(numbers.items(in: Int.min..<0) == [])
  }

  @Test func keysThatAreNeitherStringsNorIntegersArePlaces() throws {
    let byPoint = try GraphArchive(encoded([SIMD2(1.0, 2): "a"]))
    let item = try #require(try byPoint.items().first)
    #expect(item.step == .index(0))
    #expect(item.keyText == "SIMD2<Double>(1.0, 2.0)")
    #expect(item.text == #""a""#)
    let byLeg = try GraphArchive(GraphEncoder().encode(codable: [ShipKey2.a: 1, .b: 2]) as Bytes)
    try #expect(Set(byLeg.items().map(\.step)) == [.key("a"), .key("b")])
    try #expect(byLeg.item(at: "b").text == "2")
    let byLarge = try GraphArchive(encoded([UInt64.max: 1, 5: 2]))
    try #expect(byLarge.item(at: ["18446744073709551615"]).text == "1")
    try #expect(byLarge.item(at: [5]).text == "2")
  }

  @Test func fieldsInATailAreListed() throws {
    let bytes = try script { encoder in
      for index in 0..<300 { try encoder.encode(index, for: NameKey("k\(index)")) }
      try encoder.encode("last")
    }
    let archive = try GraphArchive(bytes)
    try #expect(archive.item().count == 301)
    try #expect(archive.item(at: "k299").text == "299")
    try #expect(archive.items(in: 298..<400).map(\.step) == [.key("k298"), .key("k299"), .index(0)])
    try #expect(archive.item(at: [0]).text == #""last""#)
    let error = #expect(throws: GCodableError.self) { try archive.item(at: "k300") }
    #expect(error?.code == .keyNotFound)
  }

  @Test func theFormOfItemsIsThatOfTheArchive() throws {
    let archive = try GraphArchive(
      GraphEncoder().encode(codable: ["a": [1.5, 2.5]]) as Bytes)
    let item = try archive.item(at: "a")
    #expect(item.packedFormats == [PackedFormat(.float64)])
    #expect(item.byteCount == 16)
    #expect(item.text == "[1.5, 2.5]")
    #expect(item.bulkSegment == nil)
    let large = try GraphArchive(encoded([(0..<2500).map { Double($0) }]))
    #expect(try large.item(at: [0]).bulkSegment == 0)
    #expect(try large.item(at: [0]).byteCount == 20_000)
    #expect(try large.item(at: [0, 2499]).text == "2499.0")
    let unit = try GraphArchive(encoded([Decimal(5)]))
    try #expect(unit.item().kind == .binary)
    try #expect(unit.item().byteCount ?? 0 > 0)
    try #expect(unit.items().isEmpty)
  }

  @Test func aPathThatLeadsNowhereSaysHowFarItWent() throws {
    let archive = try GraphArchive(FleetArchive.both[0].bytes)
    func expect(
      _ path: GraphPath, _ code: GCodableError.Code, _ there: String,
      _ location: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: GCodableError.self, sourceLocation: location) {
        try archive.items(at: path)
      }
      #expect(error?.code == code, sourceLocation: location)
      #expect(error?.keyPathDescription == there, sourceLocation: location)
    }
    expect("flagship.captain", .keyNotFound, "flagship")
    expect("captain", .keyNotFound, "")
    expect("ships[10]", .valueNotFound, "ships")
    expect("ships[-1].name", .valueNotFound, "ships")
    expect("ships.name", .typeMismatch, "ships")
    expect("flagship[0]", .valueNotFound, "flagship")
    expect("flagship.name.length", .typeMismatch, "flagship.name")
    expect("flagship.name[0]", .typeMismatch, "flagship.name")
    expect("byBerth[0].from", .valueNotFound, "byBerth[0]")
    expect("byName.nobody", .keyNotFound, "byName")
    expect("byName[3]", .keyNotFound, "byName")
    expect("byNumber[0]", .keyNotFound, "byNumber")
    expect("track[10]", .valueNotFound, "track")
    expect("track[-1]", .valueNotFound, "track")
    expect("track[0][2]", .valueNotFound, "track[0]")
    expect("track[0][0].x", .typeMismatch, "track[0][0]")
    expect("track[0].x", .typeMismatch, "track[0]")
  }
}

private enum ShipKey2: String, Codable, CodingKeyRepresentable { case a, b }
