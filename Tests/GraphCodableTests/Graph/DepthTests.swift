import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Long chains of references, on small stacks.
///
/// None of the models here is released recursively by the
/// tests themselves; what the library holds must not be either.
@Suite("Depth")
struct DepthTests {
  static let count = Effort.count("GRAPHCODABLE_CHAIN", usual: 100_000, thorough: 200_000)
  static let stacks = [512 << 10, 8 << 20]

  @Test(arguments: stacks) func aLongChainComesBack(stack: Int) throws {
    let count = try onThread(stackByteCount: stack) {
      let chain = Link.chain(Self.count)
      defer { chain.breakUp() }
      let copy = try roundTrip(chain)
      defer { copy.breakUp() }
      return copy.checkedCount
    }
    #expect(count == Self.count)
  }

  @Test func aLongChainOfSubclassesAndContainersComesBack() throws {
    let (numbers, isRight) = try onThread(stackByteCount: 512 << 10) {
      var chain = MixedLink(0)
      for number in 1..<50_000 {
        chain = number % 3 == 0 ? MixedSublink(number, chain) : MixedLink(number, chain)
      }
      defer { chain.breakUp() }
      let copy = try roundTrip(chain)
      defer { copy.breakUp() }
      var numbers: [Int] = []
      var isRight = true
      var link: MixedLink? = copy
      while let current = link {
        numbers.append(current.number)
        isRight = isRight && (current is MixedSublink) == (current.number > 0 && current.number % 3 == 0)
        link = current.next
      }
      return (numbers, isRight)
    }
    #expect(numbers == (0..<50_000).reversed())
    #expect(isRight)
  }

  @Test func aLongDoublyLinkedListComesBack() throws {
    let isRight = try onThread(stackByteCount: 512 << 10) {
      let list = DoubleLink.list(50_000)
      defer { list.breakUp() }
      let copy = try roundTrip(list)
      defer { copy.breakUp() }
      var count = 1
      var link = copy
      while let next = link.next {
        guard next.previous === link, next.number == link.number + 1 else { return false }
        (link, count) = (next, count + 1)
      }
      return count == 50_000 && copy.previous == nil
    }
    #expect(isRight)
  }

  /// What the root of the failing archives holds: it decodes all of it, then throws.
  private struct Failing<Content: GCodable>: GCodable {
    var content: Content
    init(_ content: Content) { self.content = content }
    func encode(to encoder: GEncoder) throws { try encoder.encode(content) }
    init(from decoder: GDecoder) throws {
      content = try decoder.decode()
      throw GCodableError(.invalidValue, "thrown at the end")
    }
  }

  private func failure(_ bytes: Bytes, _ type: (some GDecodable).Type) throws -> GCodableError? {
    try onThread(stackByteCount: 512 << 10) {
      do {
        _ = try decoded(type, from: bytes)
        return nil
      } catch { return error as? GCodableError }
    }
  }

  @Test func aFailedDecodeReleasesAChainWithoutRecursion() throws {
    let chain = Link.chain(Self.count)
    defer { chain.breakUp() }
    let bytes = try encoded(Failing(chain))
    #expect(try failure(bytes, Failing<Link>.self)?.code == .invalidValue)
  }

  @Test func aFailedDecodeReleasesAChainThatWasBuiltFromItsEndWithoutRecursion() throws {
    var links = [Link(0)]
    for number in 1..<Self.count { links.append(Link(number, links[number - 1])) }
    defer { for link in links { link.next = nil } }
    let bytes = try encoded(Failing(links))
    #expect(try failure(bytes, Failing<[Link]>.self)?.code == .invalidValue)
  }

  @Test func aFailedDecodeReleasesAListWithDeferredLinksWithoutRecursion() throws {
    let list = DoubleLink.list(Self.count)
    defer { list.breakUp() }
    let bytes = try encoded(Failing(list))
    #expect(try failure(bytes, Failing<DoubleLink>.self)?.code == .invalidValue)
  }

  @Test func anErrorAtTheEndOfAChainIsKeptAndNamesItsPath() throws {
    let chain = Link.chain(20_000)
    defer { chain.breakUp() }
    chain.last.isBad = true
    let bytes = try encoded(chain)
    let error = try failure(bytes, Link.self)
    #expect(error?.code == .invalidValue)
    #expect(error?.description.contains("a bad link") == true)
    #expect(error?.keyPath.first == "next")
    #expect((error?.keyPath.count ?? .max) < 200)
  }

  @Test func anUnrequestedLongChainIsSkipped() throws {
    let chain = Link.chain(20_000)
    defer { chain.breakUp() }
    chain.last.isBad = true
    let bytes = try script {
      try $0.encode(chain)
      try $0.encode(5, for: Letter.a)
    }
    try Reading.decode(bytes) { try #expect($0.decode(Int.self, for: Letter.a) == 5) }
  }

  /// At depth the objects ahead are made first, those behind deferred references too.
  ///
  /// One of them that
  /// needs an object which is still being made is no error: nobody has asked for it yet.
  @Test func aDeferredObjectThatNeedsOneBeingMadeComesBackAtAnyDepth() throws {
    for depth in [1, 100, 5000] + Array(120...132) {
      let pair = Owner()
      pair.part = Part(owner: pair, detail: Detail())
      pair.part?.detail.back = BackLink(pair)
      var chain = MixedLink(0)
      chain.owner = pair
      for number in 1...depth { chain = MixedLink(number, chain) }
      defer {
        chain.breakUp()
        pair.part?.detail.back = nil
      }
      let copy = try roundTrip(chain)
      defer { copy.breakUp() }
      var last = copy
      while let next = last.next { last = next }
      let owner = try #require(last.owner)
      #expect(owner.part?.detail.back?.owner === owner, "at depth \(depth)")
      owner.part?.detail.back = nil
    }
  }
}

/// A chain that Swift would release recursively, because the next link is in an array; the tests break it up.
final class Link: GCodable {
  private enum Key: String { case number, next, isBad }
  let number: Int
  private var links: [Link]
  var isBad = false

  var next: Link? {
    get { links.first }
    set { links = newValue.map { [$0] } ?? [] }
  }

  init(_ number: Int, _ next: Link? = nil) { (self.number, links) = (number, next.map { [$0] } ?? []) }

  static func chain(_ count: Int) -> Link {
    var chain = Link(0)
    for number in 1..<count { chain = Link(number, chain) }
    return chain
  }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    links = try decoder.decode(for: Key.next)
    if try decoder.decode(for: Key.isBad) { throw GCodableError(.invalidValue, "a bad link") }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.number)
    try encoder.encode(links, for: Key.next)
    try encoder.encode(isBad, for: Key.isBad)
  }

  var last: Link {
    var link = self
    while let next = link.next { link = next }
    return link
  }

  /// Links whose numbers go down to 0; -1 for others.
  var checkedCount: Int {
    var link = self
    let count = number + 1
    while let next = link.next {
      guard next.number == link.number - 1 else { return -1 }
      link = next
    }
    return link.number == 0 ? count : -1
  }

  func breakUp() {
    var link: Link? = self
    while let current = link { (link, current.next) = (current.next, nil) }
  }
}

/// A chain that goes through arrays, dictionaries and optionals of several classes.
class MixedLink: GCodable {
  let number: Int
  private var list: [MixedLink?] = []
  private var named: [String: [MixedLink]] = [:]
  var owner: Owner?

  var next: MixedLink? { list.compactMap { $0 }.first ?? named["next"]?[0] }

  init(_ number: Int, _ next: MixedLink? = nil) {
    self.number = number
    if number.isMultiple(of: 2) { list = [nil, next] } else if let next { named = ["next": [next]] }
  }

  required init(from decoder: GDecoder) throws {
    named = try decoder.decode(for: Letter.d)
    list = try decoder.decode(for: Letter.l)
    owner = try decoder.decode(for: Letter.o)
    number = try decoder.decode(for: Letter.n)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Letter.n)
    try encoder.encode(list, for: Letter.l)
    try encoder.encode(named, for: Letter.d)
    try encoder.encode(owner, for: Letter.o)
  }

  func breakUp() {
    var link: MixedLink? = self
    while let current = link {
      link = current.next
      (current.list, current.named) = ([], [:])
    }
  }
}

final class MixedSublink: MixedLink {}

final class DoubleLink: GCodable {
  let number: Int
  private var links: [DoubleLink] = []
  var next: DoubleLink? {
    get { links.first }
    set { links = newValue.map { [$0] } ?? [] }
  }
  weak var previous: DoubleLink?

  init(_ number: Int) { self.number = number }

  static func list(_ count: Int) -> DoubleLink {
    let first = DoubleLink(0)
    var last = first
    for number in 1..<count {
      let link = DoubleLink(number)
      (last.next, link.previous) = (link, last)
      last = link
    }
    return first
  }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Letter.n)
    links = try decoder.decode(for: Letter.x)
    try decoder.deferDecode(for: Letter.p) { self.previous = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Letter.n)
    try encoder.encodeConditional(previous, for: Letter.p)
    try encoder.encode(links, for: Letter.x)
  }

  func breakUp() {
    var link: DoubleLink? = self
    while let current = link { (link, current.next) = (current.next, nil) }
  }
}

/// Owner → Part → Detail ⇢ BackLink → Owner, where ⇢ is deferred.
final class Owner: GCodable {
  var part: Part?
  init() {}
  init(from decoder: GDecoder) throws { part = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(part) }
}

final class Part: GCodable {
  weak var owner: Owner?
  let detail: Detail
  init(owner: Owner, detail: Detail) { (self.owner, self.detail) = (owner, detail) }
  init(from decoder: GDecoder) throws { detail = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(detail) }
}

final class Detail: GCodable {
  var back: BackLink?
  init() {}
  init(from decoder: GDecoder) throws { try decoder.deferDecode { self.back = $0 } }
  func encode(to encoder: GEncoder) throws { try encoder.encode(back) }
}

final class BackLink: GCodable {
  let owner: Owner
  init(_ owner: Owner) { self.owner = owner }
  init(from decoder: GDecoder) throws { owner = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(owner) }
}
