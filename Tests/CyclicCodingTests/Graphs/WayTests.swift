import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Objects that lead to each other in very many ways, or along very long ones.
@Suite("CyclicCoding: ways")
struct WayTests {
  final class Node: Codable {
    var next: [Node]
    init(_ next: [Node]) { self.next = next }
  }

  /// There are 2 to the power of `depth` ways to the last node.
  private func diamonds(_ depth: Int) throws -> FlattenedContainer {
    var top = Node([])
    for _ in 0..<depth { top = Node([top, top]) }
    return try CyclicEncoder().flatten(top)
  }

  private enum Key: String, CodingKey { case next, number }

  // MARK: Failures

  /// Counts how often one is made, and fails where nothing is below.
  final class Lossy: Decodable {
    init(from decoder: any Decoder) throws {
      (decoder.userInfo[Counter.key] as? Counter)?.value += 1
      var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .next)
      var isEmpty = true
      for _ in 0..<(list.count ?? 0) where (try? list.decode(Lossy.self)) != nil { isEmpty = false }
      if isEmpty { throw Failure() }
    }
  }

  /// The same as a struct.
  struct LossyCopy: Decodable {
    init(from decoder: any Decoder) throws {
      (decoder.userInfo[Counter.key] as? Counter)?.value += 1
      var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .next)
      var isEmpty = true
      for _ in 0..<(list.count ?? 0) where (try? list.decode(LossyCopy.self)) != nil { isEmpty = false }
      if isEmpty { throw Failure() }
    }
  }

  final class Counter {
    static let key = CodingUserInfoKey(rawValue: "counter")!
    var value = 0
  }

  struct Failure: Error {}

  @Test func objectsThatFailAreMadeOnce() throws {
    let flattened = try diamonds(100)
    let decoder = CyclicDecoder()
    let counter = Counter()
    decoder.userInfo[Counter.key] = counter
    #expect(throws: Failure.self) { try decoder.decode(Lossy.self, from: flattened) }
    #expect(counter.value == 101)
    counter.value = 0
    #expect(throws: Failure.self) { try decoder.decode(LossyCopy.self, from: flattened) }
    #expect(counter.value == 101)
  }

  /// An object that meets itself on one way need not do so on another.
  @Test func failuresOfCyclesAreTriedAgain() throws {
    final class Peer: Codable {
      var other = WeakCycleBreaker<Peer>()
      var isLenient: Bool
      init(isLenient: Bool) { self.isLenient = isLenient }
    }
    final class Strong: Decodable {
      private(set) var other: Strong?
      private enum CodingKeys: CodingKey { case other, isLenient }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isLenient = try container.decode(Bool.self, forKey: .isLenient)
        do { other = try container.decode(Strong.self, forKey: .other) } catch {
          guard isLenient else { throw error }
        }
      }
    }
    let (first, second) = (Peer(isLenient: true), Peer(isLenient: false))
    (first.other[], second.other[]) = (second, first)
    let copies = try CyclicDecoder().decode(
      [Strong].self, from: CyclicEncoder().flatten([first, second]))
    #expect(copies[0].other == nil && copies[1].other === copies[0])
  }

  // MARK: Containers

  /// Follows references through containers.
  struct Walk: Decodable {
    private(set) var count = 0

    init(from decoder: any Decoder) throws { try walk(decoder.container(keyedBy: Key.self)) }

    private mutating func walk(_ container: KeyedDecodingContainer<Key>) throws {
      count += 1
      var list = try container.nestedUnkeyedContainer(forKey: .next)
      while !list.isAtEnd { try walk(list.nestedContainer(keyedBy: Key.self)) }
    }
  }

  @Test func waysThroughContainersAreLimited() throws {
    #expect(try CyclicDecoder().decode(Walk.self, from: diamonds(10)).count == (1 << 11) - 1)
    let error = try #require(
      #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Walk.self, from: diamonds(60)) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.debugDescription.contains("very many ways"))
  }

  /// Many references to few objects do not make such ways.
  @Test func manyReferencesMayBeLookedAt() throws {
    struct Look: Decodable {
      init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }
    }
    struct Looks: Decodable {
      var count = 0
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
          _ = try list.nestedContainer(keyedBy: Key.self)
          count += 1
        }
      }
    }
    let node = Node([])
    let flattened = try CyclicEncoder().flatten(Array(repeating: node, count: 100_000))
    #expect(try CyclicDecoder().decode(Looks.self, from: flattened).count == 100_000)
    #expect(try CyclicDecoder().decode([Look].self, from: flattened).count == 100_000)
  }

  final class Ring: Codable {
    var next = WeakCycleBreaker<Ring>()
  }

  /// Follows references through nested containers.
  struct Descent: Decodable {
    private(set) var count = 0

    init(from decoder: any Decoder) throws { try descend(decoder.container(keyedBy: Key.self)) }

    private mutating func descend(_ container: KeyedDecodingContainer<Key>) throws {
      count += 1
      guard try container.contains(.next) && !container.decodeNil(forKey: .next) else { return }
      try descend(container.nestedContainer(keyedBy: Key.self, forKey: .next))
    }
  }

  @Test(arguments: allWays)
  func descentAlongACycleComesToAnEnd(coder: AnyCoder?) throws {
    let ring = Ring()
    ring.next[] = ring
    let error = try #require(
      #expect(throws: DecodingError.self) { try copy(ring, as: Descent.self, through: coder) })
    guard case .dataCorrupted = error else { throw error }
    let rings = (0..<100).map { _ in Ring() }
    for (ring, next) in zip(rings, rings.dropFirst()) { ring.next[] = next }
    #expect(try copy(rings[0], as: Descent.self, through: coder).count == 100)
  }

  // MARK: Chains of references

  struct Empty: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }
  }

  /// References to references, `count` of them, as no encoder makes them: the last leads to `end`.
  private func chain(_ count: Int, end: String) throws -> FlattenedContainer {
    let links = (1..<count).map { "{\"#\":\($0)}" } + [end]
    let json =
      "{\"referenced\":{\"[]\":[\(links.joined(separator: ","))]},"
      + "\"root\":{\"[#]\":[\((0..<count).map { "\($0)" }.joined(separator: ","))]}}"
    return try JSONDecoder().decode(FlattenedContainer.self, from: Data(json.utf8))
  }

  /// This many would take hours if each were followed to its end.
  @Test func chainsOfReferencesAreFollowedOnce() throws {
    let count = 200_000
    #expect(try CyclicDecoder().decode([Empty].self, from: chain(count, end: #"{"{}":{}}"#)).count == count)
  }

  @Test func chainsOfReferencesWithoutEndAreErrors() throws {
    struct Hopeful: Decodable {
      var errorCount = 0
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        for _ in 0..<(list.count ?? 0) {
          do { _ = try list.decode(Empty.self) } catch DecodingError.dataCorrupted {
            errorCount += 1
            _ = try list.superDecoder()
          }
        }
      }
    }
    let count = 50_000
    let flattened = try chain(count, end: ##"{"#":7}"##)
    #expect(try CyclicDecoder().decode(Hopeful.self, from: flattened).errorCount == count)
  }
}
