import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Archive names")
struct ArchiveNameTests {
  @Test func aClassIsStoredUnderItsArchiveNameAndTheOneOfSwift() throws {
    let bytes = try encoded([Residue(1)])
    let stored = try #require(Forge(bytes).contents.classes.first)
    #expect(stored.mangledName == "@test.segment@\(_mangledTypeName(Residue.self) ?? "")")
    #expect(stored.qualifiedName == "GraphCodableTests.Residue")
    // It needs no registration as long as Swift finds it.
    #expect(try decoded([Residue].self, from: bytes).map(\.number) == [1])
  }

  @Test(arguments: [
    // Other modules and other names, as far as they were stored.
    ("@test.segment@3App4GoneC", "App.Gone"), ("@test.segment", "App.Gone"),
    // Names that it had before.
    ("@test.residue@3App4GoneC", "App.Gone"), ("@test.residue", "App.Gone"), ("3App4GoneC", "App.OldResidue"),
    ("3App10OldSegmentC", "App.Gone"), ("@x@3App10OldSegmentC", "App.Gone"),
  ])
  func aClassIsFoundUnderEachOfItsNames(mangled: String, qualified: String) throws {
    let bytes = try renamed(encoded([Residue(1)]), mangled, qualified)
    let decoder = GraphDecoder(allowing: [Residue.self])
    #expect(try decoder.decode([Residue].self, from: bytes).map(\.number) == [1])
    let registering = GraphDecoder()
    #expect(throws: GCodableError.self) { try registering.decode([Residue].self, from: bytes) }
    registering.register(Residue.self)
    #expect(try registering.decode([Residue].self, from: bytes).map(\.number) == [1])
  }

  @Test(arguments: ["@test.other", "@test", "@test.segmentt", "test.segment", "@", "@@test.segment"])
  func otherNamesAreNotFound(name: String) throws {
    let bytes = try renamed(encoded([Residue(1)]), name, "App.Gone")
    let decoder = GraphDecoder(allowing: [Residue.self])
    let error = #expect(throws: GCodableError.self) { try decoder.decode([Residue].self, from: bytes) }
    #expect(error?.code == .classNotFound)
  }

  @Test func twoLocalClassesOfOneNameAreToldApart() throws {
    func first() -> any (AnyObject & GCodable).Type {
      final class Local: LocalBase, GArchiveNamed { static let archiveName = "test.local.first" }
      return Local.self
    }
    func second() -> any (AnyObject & GCodable).Type {
      final class Local: LocalBase, GArchiveNamed { static let archiveName = "test.local.second" }
      return Local.self
    }
    let types = [first(), second()]
    let objects = types.compactMap { ($0 as? LocalBase.Type)?.init() }
    let error = #expect(throws: GCodableError.self) { try encoded(objects) }
    #expect(error?.code == .classNotConstructible)
    for type in types { type.register() }
    let bytes = try encoded(objects)
    #expect(
      try Forge(bytes).contents.classes.map(\.mangledName) == ["@test.local.first", "@test.local.second"])
    let copy = try decoded([LocalBase].self, from: bytes)
    #expect(copy.map { ObjectIdentifier(type(of: $0)) } == types.map { ObjectIdentifier($0) })
  }

  @Test func aGenericClassHasANameForEachOfItsArguments() throws {
    let decoder = GraphDecoder(allowing: [Cell<Int>.self, Cell<String>.self])
    let bytes = try encoded(Cell(1))
    #expect(try Forge(bytes).contents.classes[0].mangledName.hasPrefix("@test.cell<Int>@"))
    #expect(try decoder.decode(Cell<Int>.self, from: bytes).value == 1)
    #expect(try decoder.decode(Cell<String>.self, from: encoded(Cell("x"))).value == "x")
  }

  @Test func aSubclassDoesNotInheritTheNameOfItsSuperclass() throws {
    let bytes = try encoded([NamedBase(), NamedDerived(), NamedTwice()])
    let names = try Forge(bytes).contents.classes.map { $0.mangledName.split(separator: "@").first }
    #expect(names == ["test.base", "\(_mangledTypeName(NamedDerived.self) ?? "")", "test.twice"])
    let decoder = GraphDecoder(allowing: [NamedBase.self, NamedDerived.self, NamedTwice.self])
    let copy = try decoder.decode([NamedBase].self, from: bytes)
    #expect(copy[1] is NamedDerived && copy[2] is NamedTwice)
  }

  @Test func classesWithTheSameNameAreRefusedWhenTheyAreEncoded() throws {
    _ = try encoded(SameNameForAll<Int>())
    let error = #expect(throws: GCodableError.self) { try encoded(SameNameForAll<String>()) }
    #expect(error?.code == .classNotConstructible)
    #expect(error?.description.contains("SameNameForAll<Swift.Int>") == true)
  }

  @Test func classesWithTheSameNameCannotBothBeListed() async {
    await #expect(processExitsWith: .failure) {
      _ = GraphDecoder(allowing: [SameNameForAll<Int>.self, SameNameForAll<String>.self])
    }
    await #expect(processExitsWith: .failure) {
      SameNameForAll<Int>.register()
      SameNameForAll<String>.register()
    }
    await #expect(processExitsWith: .success) {
      SameNameForAll<Int>.register()
      SameNameForAll<Int>.register()
    }
  }

  @Test func namesThatCannotBeStoredAreRefused() async {
    for name in ["", "a b", "é", "a@b", String(repeating: "x", count: 256)] {
      #expect(!ArchiveNames.isValid(name))
    }
    #expect(ArchiveNames.isValid(String(repeating: "x", count: 255)))
    let error = #expect(throws: GCodableError.self) { try encoded(Misnamed()) }
    #expect(error?.code == .classNotConstructible)
    await #expect(processExitsWith: .failure) { Misnamed.register() }
  }

  @Test func codableClassesHaveArchiveNames() throws {
    let bytes = try GraphEncoder().encode(codable: [NamedCodable()]) as Bytes
    let gone = try renamed(bytes, "@test.codable@3App4GoneC", "App.Gone")
    let decoder = GraphDecoder()
    decoder.register(codable: NamedCodable.self)
    #expect(try decoder.decode(codable: [NamedCodable].self, from: gone).map(\.number) == [7])
  }

  /// An archive with another name for its class.
  private func renamed(_ bytes: Bytes, _ mangled: String, _ qualified: String) throws -> Bytes {
    try Forge(bytes).changingContents {
      $0.classes[0].mangledName = mangled
      $0.classes[0].qualifiedName = qualified
    }
  }
}

final class Residue: GCodable, GArchiveNamed {
  static let archiveName = "test.segment"
  static let archiveAliases = ["test.residue", "App.OldResidue", "3App10OldSegmentC"]
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: GDecoder) throws { number = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}

class LocalBase: GCodable {
  required init() {}
  required init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

final class Cell<Value: GCodable>: GCodable, GArchiveNamed {
  static var archiveName: String { "test.cell<\(Value.self)>" }
  let value: Value
  init(_ value: Value) { self.value = value }
  init(from decoder: GDecoder) throws { value = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(value) }
}

class NamedBase: LocalBase, GArchiveNamed {
  class var archiveName: String { "test.base" }
  class var archiveAliases: [String] { ["test.first"] }
}
final class NamedDerived: NamedBase {}
final class NamedTwice: NamedBase {
  override class var archiveName: String { "test.twice" }
}

final class SameNameForAll<Value>: LocalBase, GArchiveNamed {
  static var archiveName: String { "test.all" }
}

final class Misnamed: LocalBase, GArchiveNamed {
  static let archiveName = "no name"
}

final class NamedCodable: Codable, GArchiveNamed {
  static let archiveName = "test.codable"
  var number = 7
}
