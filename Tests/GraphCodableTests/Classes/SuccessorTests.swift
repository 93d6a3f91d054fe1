import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles

/// Classes that were renamed or moved are found where they are arguments of generic classes, too, or have classes inside.
@Suite("Successors among generic arguments")
struct SuccessorTests {
  /// An archive in which a class has another name.
  private func renamed(_ objects: some GEncodable, _ mangled: String, _ qualified: String) throws -> Bytes {
    try Forge(encoded(objects)).changingContents {
      $0.classes[0].mangledName = mangled
      $0.classes[0].qualifiedName = qualified
    }
  }

  /// An archive with a `Crate` of a type that is mangled so.
  private func crate(of argument: String) throws -> Bytes {
    try renamed(
      [Crate<Int>()], "17GraphCodableTests5CrateCy\(argument)G", "GraphCodableTests.Crate<App.Gone>")
  }

  static let decoders: [@Sendable () -> GraphDecoder] = [
    {
      let decoder = GraphDecoder()
      decoder.register(Moved.self)
      return decoder
    },
    {
      let decoder = GraphDecoder()
      decoder.setClass(Moved.self, for: .qualifiedName("App.Gone"))
      return decoder
    },
    {
      let decoder = GraphDecoder()
      decoder.setClass(Moved.self, for: .mangledName("3App4GoneC"))
      return decoder
    },
    {
      GraphDecoder(allowing: [
        Moved.self, Crate<Moved>.self, Crate<[String: Moved?]>.self, Crate<Crate<Moved>>.self,
      ])
    },
  ]

  @Test(arguments: decoders)
  func argumentsHaveTheirSuccessors(decoder: @Sendable () -> GraphDecoder) throws {
    let bytes = try crate(of: "3App4GoneC")
    #expect(try decoder().decode([Crate<Moved>].self, from: bytes).count == 1)
    let nested = try crate(of: "SDySS3App4GoneCSgG")
    #expect(try decoder().decode([Crate<[String: Moved?]>].self, from: nested).count == 1)
    let twice = try crate(of: "ACy3App4GoneCG")
    #expect(try decoder().decode([Crate<Crate<Moved>>].self, from: twice).count == 1)
  }

  @Test func withoutASuccessorTheErrorNamesAllThatWouldHelp() throws {
    let error = try #require(
      #expect(throws: GCodableError.self) {
        try GraphDecoder().decode([Crate<Moved>].self, from: crate(of: "3App4GoneC"))
      })
    #expect(error.code == .classNotFound)
    for part in [
      "App.Gone", "setClass(_:for:)", "setClass(codable:for:)", "GArchiveNamed", "GObsolete",
    ] { #expect(error.description.contains(part), "\(error)") }
  }

  @Test func successorsOfCodableClassesAreSetForTheDecoder() throws {
    let bytes = try crate(of: "3App4GoneC")
    let decoder = GraphDecoder()
    decoder.setClass(codable: PlainMoved.self, for: .qualifiedName("App.Gone"))
    #expect(try decoder.decode(codable: [Crate<PlainMoved>].self, from: bytes).count == 1)
  }

  @Test func replacementsOfObsoleteClassesAreSuccessors() throws {
    let name = try #require(_mangledTypeName(Crate<MovedAway>.self))
    let bytes = try renamed([Crate<Int>()], name, "GraphCodableTests.Crate<GraphCodableTests.MovedAway>")
    #expect(try GraphDecoder().decode([Crate<Moved>].self, from: bytes).count == 1)
  }

  /// What is chosen for instances of a class need not fit where it is an argument.
  @Test func aClassThatIsStillThereStaysAnArgument() throws {
    let decoder = GraphDecoder()
    decoder.setClass(Substitute.self, for: .qualifiedName("GraphCodableTests.Original"))
    let decoded = try decoder.decode(
      [Crate<Original>].self, from: encoded([Crate<Original>()]))
    #expect(type(of: decoded[0]) == Crate<Original>.self)
    #expect(try decoder.decode([Original].self, from: encoded([Original()]))[0] is Substitute)
  }

  @Test func classesInsideFollowTheOneAround() throws {
    let bytes = try renamed([Moved.Inner()], "3App4GoneC5InnerC", "App.Gone.Inner")
    #expect(try Self.decoders[0]().decode([Moved.Inner].self, from: bytes).count == 1)
    let decoder = GraphDecoder()
    #expect(throws: GCodableError.self) { try decoder.decode([Moved.Inner].self, from: bytes) }
  }

  @Test func aListedClassIsNotFoundByAnotherArgument() throws {
    let decoder = GraphDecoder(allowing: [Moved.self, Crate<Int>.self])
    #expect(throws: GCodableError.self) {
      try decoder.decode([Crate<Moved>].self, from: crate(of: "3App4GoneC"))
    }
  }

  @Test func successorsWithArgumentsTakeNoMore() {
    let successors = ["App.Gone": "3App3BoxCySiG", "App.Other": "3App4LastC"]
    func name(_ name: String) -> String? { MangledName.succeeded(name) { successors[$1] } }
    #expect(name("3App4CellCy3App4GoneCG") == "3App4CellCy3App3BoxCySiGG")
    #expect(name("3App4CellCy3App4GoneCySSGG") == nil)
    #expect(name("3App4GoneC5InnerC") == nil)
    #expect(name("3App5OtherC5InnerC") == "3App4LastC5InnerC")
    #expect(name("3App4PairCy3App5OtherCAFG") == "3App4PairCy3App4LastC3App4LastCG")
    #expect(name("3App4CellCySiG") == nil)
  }
}

class Crate<Value>: GCodable, Codable {
  init() {}
  required init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

final class Moved: GCodable, GArchiveNamed {
  static let archiveName = "test.moved"
  static let archiveAliases = ["App.Gone"]

  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}

  final class Inner: GCodable {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }
}

final class MovedAway: GCodable, GObsolete {
  static var replacementType: any GDecodable.Type { Moved.self }
}

final class PlainMoved: Codable {}

class Original: GCodable {
  init() {}
  required init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

final class Substitute: Original {}
