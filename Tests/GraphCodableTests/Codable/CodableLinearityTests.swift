import GraphCodable
import CyclicCoding
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Operations whose time would grow faster than the archive, and those that are refused instead.
@Suite("Codable in archives: linearity")
struct CodableLinearityTests {
  // MARK: Nested containers

  indirect enum Chain: Codable {
    case end
    case link(Chain, Int)
  }

  /// Each payload is a nested container, which the record around it would have to skip.
  @Test(arguments: [(30_000, 512 << 20), (3_000, 1 << 20)])
  func deepEnumsComeBack(_ depth: Int, stackByteCount: Int) throws {
    let numbers = try onThread(stackByteCount: stackByteCount) {
      let chain = (0..<depth).reduce(Chain.end) { .link($0, $1) }
      var copy = try codableCopy(chain, depth: .max)
      var numbers: [Int] = []
      while case .link(let next, let number) = copy {
        numbers.append(number)
        copy = next
      }
      return numbers
    }
    #expect(numbers == Array((0..<depth).reversed()))
  }

  @Test func containersInsideEachOtherAreReadAndLeftInAnyOrder() throws {
    let depth = 10_000
    let bytes = try Scripted.archive(depth: .max) { encoder in
      var container = encoder.container(keyedBy: Key.self)
      for level in 0..<depth {
        let inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try container.encode(level, forKey: .b)
        container = inner
      }
    }
    try Scripted.read(bytes, depth: .max) { decoder in
      var containers = [try decoder.container(keyedBy: Key.self)]
      for level in 1..<depth {
        containers.append(try containers[level - 1].nestedContainer(keyedBy: Key.self, forKey: .a))
      }
      // The first one skips all that lies in it, the others nothing.
      for (level, container) in containers.enumerated() {
        #expect(try container.decode(Int.self, forKey: .b) == level)
      }
      let again = try containers[0].nestedContainer(keyedBy: Key.self, forKey: .a)
      #expect(try again.decode(Int.self, forKey: .b) == 1)
    }
  }

  // MARK: Errors that are caught

  /// Types for any JSON have an error at each level for each type that does not fit.
  @Test(arguments: [1_000, 8_000]) func caughtErrorsAtAnyDepthCostTheSame(_ depth: Int) throws {
    typealias Loose = CodableContainerTests.Loose
    let counts = try onThread(stackByteCount: 256 << 20) {
      let value = (0..<depth).reduce(Loose.number(1)) { $1 % 2 == 0 ? .list([$0]) : .object(["a": $0]) }
      let encoder = GraphEncoder()
      encoder.maximumDepth = .max
      let bytes = try encoder.encode(codable: value) as Bytes
      return try [
        stepCount(of: Loose.self, in: bytes), stepCount(of: Tried.self, in: bytes),
        stepCount(of: Walked.self, in: bytes),
      ]
    }
    for count in counts { #expect(count > depth && count < 8 * depth) }
  }

  /// How many keys are found out for the paths of errors.
  private func stepCount<Value: Decodable>(of type: Value.Type, in bytes: Bytes) throws -> Int {
    try bytes.withUnsafeBytes { buffer in
      let settings = GraphDecoder()
      settings.limits.depth = .max
      let decoder = try settings.makeDecoder(buffer)
      let reader = decoder.codable
      _ = try decoder.readGraph(codable: type)
      return reader.knownPath.stepCount
    }
  }

  /// Tries container after container.
  private indirect enum Tried: Decodable {
    case number(Int), list([Tried]), object([Tried])

    init(from decoder: any Decoder) throws {
      if let number = try? decoder.singleValueContainer().decode(Int.self) {
        self = .number(number)
      } else if var list = try? decoder.unkeyedContainer() {
        var elements: [Tried] = []
        while !list.isAtEnd { elements.append(try list.decode(Tried.self)) }
        self = .list(elements)
      } else {
        let object = try decoder.container(keyedBy: AnyKey.self)
        self = .object(try object.allKeys.map { try object.decode(Tried.self, forKey: $0) })
      }
    }
  }

  /// Tries nested containers.
  private struct Walked: Decodable {
    init(from decoder: any Decoder) throws {
      if var list = try? decoder.unkeyedContainer() {
        try Self.walk(&list)
      } else {
        try Self.walk(decoder.container(keyedBy: AnyKey.self))
      }
    }

    private static func walk(_ list: inout any UnkeyedDecodingContainer) throws {
      while !list.isAtEnd {
        if (try? list.decode(Int.self)) != nil {
        } else if var nested = try? list.nestedUnkeyedContainer() {
          try walk(&nested)
        } else {
          try walk(list.nestedContainer(keyedBy: AnyKey.self))
        }
      }
    }

    private static func walk(_ object: KeyedDecodingContainer<AnyKey>) throws {
      for key in object.allKeys {
        if (try? object.decode(Int.self, forKey: key)) != nil {
        } else if var nested = try? object.nestedUnkeyedContainer(forKey: key) {
          try walk(&nested)
        } else {
          try walk(object.nestedContainer(keyedBy: AnyKey.self, forKey: key))
        }
      }
    }
  }

  @Test func pathsThatAreKeptStayAsTheyAre() throws {
    struct Kept: Decodable {
      static let log = CodingUserInfoKey(rawValue: "kept")!
      final class Log { var errors: [any Error] = [] }

      init(from decoder: any Decoder) throws {
        let log = decoder.userInfo[Self.log] as? Log
        do { _ = try decoder.singleValueContainer().decode(String.self) } catch { log?.errors.append(error) }
        guard let object = try? decoder.container(keyedBy: AnyKey.self) else { return }
        for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
          _ = try object.decode(Self.self, forKey: key)
        }
      }
    }
    let log = Kept.Log()
    let decoder = GraphDecoder()
    decoder.userInfo[Kept.log] = log
    let value = ["a": ["x": 1, "y": 2], "b": ["z": 3]]
    _ = try decoder.decode(codable: Kept.self, from: GraphEncoder().encode(codable: value) as Bytes)
    let paths = log.errors.map { description($0) }
    #expect(paths == ["", "a", "a.x", "a.y", "b", "b.z"].map { "typeMismatch at " + $0 })
  }

  // MARK: Shared objects

  final class Node: Codable {
    var next: [Node]
    init(_ next: [Node]) { self.next = next }
  }

  struct Copy: Decodable {
    var next: [Copy]
  }

  /// Follows references through containers.
  struct Walk: Decodable {
    private(set) var count = 1

    init(from decoder: any Decoder) throws { try walk(decoder.container(keyedBy: AnyKey.self)) }

    private mutating func walk(_ container: KeyedDecodingContainer<AnyKey>) throws {
      count += 1
      var list = try container.nestedUnkeyedContainer(forKey: "next")
      while !list.isAtEnd { try walk(list.nestedContainer(keyedBy: AnyKey.self)) }
    }
  }

  /// There are 2 to the power of `depth` ways to the last node.
  private func diamonds(_ depth: Int) throws -> Bytes {
    var top = Node([])
    for _ in 0..<depth { top = Node([top, top]) }
    return try GraphEncoder().encode(codable: top)
  }

  @Test func sharedObjectsAreDecodedAsStructsOnce() throws {
    var copy = try GraphDecoder().decode(codable: Copy.self, from: diamonds(12))
    var depth = 0
    while let next = copy.next.last {
      #expect(copy.next.count == 2)
      copy = next
      depth += 1
    }
    #expect(depth == 12)
  }

  /// A walk through such a value, to hash or print it, meets 2^40 values.
  @Test func structsThatManyWaysLeadToAreRefused() throws {
    let error = #expect(throws: GCodableError.self) {
      try GraphDecoder().decode(codable: Copy.self, from: diamonds(40))
    }
    #expect(error?.code == .limitExceeded && error?.description.contains("stepRatio") == true)
  }

  @Test func waysThroughContainersAreLimited() throws {
    #expect(try GraphDecoder().decode(codable: Walk.self, from: diamonds(10)).count == 1 << 11)
    let error = #expect(throws: GCodableError.self) {
      try GraphDecoder().decode(codable: Walk.self, from: diamonds(60))
    }
    #expect(error?.code == .limitExceeded)
  }

  /// Follows references through nested containers.
  struct Descent: Decodable {
    private(set) var count = 0

    init(from decoder: any Decoder) throws { try descend(decoder.container(keyedBy: AnyKey.self)) }

    private mutating func descend(_ container: KeyedDecodingContainer<AnyKey>) throws {
      count += 1
      guard container.contains("next"), try !container.decodeNil(forKey: "next") else { return }
      try descend(container.nestedContainer(keyedBy: AnyKey.self, forKey: "next"))
    }
  }

  /// The root is a struct, so its objects are not made ahead.
  struct Start: Codable {
    var next: Ring?
  }

  final class Ring: Codable {
    var next: Ring?
  }

  @Test(arguments: [100, 50_000]) func descentThroughContainersComesToAnEnd(_ count: Int) throws {
    let rings = (0..<count).map { _ in Ring() }
    for (ring, next) in zip(rings, rings.dropFirst()) { ring.next = next }
    defer { for ring in rings { ring.next = nil } }
    let bytes = try GraphEncoder().encode(codable: Start(next: rings[0])) as Bytes
    let result = Result { try GraphDecoder().decode(codable: Descent.self, from: bytes) }
    if count == 100 {
      #expect(try result.get().count == 101)
    } else {
      let error = #expect(throws: GCodableError.self) { try result.get() }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func descentAlongACycleComesToAnEnd() throws {
    let ring = Ring()
    ring.next = ring
    defer { ring.next = nil }
    let bytes = try GraphEncoder().encode(codable: Start(next: ring)) as Bytes
    let error = #expect(throws: GCodableError.self) {
      try GraphDecoder().decode(codable: Descent.self, from: bytes)
    }
    #expect(error?.code == .limitExceeded)
  }

  /// An object whose only field is an array of itself, three times: a value of it would never end.
  private func selfHolding() throws -> Bytes {
    let ring = Ring()
    ring.next = ring
    defer { ring.next = nil }
    let forge = try Forge(GraphEncoder().encode(codable: Start(next: ring)) as Bytes)
    var contents = forge.contents
    contents.shapes = [.init(classNumber: 0, isClass: true, fields: [.init(keyNumber: 1, kind: .array)])]
    contents.graph = .embedded([0x04, 0x01, 0x03, 0x04, 0x07, 0x01, 0x01, 0x01])
    (contents.objectCount, contents.storedObjectCount, contents.objectIndex) = (1, 1, .embedded([0x05]))
    return forge.replacingContents(with: contents.bytes)
  }

  @Test func objectsThatHoldThemselvesAreRefusedByTypesThatTryEverything() throws {
    let bytes = try selfHolding()
    func lookCount<Value: Decodable>(_ type: Value.Type) -> Int {
      bytes.withUnsafeBytes { buffer in
        guard let decoder = try? GraphDecoder().makeDecoder(buffer) else { return .max }
        let reader = decoder.codable
        #expect(throws: (any Error).self) { try decoder.readGraph(codable: type) }
        return reader.shared.lookCount
      }
    }
    #expect(lookCount(CodableContainerTests.Loose.self) < 20)
    #expect(lookCount(Tried.self) < 20)
    #expect(lookCount(Walked.self) < 80_000)
  }

  /// Fails at the end of each way, after it has tried two.
  private struct Failing: Decodable {
    init(from decoder: any Decoder) throws {
      let next = try decoder.container(keyedBy: AnyKey.self)
      if (try? next.decode([Self].self, forKey: "next")) != nil,
        (try? next.nestedUnkeyedContainer(forKey: "next").isAtEnd) == false
      {
        return
      }
      _ = try next.decode(ContiguousArray<Self>.self, forKey: "next")
      throw CancellationError()
    }
  }

  @Test func failuresAreRememberedAsValuesAre() throws {
    let error = #expect(throws: (any Error).self) {
      try GraphDecoder().decode(codable: Failing.self, from: diamonds(60))
    }
    #expect(error is CancellationError)
  }

  /// A struct in place of an object that is given up and made again must not hold the first one.
  struct Reference: Codable {
    var node: Peer
    init(_ node: Peer) { self.node = node }
    init(from decoder: any Decoder) throws { node = try decoder.singleValueContainer().decode(Peer.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(node)
    }
  }

  final class Peer: Codable {
    var name: String
    var others: [Reference] = []
    var leader: Reference?
    init(_ name: String) { self.name = name }

    private enum CodingKeys: CodingKey { case name, others, leader }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      // It is missing where that is the one being made.
      leader = try? container.decodeIfPresent(Reference.self, forKey: .leader)
      others = try container.decode([Reference].self, forKey: .others)
    }
  }

  @Test func structsHoldTheObjectsThatAreKept() throws {
    let leader = Peer("leader")
    let peers = (0..<300).map { Peer("\($0)") }
    for peer in peers { peer.leader = Reference(leader) }
    for (peer, next) in zip(peers, peers.dropFirst()) { peer.others = [Reference(next)] }
    leader.others = peers.map(Reference.init)
    let copies = try codableCopy([Reference(leader)] + peers.map(Reference.init))
    for (index, copy) in copies.dropFirst().enumerated() {
      #expect(copy.node === copies[0].node.others[index].node)
      if let next = copy.node.others.first { #expect(next.node === copies[index + 2].node) }
    }
    leader.others = []
    copies[0].node.others = []
  }
}
