import GraphCodable
import GraphCodableTestSupport
import Testing

/// When setters run, and what they see.
@Suite("Deferred fields")
struct DeferredTests {
  private func decode(_ root: Recorder, logging log: Log) throws -> Recorder {
    let decoder = GraphDecoder()
    decoder.userInfo[Recorder.log] = log
    return try decoder.decode(Recorder.self, from: encoded(root))
  }

  /// `a` holds `b` at once, and both defer two others, of which `c` defers one more.
  @Test func settersRunInTheOrderOfTheCallsAndThoseOfLaterObjectsLast() throws {
    let log = Log()
    let c = Recorder("c", first: Recorder("e"), second: Recorder("f"))
    let b = Recorder("b", first: c, second: c)
    let copy = try decode(Recorder("a", now: b, first: c, second: Recorder("d")), logging: log)
    #expect(
      log.lines == [
        // `a` is requested first, but its fields are deferred after those of the objects that it holds
        // directly.
        "b finished", "a finished", "c finished", "b.first", "b.second", "a.first", "d finished", "a.second",
        "e finished", "c.first", "f finished", "c.second", "d.first", "d.second", "e.first", "e.second",
        "f.first", "f.second",
      ])
    #expect(copy.first === copy.now?.first && copy.first?.second?.name == "f")
  }

  @Test func settersSeeFinishedObjects() throws {
    let one = Recorder("one")
    let other = Recorder("other", first: one, second: one)
    (one.first, one.second) = (other, one)
    defer { (one.first, one.second) = (nil, nil) }
    let copy = try decode(one, logging: Log())
    defer { (copy.first, copy.second) = (nil, nil) }
    #expect(copy.first?.first === copy && copy.second === copy)
    #expect(copy.sawUnfinished == false && copy.first?.sawUnfinished == false)
  }

  /// Deep objects are made ahead; some are discarded and made again.
  @Test(arguments: [1, 100, 127, 128, 129, 1000]) func settersRunOnce(depth: Int) throws {
    let pair = Recorder("pair")
    let back = Recorder("back", now: pair)
    (pair.first, pair.second) = (back, pair)
    defer { (pair.first, pair.second) = (nil, nil) }
    let chain = (0..<depth).reduce(pair) { chain, index in
      Recorder("link \(index)", now: chain, first: pair, second: back)
    }
    let log = Log()
    var copy: Recorder? = try decode(chain, logging: log)
    var last: Recorder?
    while let link = copy {
      #expect(link.setterCount == 2)
      (last, copy) = (link, link.now)
    }
    defer {
      last?.first = nil
      last?.second = nil
    }
    #expect(last?.name == "pair" && last?.first?.now === last && last?.second === last)
  }

  @Test func aConditionalFieldThatIsNotInTheArchiveIsDeferredAsNil() throws {
    let bytes = try script { try $0.encodeConditional(Base(name: "gone"), for: Letter.a) }
    let log = Log()
    try Reading.decode(bytes) {
      try $0.deferDecode(for: Letter.a) { (base: Base?) in log.lines.append(base?.name ?? "nil") }
    }
    #expect(log.lines == ["nil"])
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { try $0.deferDecode(Base.self, for: Letter.a) { _ in } }
    }
    #expect(error?.code == .valueNotFound)
    #expect(error?.keyPath == ["a"])
  }

  @Test func whatAFailedObjectHasDeferredIsForgotten() throws {
    let bytes = try script {
      try $0.encode(Quitter("one"), for: Letter.a)
      try $0.encode([Quitter("two")], for: Letter.b)
      try $0.encode("end", for: Letter.c)
    }
    let log = Log()
    try Reading.decode(bytes) { decoder in
      try decoder.deferDecode(for: Letter.c) { log.lines.append($0) }
      #expect(throws: Quitter.Failure.self) { try decoder.decode(Quitter.self, for: Letter.a) }
      #expect(throws: Quitter.Failure.self) { try decoder.decode([Quitter].self, for: Letter.b) }
    }
    #expect(log.lines == ["end"])
  }

  /// A setter may mention the decoder, and an error may keep it from running.
  @Test func theDecoderIsReleased() throws {
    weak var weakDecoder: GDecoder?
    let bytes = try script { try $0.encode(1, for: Letter.a) }
    struct Failure: Error {}
    for fails in [false, true] {
      let outcome = Result {
        try Reading.decode(bytes) { decoder in
          weakDecoder = decoder
          try decoder.deferDecode(Int.self, for: Letter.a) { _ in _ = decoder.userInfo }
          if fails { throw Failure() }
        }
      }
      #expect((try? outcome.get()) != nil || fails)
      #expect(weakDecoder == nil)
    }
  }
}

/// Where an error in a deferred field comes from.
@Suite("Errors in deferred fields")
struct DeferredErrorTests {
  private func error(_ value: some GCodable) throws -> GCodableError {
    try #require(#expect(throws: GCodableError.self) { try roundTrip(value) })
  }

  @Test func theKeyPathBeginsWithTheObjectAndTheKey() throws {
    let bad = Link(7)
    bad.isBad = true
    // The second object of the archive, behind the one that holds it.
    let error = try error(LinkOwner(inner: LinkOwner(links: [Link(1), bad])))
    #expect(error.code == .invalidValue)
    #expect(error.keyPath == ["<LinkOwner 1>", "links", "[1]", "isBad"])
    #expect(error.description.contains("<LinkOwner 1>.links[1].isBad"))
  }

  @Test func fieldsWithoutAKeyAreCounted() throws {
    let bytes = try script {
      try $0.encode("a")
      try $0.encode([1, 2])
    }
    let error = try #require(
      #expect(throws: GCodableError.self) {
        try Reading.decode(bytes) {
          try $0.deferDecode(String.self) { _ in }
          try $0.deferDecode([String].self) { _ in }
        }
      })
    #expect(error.code == .typeMismatch)
    #expect(error.keyPath == ["[1]"])
  }

  @Test func errorsOfTheSetterReachTheCaller() throws {
    struct Own: Error {}
    let bytes = try script { try $0.encode(1, for: Letter.a) }
    #expect(throws: Own.self) {
      try Reading.decode(bytes) { try $0.deferDecode(Int.self, for: Letter.a) { _ in throw Own() } }
    }
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) {
        try $0.deferDecode(Int.self, for: Letter.a) { _ in throw GCodableError(.invalidValue, "too small") }
      }
    }
    #expect(error?.keyPath == ["a"])
    #expect(error?.description.contains("too small") == true)
  }

  @Test func laterSettersDoNotRun() throws {
    let bytes = try script {
      for letter in [Letter.a, .b, .c] { try $0.encode(letter.rawValue, for: letter) }
    }
    let log = Log()
    #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) {
        try $0.deferDecode(for: Letter.a) { log.lines.append($0) }
        try $0.deferDecode(Int.self, for: Letter.b) { log.lines.append("\($0)") }
        try $0.deferDecode(for: Letter.c) { log.lines.append($0) }
      }
    }
    #expect(log.lines == ["a"])
  }

  @Test func aCycleBehindADeferredFieldIsDescribed() throws {
    let one = Impatient("one")
    let other = Impatient("other")
    (one.next, other.next) = (other, one)
    defer { one.next = nil }
    let error = try error(LinkOwner(cycle: one))
    #expect(error.code == .cycle)
    #expect(error.description.contains("Impatient.next → Impatient.next → Impatient"))
    #expect(error.keyPath.prefix(2) == ["<LinkOwner 0>", "cycle"])
  }
}

// MARK: - Models

/// Has a field that is decoded at once and two that are deferred, and writes down what happens.
final class Recorder: GCodable {
  static let log = CodingUserInfoKey(rawValue: "Recorder")!

  let name: String
  let now: Recorder?
  var first: Recorder?
  var second: Recorder?
  private(set) var isFinished = false
  private(set) var setterCount = 0
  private(set) var sawUnfinished = false

  init(_ name: String, now: Recorder? = nil, first: Recorder? = nil, second: Recorder? = nil) {
    (self.name, self.now, self.first, self.second) = (name, now, first, second)
  }

  private enum Key: String { case name, now, first, second }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(now, for: Key.now)
    try encoder.encode(first, for: Key.first)
    try encoder.encode(second, for: Key.second)
  }

  init(from decoder: GDecoder) throws {
    let log = decoder.userInfo[Self.log] as? Log
    let name = try decoder.decode(String.self, for: Key.name)
    self.name = name
    now = try decoder.decode(for: Key.now)
    try decoder.deferDecode(for: Key.first) {
      self.first = $0
      self.note($0, "first", log)
    }
    try decoder.deferDecode(for: Key.second) {
      self.second = $0
      self.note($0, "second", log)
    }
    isFinished = true
    log?.lines.append("\(name) finished")
  }

  private func note(_ value: Recorder?, _ key: String, _ log: Log?) {
    log?.lines.append("\(name).\(key)")
    setterCount += 1
    if let value, !value.isFinished { sawUnfinished = true }
  }
}

/// Defers, then throws.
final class Quitter: GCodable {
  struct Failure: Error {}
  let name: String
  init(_ name: String) { self.name = name }
  init(from decoder: GDecoder) throws {
    name = ""
    try decoder.deferDecode(Int.self, for: Letter.n) { _ in
      Issue.record("a setter of a failed object has run")
    }
    throw Failure()
  }
  func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Letter.n) }
}

/// Defers all that it has, except for another of its kind.
final class LinkOwner: GCodable {
  private var links: [Link] = []
  private var cycle: Impatient?
  private let inner: LinkOwner?

  init(links: [Link] = [], cycle: Impatient? = nil, inner: LinkOwner? = nil) {
    (self.links, self.cycle, self.inner) = (links, cycle, inner)
  }

  private enum Key: String { case links, cycle, inner }

  init(from decoder: GDecoder) throws {
    inner = try decoder.decode(for: Key.inner)
    try decoder.deferDecode(for: Key.links) { self.links = $0 }
    try decoder.deferDecode(for: Key.cycle) { self.cycle = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(inner, for: Key.inner)
    try encoder.encode(links, for: Key.links)
    try encoder.encode(cycle, for: Key.cycle)
  }
}
