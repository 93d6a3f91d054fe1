import CyclicCoding
import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite struct PartTests {
  let fleet = Fleet()
  var archive: Bytes { get throws { try encoded(fleet) } }
  var plainArchive: Bytes { get throws { try FleetArchive.plain(fleet) } }

  @Test func anObjectComesWithWhatItLeadsTo() throws {
    let tanker = try GraphArchive(archive).decode(Ship.self, at: "ships[3]")
    #expect((tanker as? Tanker)?.tons == 3000)
    #expect(tanker.name == "ship 3")
    #expect(tanker.legs == fleet.ships[3].legs)
    #expect(tanker.cargo == .empty)
    #expect(tanker.sister?.name == "ship 2")
    #expect(tanker.sister?.sister === tanker)
    let plain = try GraphArchive(plainArchive).decode(codable: PlainShip.self, at: "ships[3]")
    #expect((plain as? PlainTanker)?.tons == 3000)
    #expect(plain.legs == fleet.ships[3].legs)
    // What holds it is not in the part.
    #expect(plain.sister[] == nil)
  }

  @Test func objectsAreTheSameInsideOfAPart() throws {
    let ships = try GraphArchive(archive).decode([Ship].self, at: "ships")
    #expect(ships.count == 10)
    for index in ships.indices { #expect(ships[index].sister === ships[index ^ 1]) }
    let plain = try GraphArchive(plainArchive).decode(codable: [PlainShip].self, at: "ships")
    for index in plain.indices { #expect(plain[index].sister[] === plain[index ^ 1]) }
  }

  @Test(arguments: FleetArchive.both) func valuesOfAllKindsAreFound(archive: FleetArchive) throws {
    let bytes = archive.bytes
    let decoder = GraphDecoder()
    func expect<Value: GDecodable & Decodable & Equatable>(
      _ value: Value, at path: GraphPath, _ location: SourceLocation = #_sourceLocation
    ) throws {
      try #expect(
        GraphArchive(bytes).decode(Value.self, at: path, using: decoder) == value, sourceLocation: location)
      try #expect(
        GraphArchive(bytes).decode(codable: Value.self, at: path, using: decoder) == value,
        sourceLocation: location)
    }
    try expect("ship 3", at: "flagship.name")
    try expect(Cargo.boxes(count: 7, weight: 0.5), at: "byNumber[-7]")
    try expect(Cargo.empty, at: "byNumber[12]")
    try expect(fleet.byBerth, at: "byBerth")
    try expect(fleet.byBerth[1], at: "byBerth[1]")
    try expect(Leg("a", "b", [1, 2, 3]), at: "byBerth[1]")
    try expect(nil as Leg?, at: "byBerth[0]")
    try expect(nil as String?, at: "label")
    try expect(3, at: "byBerth[1].days[2]")
    try expect(fleet.track, at: "track")
    try expect(Point(x: 7, y: -7), at: "track[7]")
    try expect(-7.0, at: "track[7][1]")
    try expect("ship 4", at: #"byName["ship 4"].name"#)
    try expect(0.5, at: "ships[1].cargo.boxes.weight")
    try expect(Set([6]), at: "ships[6].berths")
    try expect(6, at: "ships[6].berths[0]")
  }

  @Test(arguments: FleetArchive.both) func everyItemOfAPackedArrayIsAnElement(archive: FleetArchive) throws {
    for index in fleet.track.indices {
      let path = GraphPath("track").appending(.index(index))
      try #expect(GraphArchive(archive.bytes).decode(Point.self, at: path) == fleet.track[index])
    }
  }

  @Test func thePathOfTheRootIsTheWhole() throws {
    let root = try GraphArchive(archive).decode(Fleet.self, at: "")
    #expect(root.flagship === root.ships[3])
    #expect(root.byName["ship 5"] === root.ships[5])
    let plain = try GraphArchive(plainArchive).decode(codable: PlainFleet.self, at: [])
    #expect(plain.flagship === plain.ships[3])
    try #expect(GraphArchive(encoded(5)).decode(Int.self, at: "") == 5)
  }

  @Test func elementsOfPackedArraysAreOfAnyPackedType() throws {
    func expect<Value: GCodable & Codable & Equatable>(
      _ values: [Value], _ location: SourceLocation = #_sourceLocation
    ) throws {
      let bytes = try encoded(values)
      let plain = try GraphEncoder().encode(codable: values) as Bytes
      for (index, value) in values.enumerated() {
        try #expect(
          GraphArchive(bytes).decode(Value.self, at: [.index(index)]) == value,
          sourceLocation: location)
        try #expect(
          GraphArchive(plain).decode(codable: Value.self, at: [.index(index)]) == value,
          sourceLocation: location)
      }
    }
    try expect([1, -2, .max] as [Int])
    try expect([1, -2, .max] as [Int8])
    try expect([1, .max] as [UInt16])
    try expect([1, .max] as [UInt64])
    try expect([1.5, -.infinity] as [Float])
    try expect([true, false])
    try expect([SIMD3<Float>(1, 2, 3), .zero])
    try expect([UUID(), UUID()])
    try expect([Date(timeIntervalSinceReferenceDate: 5)])
    try expect(Array(Data([1, 2, 3])))
  }

  @Test func anErrorHasThePathFromTheRoot() throws {
    let bytes = try archive
    func expect<Value: GDecodable>(
      _ type: Value.Type, _ path: GraphPath, _ code: GCodableError.Code, _ there: String,
      _ location: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: GCodableError.self, sourceLocation: location) {
        try GraphArchive(bytes).decode(type, at: path)
      }
      #expect(error?.code == code, sourceLocation: location)
      #expect(error?.keyPathDescription == there, sourceLocation: location)
    }
    expect(Int.self, "flagship.name", .typeMismatch, "flagship.name")
    expect(Leg.self, "byBerth[0]", .valueNotFound, "byBerth[0]")
    expect([Int].self, "flagship.legs", .typeMismatch, "flagship.legs[0]")
    expect(Int.self, "track[3]", .typeMismatch, "track[3]")
    let element = #expect(throws: GCodableError.self) {
      try GraphArchive(bytes).decode(Int.self, at: "track[3]")
    }
    #expect(element?.byteOffset == nil)
    expect(Int.self, "flagship.captain", .keyNotFound, "flagship")
    expect(Ship.self, "ships[10]", .valueNotFound, "ships")
    let plain = try plainArchive
    do {
      _ = try GraphArchive(plain).decode(codable: [Int].self, at: "flagship.legs")
      Issue.record("legs are numbers")
    } catch DecodingError.typeMismatch(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["flagship", "legs", "Index 0"])
    }
    do {
      _ = try GraphArchive(plain).decode(codable: Extended.self, at: "byBerth[1]")
      Issue.record("a leg has no captain")
    } catch DecodingError.keyNotFound(let key, let context) {
      #expect(key.stringValue == "captain")
      #expect(context.codingPath.map(\.stringValue) == ["byBerth", "Index 1"])
    }
    let error = #expect(throws: GCodableError.self) {
      try GraphArchive(plain).decode(codable: Leg.self, at: "byBerth[2]")
    }
    #expect(error?.code == .valueNotFound)
  }

  private struct Extended: Codable { var captain: String }

  @Test func filesAndSnapshotsHavePartsToo() throws {
    let folder = try TemporaryFolder()
    let (file, series) = (folder.file("a.graph"), folder.file("a.series"))
    try GraphEncoder().write(fleet, to: file)
    let writer = try GraphArchiveSeries.Writer(series)
    for step in 0..<2 { try GraphEncoder().append(fleet, to: writer, step: step, time: 0) }
    let entry = try #require(GraphArchiveSeries(series).last)
    let decoder = GraphDecoder()
    try #expect(GraphArchive(file).decode(Ship.self, at: "flagship", using: decoder).name == "ship 3")
    try #expect(GraphArchive(entry).decode(Ship.self, at: "flagship", using: decoder).name == "ship 3")
    try #expect(
      GraphArchive(file).decode(codable: Point.self, at: "track[2]", using: decoder) == fleet.track[2])
    try #expect(
      GraphArchive(entry).decode(codable: Point.self, at: "track[2]", using: decoder) == fleet.track[2])
    try #expect(GraphArchive(file).item(at: "flagship").count == 6)
    try #expect(GraphArchive(entry).item(at: "flagship").count == 6)
    try #expect(
      GraphArchive(AnyCollection(encoded(fleet))).decode(String.self, at: "flagship.name", using: decoder)
        == "ship 3")
  }

  // MARK: Conditional references

  @Test func aWeakParentDoesNotBringTheGraphAlong() throws {
    let root = Twig(0, [Twig(1, [Twig(2), Twig(3)]), Twig(4, [Twig(5)])])
    let bytes = try encoded(root)
    let made = Counter()
    let decoder = GraphDecoder()
    decoder.userInfo[Twig.counter] = made
    let part = try GraphArchive(bytes).decode(Twig.self, at: "c[0]", using: decoder)
    #expect(part.number == 1)
    #expect(part.parent == nil)
    #expect(part.children.map(\.number) == [2, 3])
    #expect(part.children.allSatisfy { $0.parent === part })
    #expect(made.count == 3)
    // A path may lead through such a reference, and to one.
    let parent = try GraphArchive(bytes).decode(Twig?.self, at: "c[0].c[1].p", using: decoder)
    #expect(parent?.number == 1)
    #expect(parent?.children.count == 2)
    try #expect(GraphArchive(bytes).decode(Int.self, at: "c[0].p.n", using: decoder) == 0)
    #expect(try GraphArchive(bytes).item(at: "c[1].p").objectNumber == 0)
  }

  /// A tree whose parents are weak.
  final class Twig: GCodable {
    static let counter = CodingUserInfoKey(rawValue: "counter")!
    let number: Int
    var children: [Twig]
    weak var parent: Twig?

    init(_ number: Int, _ children: [Twig] = []) {
      self.number = number
      self.children = children
      for child in children { child.parent = self }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Letter.n)
      try encoder.encode(children, for: Letter.c)
      try encoder.encodeConditional(parent, for: Letter.p)
    }

    init(from decoder: GDecoder) throws {
      (decoder.userInfo[Self.counter] as? Counter)?.count += 1
      number = try decoder.decode(for: Letter.n)
      children = []
      try decoder.deferDecode(for: Letter.c) { self.children = $0 }
      try decoder.deferDecode(for: Letter.p) { self.parent = $0 }
    }
  }

  final class Counter { var count = 0 }
}
