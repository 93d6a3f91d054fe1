import GraphCodableMacros
import Testing

@GCodable(name: "test.segment", was: "GraphCodableMacrosTests.OldResidue", "test.residue") final class Segment
{
  var value: Int
  init(_ value: Int) { self.value = value }
}

@GCodable(name: "test.base") class NamedBase {
  var value: Int
  init(_ value: Int) { self.value = value }
}

@GCodable(name: "test.derived", was: "test.older") final class NamedDerived: NamedBase {
  var extra: Int
  init(_ value: Int, extra: Int) {
    self.extra = extra
    super.init(value)
  }
}

/// Swift finds no private class by its name.
@GCodable(name: "test.draft") private final class Draft {
  var text: String
  init(_ text: String) { self.text = text }
}

private enum Hidden {
  @GCodable(name: "test.hidden.note") final class Note {
    var text: String
    init(_ text: String) { self.text = text }
  }
}

@GCodable(version: 2) final class Specimen {
  @GDefault(0) private(set) var kilograms: Double
  init(kilograms: Double) { self.kilograms = kilograms }

  private enum Old: String { case grams }

  /// Version 1 stored grams.
  private func migrate(from version: UInt32, _ decoder: GDecoder) throws {
    guard version < 2 else { return }
    kilograms = try decoder.decode(Double.self, for: Old.grams) / 1000
  }
}

@GCodable(version: 1) class VersionedBase {
  var calls: [String] = []
  var value: Int
  init(_ value: Int) { self.value = value }
  func migrate(from version: UInt32, with decoder: GDecoder) throws { calls.append("base \(version)") }
}

@GCodable(version: 3) final class VersionedDerived: VersionedBase {
  var extra = 0
  override init(_ value: Int) { super.init(value) }
  override func migrate(from version: UInt32, with decoder: GDecoder) throws {
    calls.append("derived \(version)")
    try super.migrate(from: version, with: decoder)
  }
}

/// What an older program wrote.
final class OldSpecimen: GEncodable {
  static var typeVersion: UInt32 { 1 }
  enum Key: String { case grams }
  func encode(to encoder: GEncoder) throws { try encoder.encode(1500.0, for: Key.grams) }
}

final class OldVersioned: GEncodable {
  enum Key: String { case extra, calls, value }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(4, for: Key.extra)
    try encoder.encode([String](), for: Key.calls)
    try encoder.encode(5, for: Key.value)
  }
}

final class OldResidue: GEncodable {
  enum Key: String { case value }
  func encode(to encoder: GEncoder) throws { try encoder.encode(7, for: Key.value) }
}

@GCodable(name: "test.renamed", was: "GraphCodableMacrosTests.OldRenamed") final class Renamed {
  var value = 0
}

final class OldRenamed: GEncodable {
  enum Key: String { case value }
  func encode(to encoder: GEncoder) throws { try encoder.encode(7, for: Key.value) }
}

enum Around {
  @GCodable(name: "test.nested", was: "GraphCodableMacrosTests.Around.OldNested") class Nested {
    var value = 0
  }

  final class OldNested: GEncodable {
    enum Key: String { case value }
    func encode(to encoder: GEncoder) throws { try encoder.encode(8, for: Key.value) }
  }
}

@GCodable final class OldPart { var value = 0 }

@GCodable(name: "test.part", was: "GraphCodableMacrosTests.OldPart") final class Part { var value = 0 }

@GCodable final class Shelf<Value: GCodable> {
  var values: [Value]
  init(_ values: [Value]) { self.values = values }
}

@Suite("@GCodable: names and versions of classes")
struct ClassNameShapeTests {
  @Test func classesAreStoredUnderTheirNames() throws {
    let encoder = GraphEncoder()
    encoder.compression = .none
    let archive = try encoder.encode([Segment(1)]) as [UInt8]
    #expect(String(decoding: archive, as: UTF8.self).contains("@test.segment"))
    #expect(Segment.archiveAliases == ["GraphCodableMacrosTests.OldResidue", "test.residue"])
    #expect(try copy([Segment(3)])[0].value == 3)
  }

  @Test func olderNamesLeadToTheClass() throws {
    let old = try GraphEncoder().encode([OldResidue()]) as [UInt8]
    Segment.register()
    #expect(try GraphDecoder().decode([Segment].self, from: old)[0].value == 7)
  }

  @Test func subclassesHaveNamesOfTheirOwn() throws {
    #expect(NamedBase.archiveName == "test.base" && NamedDerived.archiveName == "test.derived")
    #expect(NamedBase.archiveAliases.isEmpty && NamedDerived.archiveAliases == ["test.older"])
    let copies = try copy([NamedBase(1), NamedDerived(2, extra: 3)])
    #expect((copies[1] as? NamedDerived)?.extra == 3)
  }

  #if compiler(>=6.3)
    @Test func renamedClassesAreFoundWithoutACall() throws {
      let old = try GraphEncoder().encode([OldRenamed()]) as [UInt8]
      #expect(try GraphDecoder().decode([Renamed].self, from: old)[0].value == 7)
      let older = try GraphEncoder().encode([Around.OldNested()]) as [UInt8]
      #expect(try GraphDecoder().decode([Around.Nested].self, from: older)[0].value == 8)
      #expect(try GraphDecoder(allowing: .registeredOnly).decode([Renamed].self, from: old)[0].value == 7)
    }

    @Test func renamedClassesAreFoundAmongGenericArguments() throws {
      let old = OldPart()
      old.value = 9
      let bytes = try GraphEncoder().encode([Shelf([old])]) as [UInt8]
      #expect(try GraphDecoder().decode([Shelf<Part>].self, from: bytes)[0].values[0].value == 9)
      let nested = try GraphEncoder().encode([Shelf([["k": Shelf([old])]])]) as [UInt8]
      let decoded = try GraphDecoder().decode([Shelf<[String: Shelf<Part>]>].self, from: nested)
      #expect(decoded[0].values[0]["k"]?.values[0].value == 9)
    }

    @Test func hiddenClassesAreRegisteredWhenTheProgramStarts() throws {
      #expect(try copy([Draft("d")])[0].text == "d")
      #expect(try copy([Hidden.Note("n")])[0].text == "n")
      let archive = try GraphEncoder().encode([Draft("d")]) as [UInt8]
      #expect(try GraphDecoder(allowing: .registeredOnly).decode([Draft].self, from: archive)[0].text == "d")
    }
  #endif

  @Test func olderVersionsMigrate() throws {
    #expect(Specimen.typeVersion == 2)
    let decoder = GraphDecoder()
    decoder.setClass(Specimen.self, for: .qualifiedName("GraphCodableMacrosTests.OldSpecimen"))
    let old = try GraphEncoder().encode([OldSpecimen()]) as [UInt8]
    #expect(try decoder.decode([Specimen].self, from: old)[0].kilograms == 1.5)
    #expect(try copy([Specimen(kilograms: 3)])[0].kilograms == 3)
  }

  @Test func overriddenMigrationRunsOnce() throws {
    #expect(VersionedBase.typeVersion == 1 && VersionedDerived.typeVersion == 3 && Animal.typeVersion == 0)
    let decoder = GraphDecoder()
    decoder.setClass(VersionedDerived.self, for: .qualifiedName("GraphCodableMacrosTests.OldVersioned"))
    let old = try GraphEncoder().encode([OldVersioned()]) as [UInt8]
    let decoded = try decoder.decode([VersionedDerived].self, from: old)[0]
    #expect(decoded.calls == ["derived 0", "base 0"] && decoded.extra == 4 && decoded.value == 5)
  }
}
