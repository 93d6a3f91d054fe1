import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Nothing that the coders hold is released recursively, in whatever order it was met.
@Suite("Releasing long chains")
struct ReleaseTests {
  /// Its link is one of an array.
  final class Link: GCodable {
    let number: Int
    var links: [Link] = []
    init(_ number: Int, _ next: Link? = nil) {
      self.number = number
      links = next.map { [$0] } ?? []
    }
    enum Key: String { case number, links }
    struct Failure: Error {}
    init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Key.number)
      try decoder.deferDecode(for: Key.links) { [unowned self] in self.links = $0 }
      if number < 0 { throw Failure() }
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Key.number)
      try encoder.encode(links, for: Key.links)
    }
  }

  @Test func aFailedDecodeOfDeferredForwardLinks() throws {
    let links = (0..<100_000).map { Link($0) } + [Link(-1)]
    for index in 1..<links.count { links[index - 1].links = [links[index]] }
    defer { for link in links { link.links = [] } }
    let bytes = try encoded(links[0])
    #expect(throws: Link.Failure.self) { try decoded(Link.self, from: bytes) }
  }

  @Test func aFailedDecodeOfDeferredLinksInRandomOrder() throws {
    var random = SplitMix64(seed: 4)
    let links = (0..<100_000).map { Link($0) }
    let order = links.shuffled(using: &random)
    for index in 1..<order.count { order[index - 1].links = [order[index]] }
    defer { for link in links { link.links = [] } }
    let bytes = try encoded(links + [Link(-1)])
    #expect(throws: Link.Failure.self) { try decoded([Link].self, from: bytes) }
  }

  /// Written without their links, so that each is met by itself.
  final class Bare: GCodable {
    var links: [Bare]
    init(_ next: Bare?) { links = next.map { [$0] } ?? [] }
    init(from decoder: GDecoder) throws { links = [] }
    func encode(to encoder: GEncoder) throws {}
  }

  enum Order: CaseIterable { case forwards, backwards, random }

  @Test(arguments: Order.allCases) func temporaries(_ order: Order) throws {
    let bytes = try script { encoder in
      var chain: [Bare] = []
      for _ in 0..<100_000 { chain.append(Bare(chain.last)) }
      var random = SplitMix64(seed: 5)
      switch order {
      case .forwards: break
      case .backwards: chain.reverse()
      case .random: chain.shuffle(using: &random)
      }
      for link in chain { try encoder.encode(link) }
      // The encoder holds all of them now.
      while chain.popLast() != nil {}
    }
    #expect(bytes.count > 100_000)
  }
}
