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

/// What `GraphArchive.statistics` adds up.
@Suite("Statistics") struct StatisticsTests {
  @Test func everyByteBelongsToSomething() throws {
    let posts = (0..<40).map { Post("post \($0)", samples: $0 < 4 ? (0..<5_000).map(Double.init) : [1]) }
    let bytes = try encoded(["posts": posts], compression: .lz4)
    let archive = try GraphArchive(bytes)
    let statistics = try archive.statistics()
    #expect(statistics.storedByteCount == UInt64(bytes.count))
    let stream = statistics.classes.reduce(0) { $0 + $1.streamByteCount }
    #expect(stream == archive.contents.graph.rawByteCount)
    let stored = statistics.classes.reduce(0) { $0 + $1.storedByteCount }
    #expect(stored + statistics.overheadByteCount == UInt64(bytes.count))
    let post = try #require(statistics.classes.first)
    #expect(post.name.hasSuffix("Post") && post.count == 40 && post.arrayByteCount == 160_000)
    #expect(statistics.arrays.map(\.name) == [post.name + ".samples"])
    #expect(statistics.arrays[0].count == 4)
    #expect(statistics.keys.first?.name == post.name + ".samples")
    #expect(statistics.keys.contains { $0.name == "root.posts" })
  }

  @Test func indicesAreNoDifference() throws {
    let frames = (0..<3).map { frame in ["x": (0..<4_000).map { Double($0 + frame) }] }
    let statistics = try GraphArchive(encoded(frames, compression: .none)).statistics()
    #expect(statistics.arrays.map(\.name) == ["root[].x"])
    #expect(statistics.arrays[0].count == 3 && statistics.arrays[0].arrayByteCount == 96_000)
  }
}
