import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Conditional encoding")
struct ConditionalTests {
  private func decodeNames(_ bytes: Bytes, _ count: Int) throws -> [String?] {
    var names: [String?] = []
    try Reading.decode(bytes) { decoder in
      for _ in 0..<count { names.append(try decoder.decode(Base?.self)?.name) }
      #expect(decoder.unkeyedCount == 0)
    }
    return names
  }

  @Test func anObjectThatIsAlsoEncodedUnconditionallyIsThere() throws {
    let object = Base(name: "x")
    let before = try script {
      try $0.encodeConditional(object)
      try $0.encode(object)
    }
    #expect(try decodeNames(before, 2) == ["x", "x"])
    let after = try script {
      try $0.encode(object)
      try $0.encodeConditional(object)
      try $0.encodeConditional(object)
    }
    #expect(try decodeNames(after, 3) == ["x", "x", "x"])
    for bytes in [before, after] {
      try Reading.decode(bytes) {
        let first = try $0.decode(Base?.self)
        try #expect($0.decode(Base?.self) === first)
        #expect(first != nil)
      }
    }
  }

  @Test func anObjectThatIsNeverEncodedUnconditionallyIsNil() throws {
    let bytes = try script {
      try $0.encodeConditional(Base(name: "gone"))
      try $0.encode(Base(name: "here"))
      try $0.encodeConditional(Base?.none)
      try $0.encodeConditional(Base(name: "gone too"))
      try $0.encode(Base(name: "here too"))
    }
    #expect(try decodeNames(bytes, 5) == [nil, "here", nil, nil, "here too"])
  }

  @Test func anObjectReachedOnlyThroughAConditionalOneIsNil() throws {
    let inner = ConditionalNode("inner")
    let middle = ConditionalNode("middle", strong: inner)
    let bytes = try script {
      try $0.encode(ConditionalNode("outer", weak: middle))
      try $0.encode(ConditionalNode("other", weak: inner))
    }
    try Reading.decode(bytes) {
      try #expect($0.decode(ConditionalNode.self).weak == nil)
      try #expect($0.decode(ConditionalNode.self).weak == nil)
    }
  }

  @Test func askingForANonOptionalThatIsNotThereThrows() throws {
    let bytes = try script { try $0.encodeConditional(Base(name: "gone"), for: Letter.a) }
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { _ = try $0.decode(Base.self, for: Letter.a) }
    }
    #expect(error?.code == .valueNotFound)
    #expect(error?.keyPathDescription == "a")
  }

  @Test func aValueWithAnIdentityIsConditionalToo() throws {
    let gone = try script { try $0.encodeConditional(Tagged(1, "x"), for: Letter.a) }
    try Reading.decode(gone) { try #expect($0.decode(Tagged?.self, for: Letter.a) == nil) }
    let here = try script {
      try $0.encodeConditional(Tagged(1, "never"), for: Letter.a)
      try $0.encode([Tagged(1, "x")], for: Letter.b)
    }
    try Reading.decode(here) { decoder in
      // Which of two values with one identity is stored is the encoder's choice.
      let name = try decoder.decode(Tagged?.self, for: Letter.a)?.name
      try #expect(decoder.decode([Tagged].self, for: Letter.b)[0].name == name)
    }
  }

  @Test func aValueWithoutIdentityIsEncodedUnconditionally() throws {
    let bytes = try script {
      try $0.encodeConditional(5, for: Letter.a)
      try $0.encodeConditional("text", for: Letter.b)
      try $0.encodeConditional([1, 2], for: Letter.c)
      try $0.encodeConditional(Tagged(nil, "none"), for: Letter.d)
    }
    try Reading.decode(bytes) {
      try #expect($0.decode(Int?.self, for: Letter.a) == 5)
      try #expect($0.decode(String?.self, for: Letter.b) == "text")
      try #expect($0.decode([Int].self, for: Letter.c) == [1, 2])
      try #expect($0.decode(Tagged?.self, for: Letter.d)?.name == "none")
    }
  }

  @Test func withoutIdentityConditionalMeansAlways() throws {
    let node = ConditionalNode("a", weak: ConditionalNode("b", weak: ConditionalNode("c")))
    let copy = try roundTrip(node, .disableIdentity)
    #expect(copy.weak?.weak?.name == "c")
  }

  /// The guide's dictionaries of a list whose links are conditional.
  @Test func theGuidesListKeepsWhatTheRootHolds() throws {
    let a = ConditionalNode("a")
    let b = ConditionalNode("b", weak: a)
    let c = ConditionalNode("c", weak: b)
    let all = try roundTrip(["a": a, "b": b, "c": c])
    #expect(all["c"]?.weak === all["b"] && all["b"]?.weak === all["a"])
    let some = try roundTrip(["b": b, "c": c])
    #expect(some["c"]?.weak === some["b"])
    #expect(some["b"]?.weak == nil)
    #expect(try roundTrip(["a": a, "c": c])["c"]?.weak == nil)
  }
}

final class ConditionalNode: GCodable {
  let name: String
  let strong: ConditionalNode?
  let weak: ConditionalNode?

  init(_ name: String, strong: ConditionalNode? = nil, weak: ConditionalNode? = nil) {
    (self.name, self.strong, self.weak) = (name, strong, weak)
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Letter.n)
    strong = try decoder.decode(for: Letter.s)
    weak = try decoder.decode(for: Letter.w)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Letter.n)
    try encoder.encode(strong, for: Letter.s)
    try encoder.encodeConditional(weak, for: Letter.w)
  }
}
