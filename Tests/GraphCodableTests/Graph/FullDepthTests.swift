import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The deepest graphs that the package promises to store, on the main thread and on a small stack.
///
/// `GRAPHCODABLE_CHAIN=10000000` makes them as large as promised; they are a hundredth of it otherwise.
@Suite("Full depth", .serialized)
struct FullDepthTests {
  static let chainCount = DepthTests.count
  static let otherCount = DepthTests.count / 10 - 1

  enum Place: CaseIterable {
    case mainThread, smallStack

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
      switch self {
      case .mainThread: try await MainActor.run(body: body)
      case .smallStack: try onThread(stackByteCount: 512 << 10, body)
      }
    }
  }

  @Test(arguments: Place.allCases) func aChain(place: Place) async throws {
    let count = try await place.run {
      let chain = Link.chain(Self.chainCount)
      defer { chain.breakUp() }
      let copy = try roundTrip(chain)
      defer { copy.breakUp() }
      return copy.checkedCount
    }
    #expect(count == Self.chainCount)
  }

  @Test(arguments: Place.allCases) func aListWithWeakBackLinks(place: Place) async throws {
    let count = try await place.run {
      let list = DoubleLink.list(Self.otherCount)
      defer { list.breakUp() }
      let copy = try roundTrip(list)
      defer { copy.breakUp() }
      var (count, link) = (1, copy)
      while let next = link.next {
        guard next.previous === link, next.number == link.number + 1 else { return -1 }
        (link, count) = (next, count + 1)
      }
      return count
    }
    #expect(count == Self.otherCount)
  }

  @Test(arguments: Place.allCases) func aTreeThatLeansToTheLeft(place: Place) async throws {
    let count = try await place.run {
      let tree = Leaning.tree(Self.otherCount)
      defer { tree.breakUp() }
      let copy = try roundTrip(tree)
      defer { copy.breakUp() }
      return copy.checkedCount
    }
    #expect(count == Self.otherCount)
  }
}

/// A node with all of the tree on its left, and a leaf on its right.
final class Leaning: GCodable {
  private enum Key: String { case number, left, right }
  let number: Int
  private var left: [Leaning] = []
  private var right: Leaning?

  init(_ number: Int) { self.number = number }

  /// A tree of an odd number of nodes, or one less.
  static func tree(_ count: Int) -> Leaning {
    var tree = Leaning(0)
    for number in stride(from: 1, to: count - 1, by: 2) {
      let node = Leaning(number)
      (node.left, node.right) = ([tree], Leaning(number + 1))
      tree = node
    }
    return tree
  }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    left = try decoder.decode(for: Key.left)
    right = try decoder.decode(for: Key.right)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.number)
    try encoder.encode(left, for: Key.left)
    try encoder.encode(right, for: Key.right)
  }

  /// The nodes of the tree; -1 where they are not those of `tree`.
  var checkedCount: Int {
    var (node, count) = (self, 1)
    while let left = node.left.first, let right = node.right {
      guard right.number == node.number + 1, left.number == max(node.number - 2, 0) else { return -1 }
      (node, count) = (left, count + 2)
    }
    return node.number == 0 && node.right == nil ? count : -1
  }

  func breakUp() {
    var node: Leaning? = self
    while let current = node { (node, current.left) = (current.left.first, []) }
  }
}
