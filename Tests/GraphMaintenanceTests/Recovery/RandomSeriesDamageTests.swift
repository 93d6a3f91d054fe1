import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage

/// Random damage of series: entries that are intact, with their records, come back with step and contents.
///
/// `GRAPHCODABLE_DAMAGES=1000` says how many there are.
@Suite("Random damage of series") struct RandomSeriesDamageTests {
  private struct Sample {
    let bytes: Bytes
    /// Of each entry what it consists of: its own bytes, and the blocks that it shares.
    let ranges: [[Range<Int>]]
    let posts: [Post]

    init(_ url: URL, _ sharing: GraphArchiveSeries.Writer.Sharing) throws {
      let fixed = (0..<9_000).map { Double($0 % 77) }
      // The entries are of very different sizes.
      posts = (0..<8).map { number in
        let samples = (0..<(number % 3 * 4_000 + 10)).map { Double($0 * (number + 1) % 977) + 0.25 }
        return Post("entry \(number)", others: [Post("fixed", samples: fixed)], samples: samples)
      }
      let encoder = GraphEncoder()
      encoder.compression = sharing == .none ? .lz4 : .none
      do {
        let writer = try GraphArchiveSeries.Writer(url)
        writer.sharing = sharing
        for (number, post) in posts.enumerated() {
          try encoder.append(post, to: writer, step: number * 10, time: Double(number))
        }
      }
      bytes = try Bytes(Data(contentsOf: url))
      let entries = Array(try GraphArchiveSeries(url))
      let end = UInt64(bytes.count)
      ranges = try entries.indices.map { number in
        let entry = entries[number]
        let next = number + 1 < entries.count ? entries[number + 1].offset : end
        let archive = try GraphArchive(entry)
        let blocks = archive.contents.segments.flatMap { placed in
          zip(placed.segment.blocks, ArchiveReader.OpenSegment(placed).blockOffsets).compactMap {
            block, start in
            archive.storage.place(of: start..<(start + UInt64(block.storedByteCount))).map {
              Int($0.offset)..<(Int($0.offset) + Int(block.storedByteCount))
            }
          }
        }
        return [Int(entry.offset)..<Int(next)] + blocks
      }
    }
  }

  @Test func intactEntriesComeBack() throws {
    let folder = try TemporaryFolder()
    let samples = try [
      Sample(folder.file("plain.gcseries"), .none), Sample(folder.file("shared.gcseries"), .blocks),
    ]
    var random = SplitMix64(seed: 11)
    let kinds = [0, 1, 2, 5, 6, 7, 8, 9]
    let (old, new) = (folder.file("damaged.gcseries"), folder.file("new.gcseries"))
    var counts: [String: (damages: Int, entries: Int)] = [:]
    for trial in 0..<Effort.count("GRAPHCODABLE_DAMAGES", usual: 80, thorough: 10_000) {
      let sample = samples[trial % samples.count]
      var damaged = DamagedBytes(sample.bytes)
      let name = damaged.damage(kinds[random.below(kinds.count)], &random)
      let intact = sample.ranges.indices.filter { sample.ranges[$0].allSatisfy(damaged.isIntact) }
      let comment = Comment(rawValue: "trial \(trial), \(name), intact: \(intact)")
      try Data(damaged.bytes).write(to: old)
      counts[name, default: (0, 0)].damages += 1
      counts[name]?.entries += intact.count
      let recovery: GraphRecovery
      do { recovery = try GraphArchive.recover(old, to: new) } catch let error as GCodableError
        where error.code == .damaged
      {
        #expect(intact.isEmpty, comment)
        continue
      }
      #expect(recovery.isSeries || intact.isEmpty, comment)
      guard recovery.isSeries else { continue }
      let series = try GraphArchiveSeries(new)
      #expect(throws: Never.self, comment) { try GraphDecoder().verify(series) }
      for number in intact {
        let found = series.contains { entry in
          guard entry.step == number * 10, let post = try? GraphArchive(entry).decode(Post.self) else {
            return false
          }
          return post.name == "entry \(number)" && post.samples == sample.posts[number].samples
            && post.others.first?.samples.count == 9_000
        }
        #expect(found, "entry \(number) of \(comment)")
      }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      print("\(name): \(count.damages) damages, all of \(count.entries) intact entries came back")
    }
  }
}
