import GraphCodable
import CyclicCoding
import Foundation
import PolyCodable
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// `Codable` and `GCodable` in one graph, and the tools for archives on those of `Codable` models.
@Suite("Codable in archives: with GCodable")
struct CodableMixTests {
  /// `GCodable` as well, which counts.
  final class Species: GCodable, Codable {
    var name: String
    init(_ name: String) { self.name = name }

    private enum Key: String { case graphName }
    private enum CodingKeys: CodingKey { case name }

    init(from decoder: GDecoder) throws { name = try decoder.decode(for: Key.graphName) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Key.graphName) }
  }

  struct Cell: Codable {
    var species: Species
    var spots: [Species]
  }

  struct Grid: GCodable {
    var cells: [Cell]
    var named: Cell
    var species: Species

    private enum Key: String { case cells, named, species }

    init(cells: [Cell], named: Cell, species: Species) {
      (self.cells, self.named, self.species) = (cells, named, species)
    }

    init(from decoder: GDecoder) throws {
      cells = try decoder.decode(codable: [Cell].self, for: Key.cells)
      species = try decoder.decode(for: Key.species)
      named = try decoder.decode(codable: Cell.self)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(codable: cells, for: Key.cells)
      try encoder.encode(codable: named)
      try encoder.encode(species, for: Key.species)
    }
  }

  @Test func identityGoesAcross() throws {
    let (one, two) = (Species("one"), Species("two"))
    let grid = Grid(
      cells: [Cell(species: one, spots: [two, one]), Cell(species: two, spots: [])],
      named: Cell(species: two, spots: []), species: one)
    let bytes = try GraphEncoder().encode(grid) as Bytes
    let copy = try GraphDecoder().decode(Grid.self, from: bytes)
    #expect(copy.species === copy.cells[0].species && copy.cells[0].spots[1] === copy.species)
    #expect(copy.named.species === copy.cells[1].species && copy.named.species.name == "two")
    // As the root of Codable ones, too.
    let cells = try codableCopy(grid.cells)
    #expect(cells[0].spots[0] === cells[1].species)
    #expect(try GraphDecoder().dump(from: bytes).contains("+ \"graphName\": BIV \"one\""))
  }

  /// The subclass has more than its base class can do.
  class Base: Codable {
    var number = 1
    init() {}
  }

  final class Derived: Base, GCodable {
    var text = ""
    private enum Key: String { case text }

    override init() { super.init() }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
    init(from decoder: GDecoder) throws {
      text = try decoder.decode(for: Key.text)
      super.init()
    }
    func encode(to encoder: GEncoder) throws { try encoder.encode(text, for: Key.text) }
  }

  @Test func aSubclassThatIsGCodableIsCodedAsSuch() throws {
    let derived = Derived()
    derived.text = "x"
    let copy = try codableCopy([Base(), derived, derived])
    #expect((copy[1] as? Derived)?.text == "x" && copy[1] === copy[2] && copy[0].number == 1)
  }

  struct Report: Codable, Equatable {
    var title: String
    var values: [Double]
    var tags: [String]
    var next: [Report]
    var note: String?
  }

  struct GReport: GCodable, Equatable {
    var title: String
    var values: [Double]
    var tags: [String]
    var next: [GReport]
    var note: String?

    private enum Key: String { case title, values, tags, next, note }

    init(_ report: Report) {
      (title, values, tags) = (report.title, report.values, report.tags)
      next = report.next.map(GReport.init)
      note = report.note
    }

    init(from decoder: GDecoder) throws {
      title = try decoder.decode(for: Key.title)
      values = try decoder.decode(for: Key.values)
      tags = try decoder.decode(for: Key.tags)
      next = try decoder.decode(for: Key.next)
      note = try decoder.decodeIfPresent(for: Key.note)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(title, for: Key.title)
      try encoder.encode(values, for: Key.values)
      try encoder.encode(tags, for: Key.tags)
      try encoder.encode(next, for: Key.next)
      try encoder.encodeIfPresent(note, for: Key.note)
    }
  }

  private let report = Report(
    title: "all", values: (0..<10_000).map(Double.init), tags: ["a", "b"],
    next: [Report(title: "part", values: [1], tags: [], next: [], note: "n")])

  @Test func archivesAreThoseOfGCodableTypesWithTheSameKeys() throws {
    let bytes = try GraphEncoder().encode(codable: report) as Bytes
    #expect(try bytes == GraphEncoder().encode(GReport(report)) as Bytes)
    #expect(try GraphDecoder().decode(GReport.self, from: bytes) == GReport(report))
    #expect(try GraphDecoder().decode(codable: Report.self, from: bytes) == report)
    let forge = try Forge(bytes)
    #expect(forge.contents.bulk.count == 1 && forge.contents.shapes.count == 1)
    try GraphArchive(bytes).verify()
  }

  @Test func filesAndDumpsAreMadeAlike() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("codable-\(UUID()).gcodable")
    defer { try? FileManager.default.removeItem(at: url) }
    try GraphEncoder().write(codable: report, to: url)
    #expect(try GraphDecoder().read(codable: Report.self, from: url) == report)
    try await GraphEncoder().writeInBackground(codable: [report], to: url).finish()
    #expect(try GraphDecoder().read(codable: [Report].self, from: url) == [report])
    let dump = try GraphEncoder().dump(codable: report)
    #expect(try dump == GraphEncoder().dump(GReport(report)))
    #expect(dump.contains("+ \"title\": BIV \"all\""))
  }

  @Test func snapshotsOfASeriesAreMadeAlike() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("codable-\(UUID()).series")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try GraphArchiveSeries.Writer(url)
    try GraphEncoder().append(codable: report, to: writer, step: 1, time: 0.5, metadata: ["a": "b"])
    try await GraphEncoder().appendInBackground(codable: [report], to: writer, step: 2, time: 1).finish()
    let series = try GraphArchiveSeries(url)
    #expect(series.map(\.step) == [1, 2] && series[0].metadata == ["a": "b"])
    #expect(try GraphDecoder().read(codable: Report.self, from: series[0]) == report)
    #expect(try GraphDecoder().read(codable: [Report].self, from: series[1]) == [report])
    #expect(try GraphDecoder().read(GReport.self, from: series[0]) == GReport(report))
    #expect(throws: DecodingError.self) { try GraphDecoder().read(codable: Int.self, from: series[1]) }
    let cancelled = Progress(totalUnitCount: 1)
    cancelled.cancel()
    #expect(throws: CancellationError.self) {
      try GraphEncoder().append(codable: report, to: writer, step: 3, time: 2, progress: cancelled)
    }
    #expect(throws: CancellationError.self) {
      try GraphDecoder().read(codable: Report.self, from: series[0], progress: cancelled)
    }
    #expect(writer.series.count == 2)
  }

  @Test func theBytesAreTheSameEachTime() throws {
    let value = CodableModelTests.Mixed()
    let bytes = try GraphEncoder(.canonicalOrder).encode(codable: value) as Bytes
    #expect(try bytes == GraphEncoder(.canonicalOrder).encode(codable: value) as Bytes)
    let table = Dictionary(
      uniqueKeysWithValues: (0..<50).map { ("\($0)", CodableModelTests.Tree(name: "\($0)")) })
    let reversed = Dictionary(uniqueKeysWithValues: table.map { ($0, $1) }.reversed())
    #expect(
      try GraphEncoder(.canonicalOrder).encode(codable: table) as Bytes
        == GraphEncoder(.canonicalOrder).encode(codable: reversed) as Bytes)
  }

  // MARK: Private classes and other names

  private final class Hidden: Codable {
    var value = 3
  }

  final class Successor: Codable {
    var value: Int
  }

  @Test func privateClassesAreRegisteredOrReplaced() throws {
    let error = #expect(throws: GCodableError.self) {
      try GraphEncoder().encode(codable: [HiddenToo()]) as Bytes
    }
    #expect(error?.code == .classNotConstructible)
    GTypesRepository.shared.register(codable: Hidden.self)
    let bytes = try GraphEncoder().encode(codable: [Hidden()]) as Bytes
    #expect(try GraphDecoder().decode(codable: [Hidden].self, from: bytes)[0].value == 3)
    let decoder = GraphDecoder()
    decoder.setClass(
      codable: Successor.self,
      for: .qualifiedName(StableName.qualified(_typeName(Hidden.self, qualified: true))))
    #expect(try decoder.decode(codable: [Successor].self, from: bytes)[0].value == 3)
  }

  private final class HiddenToo: Codable {}

  // MARK: PolyCodable

  enum ShapeType: String, PolymorphicClassTable {
    case circle, square
    var polymorphicClass: any PolyCodable.Type {
      switch self {
      case .circle: Circle.self
      case .square: Square.self
      }
    }
  }

  typealias Shape = DefaultKeyedPolymorphicClass<ShapeType>

  final class Circle: Shape {
    init() { super.init(.circle) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  final class Square: Shape {
    init() { super.init(.square) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  struct Drawing: Codable {
    @Polymorphic var shapes: [Shape]
    var plain: [Shape]
  }

  @Test func polymorphicModelsComeBack() throws {
    let square = Square()
    let copy = try codableCopy(Drawing(shapes: [Circle(), square], plain: [square, square]))
    #expect(copy.shapes[0] is Circle && copy.shapes[1] is Square)
    #expect(copy.plain[0] is Square && copy.plain[0] === copy.plain[1])
  }

  struct Cages: Codable {
    @Polymorphic var byName: [String: Shape]
    @Polymorphic var byNumber: [Int: [Shape?]]
  }

  @Test func polymorphicDictionariesComeBack() throws {
    let cages = Cages(
      byName: ["a": Circle(), "b": Square()], byNumber: [1: [Circle(), nil], 2: [Square()]])
    func check(_ copy: Cages) {
      #expect(copy.byName["a"] is Circle && copy.byName["b"] is Square && copy.byName.count == 2)
      #expect(copy.byNumber[1]?.count == 2 && copy.byNumber[1]?[0] is Circle && copy.byNumber[1]?[1] == nil)
      #expect(copy.byNumber[2]?.first is Square)
    }
    check(try codableCopy(cages))
    check(try JSONDecoder().decode(Cages.self, from: JSONEncoder().encode(cages)))
  }
}
