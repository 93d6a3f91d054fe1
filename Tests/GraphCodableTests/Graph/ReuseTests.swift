import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Coders wait for more work inside the package; nothing of one graph gets into another.
@Suite("Coders that are used again", .serialized)
struct ReuseTests {
  /// The archive that an encoder makes which has not encoded anything before.
  private func fresh(
    _ root: some GEncodable, _ options: GraphEncoder.Options = [], userVersion: UInt16 = 0
  ) throws -> Bytes {
    let encoder = GEncoder(options: options, userInfo: [:], binaryIOVersion: userVersion)
    let index = try encoder.encodeGraph { try $0.writeRoot(root) }
    let writer = ArchiveWriter(compression: .none, userVersion: userVersion)
    let graph = try EncodedGraph(encoder, index)
    return try Bytes(unsafeUninitializedCapacity: writer.capacity(for: graph)) { buffer, count in
      count = Int(try writer.write(graph, to: MemorySink(UnsafeMutableRawBufferPointer(buffer))))
    }
  }

  private func used(
    _ root: some GEncodable, _ options: GraphEncoder.Options = [], userVersion: UInt16 = 0
  ) throws -> Bytes {
    let encoder = GraphEncoder(options, binaryIOVersion: userVersion)
    encoder.compression = .none
    return try encoder.encode(root)
  }

  private struct Curious: GCodable {
    static let key = CodingUserInfoKey(rawValue: "curious")!
    var isTold = false
    var fails = false

    init(isTold: Bool = false, fails: Bool = false) { (self.isTold, self.fails) = (isTold, fails) }

    private enum Key: String { case isTold, fails }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(encoder.userInfo[Self.key] != nil, for: Key.isTold)
      try encoder.encode(fails, for: Key.fails)
    }

    init(from decoder: GDecoder) throws {
      #expect(try decoder.decode(Bool.self, for: Key.isTold) == (decoder.userInfo[Self.key] != nil))
      isTold = decoder.userInfo[Self.key] != nil
      fails = try decoder.decode(for: Key.fails)
      if fails { throw GCodableError(.invalidValue, "as asked") }
    }
  }

  @Test func userInfoIsNotThereForTheNextMessage() throws {
    for round in 0..<100 {
      let (told, other) = (GraphEncoder(), GraphEncoder())
      told.userInfo = [Curious.key: round]
      let fails = round % 3 == 0
      let bytes = try told.encode(Curious(fails: fails)) as Bytes
      let decoder = GraphDecoder()
      decoder.userInfo = [Curious.key: round]
      if fails {
        #expect(throws: GCodableError.self) { try decoder.decode(Curious.self, from: bytes) }
      } else {
        #expect(try decoder.decode(Curious.self, from: bytes).isTold)
      }
      #expect(try !GraphDecoder().decode(Curious.self, from: other.encode(Curious()) as Bytes).isTold)
    }
  }

  @Test func userInfoIsReleased() throws {
    weak var object: AnyObject?
    do {
      let told = NSObject()
      object = told
      let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
      (encoder.userInfo, decoder.userInfo) = ([Curious.key: told], [Curious.key: told])
      for _ in 0..<3 { _ = try decoder.decode(Curious.self, from: encoder.encode(Curious()) as Bytes) }
    }
    #expect(object == nil)
  }

  @Test func aKeyThatWasTakenIsNotThereAgain() throws {
    struct Twice: GCodable {
      var again: Int?
      init() {}
      func encode(to encoder: GEncoder) throws {
        for (number, key) in [Letter.a, .b, .c].enumerated() { try encoder.encode(number, for: key) }
      }
      init(from decoder: GDecoder) throws {
        for key in [Letter.c, .a, .b] { _ = try decoder.decode(Int.self, for: key) }
        again = try decoder.decodeIfPresent(for: Letter.c)
      }
    }
    let bytes = try encoded(Twice())
    for _ in 0..<3 { #expect(try decoded(Twice.self, from: bytes).again == nil) }
    #expect(try roundTrip([Twice(), Twice()]).allSatisfy { $0.again == nil })
  }

  /// A record with some of the fields 0 to 29, in some order, and others inside.
  private struct Random: GCodable, Equatable {
    enum Key: String, CaseIterable {
      case a, b, c, d, e, f, g, h, i, j
    }
    var fields: [(Key, Int)]
    var inner: [Random]

    init(_ random: inout SplitMix64, depth: Int = 0) {
      fields = Key.allCases.filter { _ in random.below(3) == 0 }.map { ($0, random.below(100)) }
      if random.below(2) == 0 { fields.reverse() }
      inner = []
      if depth < 2 { for _ in 0..<random.below(3) { inner.append(Random(&random, depth: depth + 1)) } }
    }

    init(from decoder: GDecoder) throws {
      fields = []
      for key in Key.allCases {
        if let number = try decoder.decodeIfPresent(Int.self, for: key) { fields.append((key, number)) }
      }
      inner = try decoder.decode()
    }

    func encode(to encoder: GEncoder) throws {
      for (key, number) in fields { try encoder.encode(number, for: key) }
      try encoder.encode(inner)
    }

    static func == (one: Self, other: Self) -> Bool {
      Dictionary(uniqueKeysWithValues: one.fields) == Dictionary(uniqueKeysWithValues: other.fields)
        && one.inner == other.inner
    }
  }

  @Test func whatWasEncodedBeforeDoesNotShow() throws {
    var random = SplitMix64(seed: 7)
    for round in 0..<2000 {
      let value = Random(&random)
      let bytes = try used(value, userVersion: UInt16(round % 3))
      try #expect(bytes == fresh(value, userVersion: UInt16(round % 3)), "round \(round)")
      try #expect(GraphDecoder().decode(Random.self, from: bytes) == value, "round \(round)")
    }
  }

  @Test func kindsOfGraphsTakeTurns() throws {
    for round in 0..<50 {
      let tree = TreeNode("root", (0..<round).map { TreeNode("child \($0)") })
      try #expect(used(tree) == fresh(tree))
      try #expect(decoded(TreeNode.self, from: used(tree)).children.count == round)
      let classes: [Base] =
        round.isMultiple(of: 2)
        ? [Base(name: "a"), Derived(name: "b", size: 1)] : [Derived(name: "b", size: 2)]
      try #expect(used(classes) == fresh(classes))
      let numbers = [Double](repeating: 0.5, count: 3000)
      try #expect(used([numbers]) == fresh([numbers]))
      try #expect(used(["a": round]) == fresh(["a": round]))
      try #expect(used(classes, .mimicSwiftCodable) == fresh(classes, .mimicSwiftCodable))
      try #expect(used([1, 2, 3]) == fresh([1, 2, 3]))
    }
  }

  /// More fields than a shape tree takes, some of them known from graphs before.
  @Test func aTreeThatWasFilledByOtherGraphsIsReplaced() throws {
    func script(_ range: Range<Int>) -> Script {
      Script { encoder in
        for index in range { try encoder.encode(Script { try $0.encode(index, for: Many(index)) }) }
      }
    }
    for start in stride(from: 0, to: 2000, by: 90) {
      let value = script(start..<(start + 100))
      try #expect(used(value) == fresh(value))
    }
    let all = script(0..<1500)
    try #expect(used(all) == fresh(all))
    try #expect(used(script(0..<3)) == fresh(script(0..<3)))
  }

  private struct Many: RawRepresentable {
    let rawValue: String
    init(_ number: Int) { rawValue = "key \(number)" }
    init?(rawValue: String) { self.rawValue = rawValue }
  }

  private struct Failure: Error {}

  @Test func anErrorLeavesNothing() throws {
    let value = Pair(first: 1, second: 2)
    for _ in 0..<3 {
      #expect(throws: Failure.self) {
        try used(
          Script { encoder in
            try encoder.encode(5, for: Many(1))
            throw Failure()
          })
      }
      try #expect(used(value) == fresh(value))
      #expect(throws: Failure.self) { try Reading.decode(used(value)) { _ in throw Failure() } }
      #expect(throws: GCodableError.self) { try decoded(Pair<String, Int>.self, from: used(value)) }
      try #expect(decoded(Pair<Int, Int>.self, from: used(value)) == value)
    }
  }

  /// A message inside a message, and a coder that user code has kept.
  @Test func codersInsideCodersAreOthers() throws {
    var kept: GEncoder?
    let inner = Pair(first: 3, second: 4)
    let outer = Script { encoder in
      try encoder.encode(used(inner))
      try encoder.encode(1, for: Many(1))
      kept = encoder
    }
    let bytes = try used(outer)
    try #expect(used(inner) == fresh(inner))
    #expect(throws: GCodableError.self) { try kept?.encode(1) }
    try Reading.decode(bytes) { decoder in
      let data = try decoder.decode(Bytes.self)
      try #expect(decoded(Pair<Int, Int>.self, from: data) == inner)
      try #expect(decoder.decode(Int.self, for: Many(1)) == 1)
    }
  }

  @Test func threadsDoNotShareACoder() async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<500 {
            let pair = Pair(first: task, second: round)
            let bytes = try used(pair)
            try #expect(bytes == fresh(pair))
            try #expect(decoded(Pair<Int, Int>.self, from: bytes) == pair)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private struct Pair<First: GCodable & Equatable, Second: GCodable & Equatable>: GCodable, Equatable {
    enum Key: String { case first, second }
    var first: First
    var second: Second

    init(first: First, second: Second) { (self.first, self.second) = (first, second) }

    init(from decoder: GDecoder) throws {
      first = try decoder.decode(for: Key.first)
      second = try decoder.decode(for: Key.second)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(first, for: Key.first)
      try encoder.encode(second, for: Key.second)
    }
  }

  /// A damaged message is found out as any other archive is, and known tables do not hide it.
  @Test func damageToASmallMessageIsFound() throws {
    let sample = try used(Pair(first: 1, second: "two"))
    for offset in sample.indices {
      for bit in 0..<8 {
        var bytes = sample
        bytes[offset] ^= 1 << UInt8(bit)
        try #expect(decoded(Pair<Int, String>.self, from: sample).second == "two")
        #expect(throws: GCodableError.self) { try decoded(Pair<Int, String>.self, from: bytes) }
      }
    }
    for count in sample.indices {
      #expect(throws: GCodableError.self) {
        try decoded(Pair<Int, String>.self, from: Bytes(sample[..<count]))
      }
    }
  }
}
