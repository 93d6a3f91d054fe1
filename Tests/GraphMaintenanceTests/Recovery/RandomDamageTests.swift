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
      try self.init(encoder.encode(root))
    }

    init(_ bytes: Bytes) throws {
      self.bytes = bytes
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
    let kind = random.below(10)
    switch kind {
    case 3:
      damaged.change(0..<40) { _ in 0 }
      return (damaged, "lost header")
    case 4:
      damaged.change(Int(sample.archive.header.contentsOffset)..<sample.bytes.count) { _ in 0 }
      return (damaged, "lost contents")
    default: return (damaged, damaged.damage(kind, &random))
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
    try Self.expectWhatIsIntact(of: Self.samples(), seed: 2, usual: 48)
  }

  /// Each file of these is an archive: parts, the manifest that names them, entries of a folder.
  @Test func whatIsIntactOfSetsAndFoldersComesBack() throws {
    let folder = try TemporaryFolder()
    let (set, run) = (folder.file("state"), folder.file("run"))
    let posts = (0..<8).map { number in
      Post("post \(number)", samples: (0..<20_000).map { Double($0 * (number + 7) % 10_007) })
    }
    let writer = try GraphArchiveSet.Writer(set)
    let receipts = try (0..<3).map { rank in
      try GraphArchiveSet.Writer(set, token: writer.token).part(rank, of: 3).write(
        Array(posts[(rank * 2)...(rank * 2 + 1)]), arrays: [], staging: nil)
    }
    try writer.commit(receipts, step: 1, time: 0, metadata: [:])
    let series = try GraphArchiveSeries.Writer(folder: run)
    for post in posts[6...] { try GraphEncoder().append([post], to: series, step: 0, time: 0) }
    let samples = try [set, run].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".gcodable") }
        .map { try Sample(Bytes(Data(contentsOf: folder.appendingPathComponent($0)))) }
    }
    #expect(samples.count == 6)
    try Self.expectWhatIsIntact(of: samples, seed: 5, usual: 70)
  }

  private static func expectWhatIsIntact(of samples: [Sample], seed: UInt64, usual: Int) throws {
    var random = SplitMix64(seed: seed)
    var counts: [String: (damages: Int, objects: Int, blocks: Int, nothing: Int)] = [:]
    for trial in 0..<Effort.count("GRAPHCODABLE_DAMAGES", usual: usual, thorough: 10_000) {
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
