import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Long chains and deep values.
@Suite("CyclicCoding: depth")
struct DepthTests {
  final class Link: Codable {
    var number: Int
    var next: Link?
    var previous = WeakCycleBreaker<Link>()

    init(_ number: Int, next: Link?) {
      self.number = number
      self.next = next
      next?.previous[] = self
    }

    /// Swift releases a chain recursively.
    deinit {
      var rest = next
      next = nil
      while rest != nil, isKnownUniquelyReferenced(&rest) {
        let link = rest?.next
        rest?.next = nil
        rest = link
      }
    }

    static func chain(_ count: Int) -> Link {
      var first = Link(count - 1, next: nil)
      for number in (0..<count - 1).reversed() { first = Link(number, next: first) }
      return first
    }
  }

  private func check(_ chain: Link, count: Int) -> Bool {
    var link = chain
    for number in 0..<count {
      guard link.number == number else { return false }
      guard let next = link.next else { return number == count - 1 }
      guard next.previous[] === link else { return false }
      link = next
    }
    return false
  }

  @Test(arguments: [nil, AnyCoder.json, .binaryPropertyList])
  func chainComesBackOnAnyThread(coder: AnyCoder?) async throws {
    let count = 8_000
    #expect(try check(copy(Link.chain(count), through: coder), count: count))
    let isWhole = try await onSmallThread { try check(copy(Link.chain(count), through: coder), count: count) }
    #expect(isWhole)
  }

  @Test func encodingAChainNeedsNoStack() async throws {
    let byteCount = try await onSmallThread {
      try JSONEncoder().encode(CyclicEncoder().flatten(Link.chain(50_000))).count
    }
    #expect(byteCount > 50_000 * 10)
  }

  @Test func chainThatIsTooLongToBeDecodedIsAnError() throws {
    let flattened = try CyclicEncoder().flatten(Link.chain(140_000))
    let error = try #require(
      #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Link.self, from: flattened) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.debugDescription.contains("131072"))
  }

  /// They are not decoded inside each other.
  @Test func chainOfBreakersMayBeOfAnyLength() throws {
    final class Chained: Codable {
      var next = WeakCycleBreaker<Chained>()
    }
    let links = (0..<140_000).map { _ in Chained() }
    for (link, next) in zip(links, links.dropFirst()) { link.next[] = next }
    let copies = try copy(links, through: nil)
    #expect(zip(copies, copies.dropFirst()).allSatisfy { $0.next[] === $1 })
  }

  indirect enum List: Codable {
    case end
    case item(Int, List)

    static func list(_ count: Int) -> List { (0..<count).reversed().reduce(.end) { .item($1, $0) } }

    var count: Int {
      var (count, rest) = (0, self)
      while case .item(_, let list) = rest {
        guard case .item(count, _) = rest else { return -1 }
        (count, rest) = (count + 1, list)
      }
      return count
    }
  }

  @Test(arguments: [nil, AnyCoder.json, .binaryPropertyList])
  func deepValuesComeBack(coder: AnyCoder?) async throws {
    // Small enough for Swift to release it recursively.
    let count = try await onSmallThread(byteCount: 4 << 20) {
      try copy(List.list(2_000), through: coder).count
    }
    #expect(count == 2_000)
  }

  /// Nests through a container of its own, without values in between.
  struct Nested: Codable {
    var depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for level in 0..<depth {
        try container.encode(level)
        container = container.nestedUnkeyedContainer()
      }
    }

    init(depth: Int) { self.depth = depth }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      depth = 0
      while !container.isAtEnd {
        #expect(try container.decode(Int.self) == depth)
        container = try container.nestedUnkeyedContainer()
        depth += 1
      }
    }
  }

  @Test func deeplyNestedContainersComeBack() async throws {
    let depth = try await onSmallThread { try copy(Nested(depth: 20_000), through: .json).depth }
    #expect(depth == 20_000)
  }

  // MARK: Types that try

  /// Objects inside each other, with a number at the end.
  struct DeepObject: Encodable {
    var depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CoderTests.AnyKey.self)
      for _ in 1..<depth {
        container = container.nestedContainer(keyedBy: CoderTests.AnyKey.self, forKey: .init("k"))
      }
      try container.encode(7, forKey: .init("k"))
    }
  }

  /// Finds out by trying what is stored, as types for any JSON do.
  struct Trial: Decodable {
    var depth = 0

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if (try? container.decode(Bool.self)) != nil || (try? container.decode(String.self)) != nil { return }
      if (try? container.decode(Int.self)) != nil { return }
      if (try? container.decode([Trial].self)) != nil { return }
      depth = try container.decode([String: Trial].self).values.first.map { $0.depth + 1 } ?? 0
    }
  }

  /// With whole paths in the errors of each level this takes minutes.
  @Test func trialsDeepInsideTakeLinearTime() throws {
    let trial = try copy(DeepObject(depth: 10_000), as: Trial.self, through: nil)
    #expect(trial.depth == 10_000)
  }

  @Test func errorDeepInsideNamesTheFirstKeys() throws {
    struct Descent: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CoderTests.AnyKey.self)
        _ = try container.decode(Descent.self, forKey: .init("k"))
      }
    }
    for depth in [512, 513, 2_000] {
      let error = try #require(
        #expect(throws: DecodingError.self) {
          try copy(DeepObject(depth: depth), as: Descent.self, through: nil)
        })
      guard case .typeMismatch(_, let context) = error else { throw error }
      #expect(context.codingPath.map(\.stringValue) == Array(repeating: "k", count: min(depth, 512)))
      #expect(context.debugDescription.contains("of \(depth) keys") == (depth > 512))
    }
  }

  @Test func shallowValuesAreShownWhole() throws {
    #expect(!"\(try CyclicEncoder().flatten(Nested(depth: 30)))".contains("#"))
    #expect(!"\(try CyclicEncoder().flatten(List.list(10)))".contains("#"))
    final class Chained: Codable {
      var next: Chained?
      init(_ next: Chained?) { self.next = next }
    }
    let chain = (0..<30).reduce(nil) { next, _ in Chained(next) }
    #expect(!"\(try CyclicEncoder().flatten(chain))".contains("#"))
  }

  /// Optionals at every second level: what is cut off is never one of them.
  @Test func nilDeepInsideStaysNil() throws {
    struct Level: Codable {
      var inner: [Level?]
      var none: Int??
    }
    var level = Level(inner: [nil], none: nil)
    for _ in 0..<200 { level = Level(inner: [nil, level, nil], none: nil) }
    var copy = try copy(level, through: .json)
    for _ in 0..<200 {
      #expect(copy.inner.count == 3 && copy.inner[0] == nil && copy.inner[2] == nil && copy.none == nil)
      copy = try #require(copy.inner[1])
    }
    #expect(copy.inner.count == 1)
  }

  /// Runs `body` on a thread with little stack.
  private func onSmallThread<Value: Sendable>(
    byteCount: Int = 512 << 10, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result(catching: body)) }
      thread.stackSize = byteCount
      thread.start()
    }
  }
}
