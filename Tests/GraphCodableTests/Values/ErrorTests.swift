import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Errors")
struct ErrorTests {
  private struct Node: GCodable {
    var name: String
    init(_ name: String) { self.name = name }
    func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Letter.n) }
    init(from decoder: GDecoder) throws { name = try decoder.decode(for: Letter.n) }
  }

  private struct Model: GCodable {
    var nodes: [Node]
    init(_ nodes: [Node]) { self.nodes = nodes }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(nodes, for: NameKey("nodes"))
      try encoder.encode(1, for: Letter.x)
      try encoder.encode(2)
    }
    init(from decoder: GDecoder) throws { nodes = try decoder.decode(for: NameKey("nodes")) }
  }

  private func error(_ bytes: Bytes, _ body: @escaping (GDecoder) throws -> Void) throws -> GCodableError {
    try #require(#expect(throws: GCodableError.self) { try Reading.decode(bytes, body) })
  }

  @Test func aMissingKeyNamesItselfTheTypeAndTheKeysThatAreThere() throws {
    let bytes = try encoded(Model([]))
    let error = try error(bytes) { _ = try $0.decode(Double.self, for: NameKey("radius")) }
    #expect(error.code == .keyNotFound)
    for part in ["\"radius\"", "\"nodes\"", "\"x\"", "Double"] { #expect(error.description.contains(part)) }
    #expect(error.byteOffset != nil)
    // Keys that were taken are not there any more.
    let later = try self.error(bytes) {
      _ = try $0.decode(Int.self, for: Letter.x)
      _ = try $0.decode(Int.self, for: Letter.x)
    }
    #expect(later.description.contains("\"nodes\""))
    #expect(later.code == .keyNotFound)
  }

  @Test func aWrongTypeNamesBoth() throws {
    let bytes = try encoded(Model([]))
    let error = try error(bytes) { _ = try $0.decode(String.self, for: Letter.x) }
    #expect(error.code == .typeMismatch)
    #expect(error.description.contains("int64"))
    #expect(error.description.contains("String"))
    #expect(error.keyPathDescription == "x")
    #expect(error.byteOffset != nil)
  }

  @Test func aRecordWithKeysIsNoContainer() throws {
    struct Keyed: GEncodable {
      func encode(to encoder: GEncoder) throws { try encoder.encode(1, for: Letter.a) }
    }
    func check<Container: GDecodable>(_ type: Container.Type) throws {
      let error = #expect(throws: GCodableError.self) { try decoded(type, from: encoded(Keyed())) }
      #expect(error?.code == .typeMismatch)
    }
    try check([Int].self)
    try check(Set<String>.self)
    try check([Int: Int].self)
  }

  @Test func theKeyPathLeadsThroughArraysAndRecords() throws {
    struct Other: GDecodable {
      init(from decoder: GDecoder) throws { _ = try decoder.decode(Int.self, for: Letter.n) }
    }
    let bytes = try encoded(Model((0..<5).map { Node("node \($0)") }))
    let error = try error(bytes) { _ = try $0.decode([Other].self, for: NameKey("nodes")) }
    #expect(error.keyPathDescription == "nodes[0].n")

    // The fourth element alone is wrong: it has text of another kind.
    let mixed = try script {
      try $0.encode(
        (0..<5).map { index in
          Script { encoder in
            if index == 3 {
              try encoder.encode(7, for: NameKey("name"))
            } else {
              try encoder.encode("x", for: NameKey("name"))
            }
          }
        }, for: NameKey("nodes"))
    }
    struct Named: GDecodable {
      init(from decoder: GDecoder) throws { _ = try decoder.decode(String.self, for: NameKey("name")) }
    }
    let fourth = try self.error(mixed) { _ = try $0.decode([Named].self, for: NameKey("nodes")) }
    #expect(fourth.keyPathDescription == "nodes[3].name")
    #expect(fourth.description.contains("nodes[3].name"))
  }

  @Test func theKeyPathLeadsThroughDictionariesOptionalsAndObjects() throws {
    struct Wrong: GDecodable {
      init(from decoder: GDecoder) throws {
        _ = try decoder.decode([String: [Int?]].self, for: Letter.a)
      }
    }
    let bytes = try script {
      try $0.encode(Optional(Script { try $0.encode(["key": ["text"]], for: Letter.a) }), for: Letter.o)
    }
    let inner = try error(bytes) { _ = try $0.decode(Wrong?.self, for: Letter.o) }
    #expect(inner.keyPath == ["o", "a", "key", "[0]"])

    let object = try encoded([Impatient("a")])
    struct Reader: GDecodable { init(from decoder: GDecoder) throws {} }
    let error = #expect(throws: GCodableError.self) { try decoded([HashedClass].self, from: object) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.keyPathDescription == "[0]")
  }

  @Test func unkeyedValuesAreCountedInThePath() throws {
    let bytes = try script {
      try $0.encode(1)
      try $0.encode(2, for: Letter.a)
      try $0.encode("three")
    }
    let error = try error(bytes) {
      _ = try $0.decode(Int.self)
      _ = try $0.decode(Int.self)
    }
    #expect(error.keyPathDescription == "[1]")
  }

  @Test func anErrorOfTheUsersReachesTheCallerAsItIs() throws {
    struct Own: Error, Equatable { var number: Int }
    let bytes = try script { try $0.encode([1], for: Letter.a) }
    #expect(throws: Own(number: 3)) { try Reading.decode(bytes) { _ in throw Own(number: 3) } }
    #expect(throws: Own(number: 4)) {
      _ = try script { try $0.encode([Script { _ in throw Own(number: 4) }], for: Letter.a) }
    }
  }

  @Test func anErrorWhileEncodingNamesThePath() throws {
    let error = #expect(throws: GCodableError.self) {
      _ = try script {
        try $0.encode(
          Script {
            try $0.encode(1, for: Letter.b)
            try $0.encode(2, for: Letter.b)
          }, for: Letter.a)
      }
    }
    #expect(error?.keyPath.first == "a")
    #expect(error?.code == .duplicateKey)
  }

  @Test func codesAreKnownByTheirNumbers() {
    #expect(GCodableError.Code(rawValue: 20) == .keyNotFound)
    #expect(GCodableError.Code(rawValue: 20).name == "keyNotFound")
    #expect(GCodableError.Code(rawValue: 99_999).name == "unknown")
    #expect(GCodableError.Code(rawValue: 99_999).rawValue == 99_999)
  }
}

/// A decode that failed and whose error was caught leaves the fields behind it where they are.
@Suite("Going on after an error")
struct RecoveryTests {
  private func check(_ wrong: @escaping (GDecoder) throws -> Void, _ value: some GEncodable) throws {
    let bytes = try script {
      try $0.encode(1, for: Letter.a)
      try $0.encode(value, for: Letter.b)
      try $0.encode("next", for: Letter.c)
      try $0.encode(4)
      try $0.encode("last", for: Letter.d)
    }
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.decode(Int.self, for: Letter.a) == 1)
      #expect(throws: (any Error).self) { try wrong(decoder) }
      try #expect(decoder.decode(String.self, for: Letter.c) == "next")
      try #expect(decoder.decode(Int.self) == 4)
      try #expect(decoder.decode(String.self, for: Letter.d) == "last")
    }
    // Out of order.
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.decode(String.self, for: Letter.d) == "last")
      #expect(throws: (any Error).self) { try wrong(decoder) }
      try #expect(decoder.decode(Int.self) == 4)
      try #expect(decoder.decode(String.self, for: Letter.c) == "next")
    }
  }

  @Test func aValueOfAnotherType() throws {
    try check({ _ = try $0.decode(Int.self, for: Letter.b) }, "a text of some length")
    try check({ _ = try $0.decode(Int8.self, for: Letter.b) }, 1000)
    try check({ _ = try $0.decode(String.self, for: Letter.b) }, [1, 2, 3])
    try check({ _ = try $0.decode([String].self, for: Letter.b) }, [1.5, 2.5])
    try check({ _ = try $0.decode(Int?.self, for: Letter.b) }, Optional("text"))
    try check({ _ = try $0.decode(Int.self, for: Letter.b) }, Int?.none)
  }

  @Test func aValueInsideAnotherOne() throws {
    try check({ _ = try $0.decode([Int].self, for: Letter.b) }, ["text", "text"])
    try check({ _ = try $0.decode([[Int8]?].self, for: Letter.b) }, [[1], nil, [1, 1_000]] as [[Int]?])
    try check({ _ = try $0.decode([String: Int].self, for: Letter.b) }, ["a": "b", "c": "d"])
    try check({ _ = try $0.decode(Set<Int>.self, for: Letter.b) }, Set(["a", "b"]))
  }

  @Test func aRecordThatThrowsHalfway() throws {
    struct Own: Error {}
    let record = Script {
      try $0.encode("first", for: Letter.a)
      try $0.encode([1, 2], for: Letter.b)
      try $0.encode(3)
    }
    try check(
      { decoder in
        try Reading.nested(
          decoder,
          {
            _ = try $0.decode([Int].self, for: Letter.b)
            throw Own()
          }
        ) { _ = try decoder.decode(Reading.self, for: Letter.b) }
      }, record)
    try check(
      { decoder in
        try Reading.nested(decoder, { _ = try $0.decode(Int.self, for: Letter.a) }) {
          _ = try decoder.decode([Reading].self, for: Letter.b)
        }
      }, [record, record])
  }

  @Test func anObjectThatThrows() throws {
    try check({ _ = try $0.decode(Derived.self, for: Letter.b) }, Base(name: "b"))
    try check({ _ = try $0.decode(String.self, for: Letter.b) }, Base(name: "b"))
    let bad = Link(0)
    bad.isBad = true
    try check({ _ = try $0.decode(Link.self, for: Letter.b) }, bad)
    try check({ _ = try $0.decode([Link].self, for: Letter.b) }, [Link(1), bad, Link(2)])
  }
}
