import GraphCodable
import GraphCodableTestSupport
import Synchronization
import Testing

/// Each object that is made is released as often as it is retained, whatever ends a decode, and however it is made.
@Suite("Counts of decoded objects", .serialized)
struct ObjectCountTests {
  /// A stored property that is there before its object is complete, so that objects of failed initializers count.
  final class Token {
    static let alive = Mutex(0)
    init() { Self.alive.withLock { $0 += 1 } }
    deinit { Self.alive.withLock { $0 -= 1 } }

    /// How many there are after `body` in addition to those before.
    static func added(_ body: () throws -> Void) rethrows -> Int {
      let before = alive.withLock { $0 }
      try body()
      return alive.withLock { $0 } - before
    }
  }

  struct Failure: Error {}

  class Member: GCodable {
    let token = Token()
    let name: String
    let parts: [Member]
    /// Those that failed are left out.
    let others: [Member]
    weak var owner: Member?
    unowned var root: Member?
    class var replacementType: any GDecodable.Type { Self.self }

    enum Key: String { case name, parts, others, owner, root, deputy, next }

    init(_ name: String, _ parts: [Member] = [], others: [Member] = []) {
      (self.name, self.parts, self.others) = (name, parts, others)
      for part in parts + others { part.owner = self }
    }

    required init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      if name == "early" { throw Failure() }
      parts = try decoder.decode(for: Key.parts)
      others = (try? decoder.decode(for: Key.others)) ?? []
      try decoder.deferDecode(for: Key.owner) { [unowned self] in self.owner = $0 }
      try decoder.deferDecode(for: Key.root) { [unowned self] in
        self.root = $0
        if self.name == "deferred" { throw Failure() }
      }
      if name == "late" { throw Failure() }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(parts, for: Key.parts)
      try encoder.encode(others, for: Key.others)
      try encoder.encodeConditional(owner, for: Key.owner)
      try encoder.encodeConditional(root, for: Key.root)
    }
  }

  class Leader: Member {
    let badge = Token()
    weak var deputy: Member?

    required init(from decoder: GDecoder) throws {
      try super.init(from: decoder)
      try decoder.deferDecode(for: Key.deputy) { [unowned self] in self.deputy = $0 }
      if name == "later" { throw Failure() }
    }

    override init(_ name: String, _ parts: [Member] = [], others: [Member] = []) {
      super.init(name, parts, others: others)
      deputy = parts.last
    }

    override func encode(to encoder: GEncoder) throws {
      try super.encode(to: encoder)
      try encoder.encodeConditional(deputy, for: Key.deputy)
    }
  }

  /// What the archive has is made as another class.
  final class FormerLeader: Leader {
    override class var replacementType: any GDecodable.Type { Leader.self }
  }

  /// Its link is strong and deferred, at any depth.
  final class Link: GCodable {
    let token = Token()
    let inner: Link?
    var next: Link?

    init(inner: Link? = nil, next: Link? = nil) { (self.inner, self.next) = (inner, next) }

    init(from decoder: GDecoder) throws {
      inner = try decoder.decode(for: Member.Key.parts)
      try decoder.deferDecode(for: Member.Key.next) { [unowned self] in self.next = $0 }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(inner, for: Member.Key.parts)
      try encoder.encode(next, for: Member.Key.next)
    }
  }

  final class Note: Codable {
    let token = Token()
    let text: String
    let parts: [Note]

    enum CodingKeys: CodingKey { case text, parts }

    init(_ text: String, _ parts: [Note] = []) { (self.text, self.parts) = (text, parts) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      text = try container.decode(String.self, forKey: .text)
      parts = try container.decode([Note].self, forKey: .parts)
      if text == "late" { throw Failure() }
    }
  }

  /// A member of each class, all of which know their root and are in two places.
  private static func family(_ change: (Int) -> String = { "member \($0)" }) -> Member {
    let members = (0..<4).map { Member(change($0)) }
    let leaders = [Leader(change(4), [members[0], members[1]]), FormerLeader(change(5), [members[1]])]
    let root = Leader(change(6), leaders + [members[2]], others: [members[3], members[2]])
    for member in members + leaders { member.root = root }
    return root
  }

  private func added(decoding bytes: Bytes) -> Int {
    Token.added { _ = try? decoded(Member.self, from: bytes) }
  }

  @Test func objectsLiveAsLongAsTheirOwners() throws {
    let bytes = try encoded(Self.family())
    let left = try Token.added {
      var root: Member?
      let added = try Token.added { root = try decoded(Member.self, from: bytes) }
      #expect(added == 10)  // Seven members, and the badges of three leaders.
      let copy = try #require(root)
      #expect(copy is Leader && type(of: copy.parts[1]) == Leader.self)
      #expect(copy.parts.allSatisfy { $0.owner != nil && $0.root === copy })
      #expect((copy as? Leader)?.deputy === copy.others[1] && copy.parts[2] === copy.others[1])
    }
    #expect(left == 0)
    var root = try decoded(Member.self, from: bytes)
    #expect(isKnownUniquelyReferenced(&root))
  }

  @Test(arguments: ["early", "late", "later", "deferred"]) func nothingIsLeftOfAFailedDecode(name: String)
    throws
  {
    for failing in 0..<7 {
      let bytes = try encoded(Self.family { $0 == failing ? name : "member \($0)" })
      #expect(added(decoding: bytes) == 0)
    }
  }

  @Test func whatWasCaughtIsReleased() throws {
    let bytes = try encoded(Member("root", [Member("part")], others: [Member("b"), Leader("later")]))
    var counts: [Int] = []
    let left = try Token.added {
      var root: Member?
      counts.append(try Token.added { root = try decoded(Member.self, from: bytes) })
      #expect(root?.others.isEmpty == true && root?.parts.count == 1)
    }
    #expect(counts == [2] && left == 0)
  }

  @Test(arguments: [1, 100, 128, 129, 3000]) func linksThatNestAndAreDeferred(depth: Int) throws {
    let last = Link()
    let chain = (0..<depth).reduce(last) { inner, _ in Link(inner: inner, next: last) }
    let bytes = try encoded(chain)
    let left = try Token.added {
      var copy: Link?
      let added = try Token.added { copy = try decoded(Link.self, from: bytes) }
      #expect(added == depth + 1)
      let shared = copy?.next
      #expect(shared != nil)
      // From the outside, so that releasing takes no stack.
      while let inner = copy?.inner { copy = inner }
      #expect(copy === shared)
    }
    #expect(left == 0)
  }

  @Test(arguments: ["fine", "late"]) func classesThatAreCodable(text: String) throws {
    let shared = Note(text)
    let bytes: Bytes = try GraphEncoder().encode(codable: Note("root", [shared, Note("other"), shared]))
    let left = Token.added {
      let copy = try? GraphDecoder().decode(codable: Note.self, from: bytes)
      #expect((copy == nil) == (text == "late"))
      if let copy { #expect(copy.parts[0] === copy.parts[2] && copy.parts.count == 3) }
    }
    #expect(left == 0)
  }

  /// Which object is of which class, and where it is used, is up to whoever made the bytes.
  @Test func forgedStreamsLeaveNothing() throws {
    let forge = try Forge(encoded(Self.family(), compression: .none))
    let stream = try forge.stream()
    var random = SplitMix64(seed: 49)
    for _ in 0..<Effort.of(1500, thorough: 30_000) {
      var mutant = stream
      mutant.mutate(&random)
      let bytes = try forge.replacingStream(with: mutant)
      #expect(added(decoding: bytes) == 0)
    }
    for end in stream.indices {
      let bytes = try forge.replacingStream(with: Bytes(stream.prefix(end)))
      #expect(added(decoding: bytes) == 0)
    }
  }
}
