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

/// Random damage of archives: what is intact by the checksums is counted, and comes back.
///
/// `GRAPHCODABLE_DAMAGES=1000` says how many there are.
@Suite("Random damage") struct RandomDamageTests {
  /// An archive, and what it holds.
  private struct Sample {
    let bytes: Bytes
    let archive: GraphArchive
    let inventory: Inventory

    init(_ root: some GEncodable, _ compression: GraphEncoder.Compression) throws {
      let encoder = GraphEncoder()
      encoder.compression = compression
      bytes = try encoder.encode(root)
      archive = try GraphArchive(bytes)
      inventory = try Inventory(archive)
    }
  }

  private static func samples() throws -> [Sample] {
    var random = SplitMix64(seed: 19)
    func noise(_ count: Int) -> [Double] { (0..<count).map { _ in Double.random(in: 0..<1, using: &random) } }
    // One block of the graph stream and one of the index; arrays of several blocks.
    let many = (0..<300).map { Post("post \($0)", samples: noise($0 % 30 == 0 ? 3_000 : 2)) }
    for (number, post) in many.enumerated().dropFirst() {
      many[number / 3].others.append(post)
      post.owner = many[number / 3]
      post.next = number % 7 == 0 ? many[number - 5] : nil
    }
    // Objects over several blocks.
    let long = (0..<30).map { number in
      Post(
        String(repeating: "\(1_000 + number) ", count: 20_000),
        samples: number % 10 == 0 ? noise(140_000) : [])
    }
    for (number, post) in long.enumerated().dropFirst() {
      long[number / 2].others.append(post)
      post.next = long[number - 1]
    }
    defer { for post in many + long { (post.next, post.others) = (nil, []) } }
    return [
      try Sample(many[0], .lz4), try Sample(Array(many.prefix(40)), .none), try Sample(long[0], .none),
      try Sample(long, .lz4), try Sample(["a": noise(3_000), "b": noise(4_000)], .lz4),
      try Sample(many[299], .lz4),
    ]
  }

  /// Changes some bytes, and says which.
  private static func damage(
    _ sample: Sample, _ random: inout SplitMix64
  ) -> (bytes: Bytes, name: String, changed: [Range<Int>]) {
    var bytes = sample.bytes
    let contents = Int(sample.archive.header.contentsOffset)
    func change(_ range: Range<Int>, _ name: String, _ body: (UInt8) -> UInt8) -> (
      Bytes, String, [Range<Int>]
    ) {
      // What has been zero stays what it was.
      var changed: [Range<Int>] = []
      for place in range {
        let new = body(bytes[place])
        guard new != bytes[place] else { continue }
        bytes[place] = new
        if let last = changed.last, last.upperBound == place {
          changed[changed.count - 1] = last.lowerBound..<(place + 1)
        } else {
          changed.append(place..<(place + 1))
        }
      }
      return (bytes, name, changed)
    }
    switch random.below(6) {
    case 0, 1:
      let (place, bit) = (random.below(bytes.count), UInt8(1) << UInt8(random.below(8)))
      return change(place..<(place + 1), "flipped byte") { $0 ^ bit }
    case 2:
      let end = random.below(bytes.count)
      return (Bytes(bytes[..<end]), "cut", [end..<bytes.count])
    case 3:
      let start = random.below(bytes.count) / 4096 * 4096
      return change(start..<min(start + 4096, bytes.count), "zeroed page") { _ in 0 }
    case 4: return change(0..<40, "lost header") { _ in 0 }
    default: return change(contents..<bytes.count, "lost contents") { _ in 0 }
    }
  }

  /// What is intact: numbers of objects, and blocks of arrays.
  private struct Intact {
    var objects: Set<UInt32> = []
    var blocks: Set<Inventory.Block> = []
    var hasTables = false
  }

  private static func intact(_ sample: Sample, _ changed: [Range<Int>]) throws -> Intact {
    func isIntact(_ range: Range<Int>) -> Bool { !changed.contains { $0.overlaps(range) } }
    let contents = sample.archive.contents
    var intact = Intact()
    intact.hasTables = isIntact(Int(sample.archive.header.contentsOffset)..<sample.bytes.count)
    var lostStream: [Range<Int>] = []
    var indexIsLost = false
    try sample.archive.withReader { reader in
      for placed in contents.segments {
        let open = ArchiveReader.OpenSegment(placed)
        let header = Int(placed.offset)..<(Int(placed.offset) + placed.segment.header.count)
        let blocks = placed.segment.kind == .bulk ? try Inventory.blocks(of: placed, reader) : []
        for (number, offset) in open.blockOffsets.enumerated() {
          let byteCount = Int(placed.segment.blocks[number].storedByteCount)
          let isIntact = isIntact(Int(offset)..<(Int(offset) + byteCount))
          switch placed.segment.kind {
          case .bulk where isIntact && (intact.hasTables || !changed.contains { $0.overlaps(header) }):
            intact.blocks.insert(blocks[number])
          case .graph where !isIntact:
            let start = number * placed.segment.blockByteCount
            lostStream.append(start..<(start + placed.segment.rawByteCount(ofBlock: number)))
          case .objectIndex where !isIntact: indexIsLost = true
          default: break
          }
        }
      }
    }
    guard intact.hasTables else { return intact }
    for (number, range) in sample.inventory.ranges {
      // Without the index, an object is found from the start of the stream.
      let needed = indexIsLost ? 0..<range.upperBound : range
      if !lostStream.contains(where: { $0.overlaps(needed) }) { intact.objects.insert(number) }
    }
    return intact
  }

  @Test func whatIsIntactComesBack() throws {
    let samples = try Self.samples()
    var random = SplitMix64(seed: 2)
    var counts: [String: (damages: Int, objects: Int, blocks: Int, nothing: Int)] = [:]
    for trial in 0..<Effort.count("GRAPHCODABLE_DAMAGES", usual: 60, thorough: 200) {
      let sample = samples[trial % samples.count]
      let (bytes, name, changed) = Self.damage(sample, &random)
      let intact = try Self.intact(sample, changed)
      counts[name, default: (0, 0, 0, 0)].damages += 1
      let place = Comment(rawValue: "trial \(trial), \(name) of sample \(trial % samples.count), \(changed)")
      do {
        let (archive, report) = try recovered(bytes)
        try archive.verify()
        let back = try Inventory(archive)
        #expect(back.blocks.isSuperset(of: intact.blocks), place)
        // Each with what it says itself, and each can be reached.
        let texts = Dictionary(grouping: back.reached.compactMap { back.objects[$0] }, by: \.self)
        for (text, same) in Dictionary(
          grouping: intact.objects.map { sample.inventory.objects[$0]! }, by: \.self)
        {
          #expect(texts[text]?.count ?? 0 >= same.count, place)
        }
        #expect(report.objectCount >= intact.objects.count, place)
        counts[name]?.objects += intact.objects.count
        counts[name]?.blocks += intact.blocks.count
      } catch let error as GCodableError where error.code == .damaged {
        #expect(intact.objects.isEmpty && intact.blocks.isEmpty, place)
        counts[name]?.nothing += 1
      }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      print(
        "\(name): \(count.damages) damages, all of \(count.objects) objects and \(count.blocks) blocks came back, "
          + "nothing was intact in \(count.nothing)")
    }
  }
}
