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

  /// Damages an archive, and says how.
  private static func damage(
    _ sample: Sample, _ random: inout SplitMix64
  ) -> (damaged: DamagedBytes, name: String) {
    var damaged = DamagedBytes(sample.bytes)
    let count = sample.bytes.count
    func range(atMost: Int) -> Range<Int> {
      let byteCount = 1 + random.below(min(atMost, count))
      let start = random.below(count - byteCount + 1)
      return start..<(start + byteCount)
    }
    switch random.below(10) {
    case 0:
      let (place, bit) = (random.below(count), UInt8(1) << UInt8(random.below(8)))
      damaged.change(place..<(place + 1)) { $0 ^ bit }
      return (damaged, "flipped byte")
    case 1:
      damaged.remove(random.below(count)..<count)
      return (damaged, "cut")
    case 2:
      let start = random.below(count) / 4096 * 4096
      damaged.change(start..<min(start + 4096, count)) { _ in 0 }
      return (damaged, "zeroed page")
    case 3:
      damaged.change(0..<40) { _ in 0 }
      return (damaged, "lost header")
    case 4:
      damaged.change(Int(sample.archive.header.contentsOffset)..<count) { _ in 0 }
      return (damaged, "lost contents")
    case 5:
      damaged.insert(
        Bytes((0...random.below(5_000)).map { UInt8(truncatingIfNeeded: $0) }), at: random.below(count + 1))
      return (damaged, "inserted bytes")
    case 6:
      damaged.remove(range(atMost: 5_000))
      return (damaged, "removed bytes")
    case 7:
      let sectors = (count - 1) / 512
      guard sectors > 1 else { return (damaged, "nothing") }
      let (length, first) = (1 + random.below(min(64, sectors / 2)), random.below(sectors))
      let (low, high) = (min(first, sectors - 2 * length), sectors - length)
      guard low >= 0, low + length <= high else { return (damaged, "nothing") }
      let second = low + length + random.below(high - low - length + 1)
      damaged.swap(
        (low * 512)..<((low + length) * 512), (second * 512)..<((second + length) * 512))
      return (damaged, "exchanged sectors")
    case 8:
      damaged.change(range(atMost: 20_000)) { _ in 0 }
      return (damaged, "zeroed range")
    default:
      for _ in 0..<2 {
        let place = random.below(damaged.count + 1)
        if random.below(2) == 0 {
          damaged.insert([1, 2, 3], at: place)
        } else {
          damaged.remove(place..<min(place + 1 + random.below(100), damaged.count))
        }
      }
      return (damaged, "two of insertions and removals")
    }
  }

  /// What is intact: numbers of objects, and blocks of arrays.
  private struct Intact {
    var objects: Set<UInt32> = []
    var blocks: Set<Inventory.Block> = []
    var hasTables = false
  }

  private static func intact(_ sample: Sample, _ damaged: DamagedBytes) throws -> Intact {
    let isIntact = damaged.isIntact
    let contents = sample.archive.contents
    var intact = Intact()
    // The header says where the contents are and what their checksum is.
    intact.hasTables =
      isIntact(Int(sample.archive.header.contentsOffset)..<sample.bytes.count)
      && (isIntact(0..<ArchiveHeader.byteCount) || damaged.count == sample.bytes.count)
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
          case .bulk where isIntact && (intact.hasTables || damaged.isIntact(header)):
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
    for trial in 0..<Effort.count("GRAPHCODABLE_DAMAGES", usual: 120, thorough: 10_000) {
      let sample = samples[trial % samples.count]
      let (damaged, name) = Self.damage(sample, &random)
      let intact = try Self.intact(sample, damaged)
      counts[name, default: (0, 0, 0, 0)].damages += 1
      let place = Comment(rawValue: "trial \(trial), \(name) of sample \(trial % samples.count)")
      do {
        let (archive, report) = try recovered(damaged.bytes)
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
