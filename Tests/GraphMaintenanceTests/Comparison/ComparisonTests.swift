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

/// What `GraphArchive.compare` finds.
@Suite("Comparison of graphs") struct ComparisonTests {
  private static func compare(
    _ first: some GEncodable, _ second: some GEncodable, absolute: Double = 0, relative: Double = 0
  ) throws -> [String] {
    let archives = try (
      GraphArchive(encoded(first, compression: .none)), GraphArchive(encoded(second, compression: .lz4))
    )
    let found = try archives.0.compare(
      with: archives.1, absoluteTolerance: absolute, relativeTolerance: relative)
    #expect(found.isEmpty == found.differences.isEmpty)
    return found.differences.map(\.description)
  }

  private static func ring(_ names: [String], closesAt place: Int = 0) -> Post {
    let posts = names.map { Post($0) }
    for number in 1..<posts.count { posts[number - 1].next = posts[number] }
    posts[posts.count - 1].owner = posts[place]
    return posts[0]
  }

  @Test func theSameGraphIsTheSame() throws {
    let post = Self.ring(["a", "b", "c"])
    #expect(try Self.compare(post, post) == [])
    #expect(try Self.compare(Self.ring(["a", "b", "c"]), Self.ring(["a", "b", "c"])) == [])
  }

  @Test func aValueIsNamedByItsPath() throws {
    #expect(
      try Self.compare(Self.ring(["a", "b", "c"]), Self.ring(["a", "x", "c"])) == [#"next.name: "b", "x""#])
    #expect(try Self.compare(["a": 1, "b": 2], ["b": 3, "a": 1]) == ["b: 2, 3"])
    #expect(
      try Self.compare(["a": 1], ["b": 1]) == [
        "a: only in the first: int64", "b: only in the second: int64",
      ])
    #expect(try Self.compare([1, 2].map { "\($0)" }, ["1"]) == ["root: 2 elements, 1 elements"])
  }

  @Test func identityIsCompared() throws {
    let one = Post("one")
    #expect(try Self.compare([one, one], [one, Post("one")]).count == 1)
    #expect(try Self.compare([one, one], [one, Post("one")])[0].hasPrefix("[1]: other identity"))
    let (first, second) = (Self.ring(["a", "b", "c"], closesAt: 0), Self.ring(["a", "b", "c"], closesAt: 1))
    #expect(try Self.compare(first, second).map { $0.hasPrefix("next.next.owner: other identity") } == [true])
  }

  @Test func fieldsAreComparedByTheirKeys() throws {
    let first = Script {
      try $0.encode(1, for: Letter.a); try $0.encode("x", for: Letter.b); try $0.encode(2, for: Letter.c)
    }
    let second = Script {
      try $0.encode("x", for: Letter.b); try $0.encode(1, for: Letter.a); try $0.encode(true, for: Letter.d)
    }
    #expect(
      try Self.compare(first, second) == ["c: only in the first: int64", "d: only in the second: bool"])
  }

  @Test func numbersHaveTolerances() throws {
    let numbers = (0..<5_000).map { Double($0) }
    let near = numbers.map { $0 == 7 ? 7.5 : $0 }
    let found = try Self.compare(["a": numbers], ["a": near])
    #expect(found == ["a[7]: 7.0, 7.5; 1 elements differ, by up to 0.5"])
    #expect(try Self.compare(["a": numbers], ["a": near], absolute: 0.5) == [])
    #expect(try Self.compare(["a": numbers], ["a": near], relative: 0.1) == [])
    #expect(try Self.compare(["a": numbers], ["a": near], relative: 0.01).count == 1)
    #expect(try Self.compare(1.0, 1.0 + 1e-9, relative: 1e-6) == [])
    #expect(try Self.compare(1.0, 1.0.nextUp).count == 1)
    #expect(try Self.compare(Double.nan, Double.nan) == [])
    #expect(try Self.compare(1, 2, absolute: 5) == ["root: 1, 2"])
    #expect(try Self.compare([1.5], ["a"]).count == 1)
  }

  @Test func setsHaveNoOrder() throws {
    let words = (0..<50).map { "word \($0)" }
    #expect(try Self.compare(Set(words), Set(words.reversed())) == [])
  }

  @Test func longChainsTakeNoStackAndNoSquareOfMemory() throws {
    let chain = Self.ring((0..<20_000).map { "\($0)" })
    let other = Self.ring((0..<20_000).map { $0 == 19_000 ? "x" : "\($0)" })
    defer {
      for start in [chain, other] {
        var post: Post? = start; while let next = post?.next { post?.next = nil; post = next }
      }
    }
    let found = try GraphArchive(encoded(chain)).compare(with: GraphArchive(encoded(other)))
    #expect(found.differences.map(\.path.steps.count) == [19_001])
  }
}
