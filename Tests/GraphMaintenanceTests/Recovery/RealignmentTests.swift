import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage

/// What is found again where bytes were inserted, removed or moved.
@Suite("Realignment") struct RealignmentTests {
  private static func posts(_ compression: GraphEncoder.Compression) throws -> Bytes {
    let posts = (0..<41).map { number in
      Post("post \(number)", samples: number < 2 ? (0..<4_000).map { Double($0 * (number + 7) % 1_013) } : [])
    }
    for number in 1..<posts.count { posts[number / 2].others.append(posts[number]) }
    return try encoded(posts[0], compression: compression)
  }

  /// In front of, in and behind each of header, segments and contents.
  @Test(arguments: [GraphEncoder.Compression.none, .lz4])
  func oneByteMoreCostsTheBlockThatItIsIn(_ compression: GraphEncoder.Compression) throws {
    let bytes = try Self.posts(compression)
    let archive = try GraphArchive(bytes)
    for placed in archive.contents.segments {
      let places = [placed.offset, placed.offset + 10, placed.end - 1, placed.end]
      for place in places.map({ Int($0) }) {
        var damaged = bytes
        damaged.insert(7, at: place)
        let (found, report) = try recovered(damaged)
        #expect(report.tables == .intact && report.lostBlockCount <= 1, "byte \(place)")
        #expect(report.hasMoved)
        try found.verify()
        if placed.segment.kind == .bulk {
          #expect(report.objectCount == 41 && report.rootIsWhole, "byte \(place)")
        }
      }
    }
  }

  @Test func whatIsOnlyMovedComesBackBitForBit() throws {
    for compression in [GraphEncoder.Compression.none, .lz4] {
      let bytes = try Self.posts(compression)
      let sink = BytesSink()
      var recovery = try ArchiveRecovery(ArchiveStorage([1, 2, 3] + bytes))
      let report = try recovery.write(to: sink).report
      #expect(report.isWhole && report.hasMoved)
      #expect(report.summary == "nothing is lost, bytes were inserted, removed or moved")
      #expect(sink.bytes == bytes)
    }
  }

  @Test func withoutHeaderBlocksAreFoundBehindRemovedBytes() throws {
    let bytes = try Self.posts(.none)
    let last = try #require(try GraphArchive(bytes).contents.bulk.last)
    var damaged = Bytes(repeating: 0, count: 40) + bytes[40...]
    damaged.remove(at: Int(last.offset) - 1)
    let (found, report) = try recovered(damaged)
    #expect(report.tables == .unverified && report.objectCount == 41)
    try found.verify()
  }

  @Test func withoutContentsBlocksAreFoundBehindInsertedBytes() throws {
    let numbers = (0..<300_000).map { Double($0 &* 7919 % 1000) }
    for compression in [GraphEncoder.Compression.none, .lz4] {
      let bytes = try encoded(["a": numbers], compression: compression)
      let archive = try GraphArchive(bytes)
      let open = ArchiveReader.OpenSegment(archive.contents.bulk[0])
      var damaged = bytes
      damaged.replaceSubrange((bytes.count - 9)..., with: Bytes(repeating: 1, count: 9))
      damaged.insert(contentsOf: [1, 2], at: Int(open.blockOffsets[1]) + 5)
      let (found, report) = try recovered(damaged)
      #expect(report.tables == .lost)
      #expect(report.lostBlockCount == 1)
      let back = try found.decode([Int: [Double]].self, at: "recovered.arrays")[0]
      #expect(back?[130_048...].elementsEqual(numbers[130_048...]) == true)
    }
  }

  /// An archive among the bytes of another one is not taken for it.
  @Test func anArchiveInABlockIsNotTakenForTheWhole() throws {
    let inner = try Self.posts(.none)
    let bytes = try encoded(
      ["inner": inner, "more": Bytes(repeating: 3, count: 400_000)], compression: .none)
    var damaged = bytes
    damaged[3] ^= 1
    damaged.insert(1, at: 20)
    let (found, report) = try recovered(damaged)
    #expect(report.tables == .unverified)
    #expect(try found.decode([String: Bytes].self)["inner"] == inner)
  }

  // MARK: Series

  private static func series(
    in folder: TemporaryFolder, _ sharing: Bool
  ) throws -> (bytes: Data, url: URL) {
    let url = folder.file("run.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    writer.sharing = sharing ? .blocks : .none
    let encoder = GraphEncoder()
    let fixed = (0..<9_000).map { Double($0 % 77) }
    for entry in 0..<5 {
      let post = Post("entry \(entry)", samples: (0..<5_000).map { Double($0 * (entry + 1) % 977) })
      post.others = [Post("fixed", samples: fixed)]
      try encoder.append(post, to: writer, step: entry * 10, time: Double(entry))
    }
    return (try Data(contentsOf: url), url)
  }

  /// Inserts bytes, or removes them, at many places: each costs what is at its place.
  @Test(arguments: [false, true])
  func ofASeriesOneEntryIsLostAtMost(_ sharing: Bool) throws {
    let folder = try TemporaryFolder()
    let (bytes, url) = try Self.series(in: folder, sharing)
    let entries = Array(try GraphArchiveSeries(url))
    var random = SplitMix64(seed: 3)
    for trial in 0..<Effort.count("GRAPHCODABLE_DAMAGES", usual: 60, thorough: 2_000) {
      var damaged = bytes
      let place = trial < 70 ? trial : random.below(bytes.count)
      if trial % 3 == 0 {
        damaged.removeSubrange(place..<min(place + 1 + random.below(200), bytes.count))
      } else {
        damaged.insert(contentsOf: Data(count: 1 + random.below(200)), at: place)
      }
      let (old, new) = (folder.file("damaged.gcseries"), folder.file("new.gcseries"))
      try damaged.write(to: old)
      let recovery = try GraphArchive.recover(old, to: new)
      let series = try GraphArchiveSeries(new)
      let comment = Comment(rawValue: "trial \(trial), byte \(place), \(recovery.archives)")
      #expect(throws: Never.self, comment) { try GraphDecoder().verify(series) }
      #expect(recovery.isSeries, comment)
      let whole = Set(recovery.archives.filter(\.isWhole).compactMap(\.entryNumber))
      for number in entries.indices {
        let start = number == 0 ? 64 : entries[number - 1].offset + entries[number - 1].storedByteCount
        let end = number + 1 < entries.count ? entries[number + 1].offset : UInt64(bytes.count)
        // What an entry shares stands in the first ones.
        guard UInt64(place) + 200 < (sharing ? 64 : start) || UInt64(place) > end else { continue }
        #expect(whole.contains(number), comment)
      }
    }
  }
}
