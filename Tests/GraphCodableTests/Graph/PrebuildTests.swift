import GraphCodable
import GraphCodableTestSupport
import Testing

/// Graphs that are deep and cyclic at once, so that objects are prebuilt while others are being made that
/// lead back to them.
@Suite("Prebuilding")
struct PrebuildTests {
  /// A random mesh behind a chain; `times` counts how often an object of it was made.
  private func decodeMesh(_ count: Int, numbers: Int, _ options: GraphEncoder.Options) throws -> MeshCounter {
    var random = SplitMix64(seed: UInt64(count))
    let nodes = (0..<count).map { MeshNode($0, numbers: numbers) }
    for (index, node) in nodes.enumerated() where index + 1 < count {
      node.direct = (0..<2).map { _ in nodes[index + 1 + random.below(min(count - index - 1, 50))] }
      node.deferred = (0..<3).map { _ in nodes[random.below(count)] }
    }
    let chain = (0..<150).reduce(nodes[0]) { chain, index in
      let link = MeshNode(-1 - index, numbers: 0)
      link.direct = [chain]
      return link
    }
    defer { for node in nodes { (node.direct, node.deferred) = ([], []) } }
    let counter = MeshCounter()
    let decoder = GraphDecoder()
    decoder.userInfo[MeshNode.counter] = counter
    let copy = try decoder.decode(MeshNode.self, from: encoded(chain, options))
    counter.check(copy, against: chain)
    return counter
  }

  /// The work grows with the number of objects, not faster.
  @Test(
    arguments: Effort.of([200, 2000], thorough: [200, 2000, 10_000]),
    [GraphEncoder.Options(), .disableInheritance])
  func objectsOfAMeshAreMadeAFewTimesAtMost(count: Int, options: GraphEncoder.Options) throws {
    let counter = try decodeMesh(count, numbers: 0, options)
    #expect(counter.differenceCount == 0)
    #expect(counter.nodeCount > count / 2)
    #expect(counter.times.values.reduce(0, +) < 3 * counter.nodeCount)
    #expect((counter.times.values.max() ?? 0) < 8)
  }

  /// An object that is made again reads its large arrays again.
  @Test func largeArraysOfAMeshComeBack() throws {
    let counter = try decodeMesh(300, numbers: 2100, [])
    #expect(counter.differenceCount == 0)
  }

  /// One object of a loop defers what all others decode at once.
  @Test(arguments: [2, 100, 129, 150_000]) func aLoopWithOneDeferredLinkComesBack(count: Int) throws {
    let isLoop = try onThread(stackByteCount: 512 << 10) {
      let links = (0..<count).map { LoopLink($0, defers: $0 == 0) }
      for (index, link) in links.enumerated() { link.next = links[(index + 1) % count] }
      defer { for link in links { link.next = nil } }
      let copy = try roundTrip(links[0])
      return copy.isLoop(count)
    }
    #expect(isLoop)
  }

  /// Which ones defer changes from object to object.
  @Test func aChainThatDefersInPartComesBack() throws {
    for pattern in [2, 3, 7] {
      let count = 20_000
      let links = (0..<count).map { LoopLink($0, defers: $0 % pattern == 0) }
      for (index, link) in links.enumerated() { link.next = links[(index + 1) % count] }
      defer { for link in links { link.next = nil } }
      let copy = try roundTrip(links[0])
      #expect(copy.isLoop(count))
    }
  }

  /// The archive has them among the overflow fields of their records, where each has its own key.
  @Test func aDeepMeshOfIrregularObjectsComesBack() throws {
    let count = 400
    let nodes = (0..<count).map { IrregularNode($0) }
    for (index, node) in nodes.enumerated() {
      node.next = index + 1 < count ? nodes[index + 1] : nil
      node.other = nodes[index * 7 % count]
    }
    defer { for node in nodes { (node.next, node.other) = (nil, nil) } }
    let copy = try roundTrip(nodes[0])
    let copies = Array(sequence(first: copy, next: \.next))
    defer { for node in copies { (node.next, node.other) = (nil, nil) } }
    #expect(copies.map(\.number) == Array(0..<count))
    #expect(copies.allSatisfy { $0.other === copies[$0.number * 7 % count] })
  }
}

// MARK: - Models

/// How often each object was decoded, and what became of them.
final class MeshCounter {
  fileprivate(set) var times: [Int: Int] = [:]
  fileprivate(set) var nodeCount = 0
  fileprivate(set) var differenceCount = 0

  fileprivate func check(_ copy: MeshNode, against original: MeshNode) {
    var copies = [original.number: copy]
    var pairs = [(original, copy)]
    while let (original, copy) = pairs.popLast() {
      nodeCount += 1
      let isSame =
        original.number == copy.number && original.numbers == copy.numbers
        && original.direct.count == copy.direct.count && original.deferred.count == copy.deferred.count
      guard isSame else {
        differenceCount += 1
        continue
      }
      for (one, other) in zip(original.direct + original.deferred, copy.direct + copy.deferred) {
        if let known = copies[one.number] {
          if known !== other { differenceCount += 1 }
        } else {
          copies[one.number] = other
          pairs.append((one, other))
        }
      }
    }
    for node in copies.values { (node.direct, node.deferred) = ([], []) }
  }
}

final class MeshNode: GCodable {
  static let counter = CodingUserInfoKey(rawValue: "MeshNode")!

  let number: Int
  let numbers: [Double]
  var direct: [MeshNode] = []
  var deferred: [MeshNode] = []

  init(_ number: Int, numbers: Int) {
    (self.number, self.numbers) = (number, (0..<numbers).map { Double(number) + Double($0) })
  }

  private enum Key: String { case number, numbers, direct, deferred }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    (decoder.userInfo[Self.counter] as? MeshCounter)?.times[number, default: 0] += 1
    numbers = try decoder.decode(for: Key.numbers)
    direct = try decoder.decode(for: Key.direct)
    try decoder.deferDecode(for: Key.deferred) { self.deferred = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(deferred, for: Key.deferred)
    try encoder.encode(number, for: Key.number)
    try encoder.encode(numbers, for: Key.numbers)
    try encoder.encode(direct, for: Key.direct)
  }
}

/// A link that says itself whether it defers the next one.
final class LoopLink: GCodable {
  let number: Int
  let defers: Bool
  var next: LoopLink?

  init(_ number: Int, defers: Bool) { (self.number, self.defers) = (number, defers) }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Letter.n)
    defers = try decoder.decode(for: Letter.d)
    if defers {
      try decoder.deferDecode(for: Letter.x) { self.next = $0 }
    } else {
      next = try decoder.decode(for: Letter.x)
    }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Letter.n)
    try encoder.encode(defers, for: Letter.d)
    try encoder.encode(next, for: Letter.x)
  }

  /// Whether `count` links lead back to this one; takes them apart.
  func isLoop(_ count: Int) -> Bool {
    var link: LoopLink? = self
    for number in 0..<count {
      guard let current = link, current.number == number else { return false }
      link = current.next
      current.next = nil
    }
    return link === self
  }
}

/// Has more keys than a shape has fields, others than its neighbours.
final class IrregularNode: GCodable {
  let number: Int
  var next: IrregularNode?
  var other: IrregularNode?

  init(_ number: Int) { self.number = number }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Letter.a)
    next = try decoder.decode(for: NameKey("next"))
    try decoder.deferDecode(for: NameKey("other")) { self.other = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Letter.a)
    for filler in 0..<300 { try encoder.encode(filler, for: NameKey("filler \(number % 5) \(filler)")) }
    try encoder.encode(other, for: NameKey("other"))
    try encoder.encode(next, for: NameKey("next"))
  }
}
