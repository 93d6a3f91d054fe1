import GraphCodable
import CGraphArchive
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// How arrays are cut into blocks, filtered and compressed, and that threads make no difference.
@Suite("Blocks of large arrays")
struct BlockTests {
  /// Smooth values with noise in their low bits: LZ4 alone finds nothing in them.
  static func smoothField(count: Int) -> [Double] {
    var random = SplitMix64(seed: 11)
    return (0..<count).map { (index: Int) -> Double in
      let noise = Double(random.next() >> 44) * 1e-11
      return 2.5 + sin(Double(index) / 700) + noise
    }
  }

  static func noise(count: Int) -> [UInt64] {
    var random = SplitMix64(seed: 12)
    return (0..<count).map { _ in random.next() }
  }

  private func segments(_ bytes: Bytes) throws -> [Segment] {
    try bytes.withUnsafeBytes { buffer in
      let reader = try ArchiveReader(ArchiveSource(buffer))
      return try reader.contents.bulk.map { try reader.open($0).segment }
    }
  }

  private func elementSizes(_ value: some GEncodable, _ compression: GraphEncoder.Compression = .lz4) throws
    -> Set<Int>
  {
    Set(
      try segments(encoded(value, compression: compression)).map { segment in
        segment.filters.first.map { Int($0.parameter) } ?? 1
      })
  }

  @Test func numbersAreShuffledByTheirSize() throws {
    let field = Self.smoothField(count: 300_000)
    var random = SplitMix64(seed: 3)
    let numbers = field.map { _ in Float(field[random.below(1000) * 100] + 2) }
    try #expect(elementSizes(numbers) == [4])
    let large = try encoded(field, compression: .lz4).count
    #expect(Double(large) < 0.8 * Double(field.count * 8))
    try #expect(elementSizes(numbers, .lz4hc(level: 4)) == [4])
    try #expect(encoded(field, compression: .lz4hc(level: 9)).count < large)
  }

  @Test func theFilterIsLeftOutWhereItDoesNotHelp() throws {
    try #expect(elementSizes((0..<200_000).map { Double($0 / 4096) }, .none) == [1])
    try #expect(elementSizes(Data(repeating: 7, count: 100_000)) == [1])
    // Numbers that repeat every 24 bytes.
    let three = Self.noise(count: 3)
    try #expect(elementSizes((0..<100_000).map { three[$0 % 3] }) == [1])
  }

  @Test(arguments: [1, 2, 3]) func blocksHoldWholeElements(scalarCount: Int) throws {
    let bytes: Bytes
    switch scalarCount {
    case 1: bytes = try encoded([Float](repeating: 1, count: 600_000))
    case 3: bytes = try encoded((0..<200_000).map { SIMD3<Float>(Float($0), 1, 2) })
    default: bytes = try encoded((0..<100_000).map { PackedStructTests.Pair(first: $0, second: 2) })
    }
    let segment = try #require(try segments(bytes).first)
    #expect(segment.blockByteCount.isMultiple(of: segment.elementByteCount))
    #expect(segment.blockByteCount == 520_192 / segment.elementByteCount * segment.elementByteCount)
    #expect(segment.format.byteCount == (segment.format == .none ? 0 : segment.elementByteCount))
  }

  /// Bytes of a row, and of a block: of as many rows as fit into 1,044,480 bytes, or one; of elements where a block has no room for one.
  @Test(arguments: [
    (8 * 300, 435 * 8 * 300), (4096, 255 * 4096), (8 * 50_000, 2 * 8 * 50_000), (1 << 19, 1 << 19),
    (1_044_488, 1_044_488), (1 << 20, 1 << 20), ((1 << 20) + 8, 520_192),
  ]) func blocksHoldWholeRows(rowByteCount: Int, blockByteCount: Int) throws {
    let rows = [[Double]](
      repeating: (0..<rowByteCount / 8).map(Double.init), count: max(3, 2_000_000 / rowByteCount))
    try #expect(segments(encoded(rows)).first?.blockByteCount == blockByteCount)
  }

  @Test func rowsSharingABlockAreSubtractedFromEachOther() throws {
    let row = Self.noise(count: 100_000).map { Int32($0 >> 40) }
    let rows = (0..<8).map { number in row.map { $0 + number } }
    let segment = try #require(try segments(encoded(rows, compression: .lz4)).first)
    #expect(segment.blockByteCount == 2 * 400_000)
    #expect(segment.filters.first == .delta(width: 4, lag: 100_000, startLag: 1))
    #expect(segment.blocks.dropLast().allSatisfy { $0.storedByteCount < 400_000 })
    try #expect(GraphDecoder().decode([[Int32]].self, from: encoded(rows, compression: .lz4)) == rows)
  }

  @Test func blocksOfBytesHaveOneMiB() throws {
    let bytes = Data(repeating: 7, count: 3 << 20)
    try #expect(segments(encoded(bytes)).first?.blockByteCount == 1 << 20)
  }

  @Test func severalFiltersAreUndoneInTheirOrder() throws {
    let numbers = (0..<60_000).map { Float($0) }
    let forge = try Forge(encoded(numbers, compression: .lz4))
    // The same bytes, once more shuffled by elements of 2 bytes.
    let raw = numbers.withUnsafeBytes { Bytes($0) }
    let filters: [Segment.Filter] = [
      .shuffle(elementByteCount: 4), .shuffle(elementByteCount: 2), .shuffle(elementByteCount: 6),
    ]
    let filtered = filters.reduce(raw) { bytes, filter in
      let (size, count) = (Int(filter.parameter), bytes.count / Int(filter.parameter))
      var result = bytes
      for place in 0..<(count * size) { result[place % size * count + place / size] = bytes[place] }
      return result
    }
    var stored = Bytes(repeating: 0, count: raw.count)
    var storedCount = 0
    _ = gca_block_compress(&stored, raw.count, filtered, raw.count, 0, &storedCount)
    let block = Bytes(stored.prefix(storedCount))
    var segment = forge.contents.bulk[0].segment
    segment.filters = filters
    segment.blocks = [
      .init(
        storedByteCount: UInt32(block.count),
        hash: block.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) })
    ]
    var contents = forge.contents
    contents.bulk[0].segment = segment
    var front = Bytes(forge.bytes[..<Int(forge.contents.bulk[0].offset)]) + segment.header
    front += Bytes(repeating: 0, count: segment.paddedHeaderByteCount - segment.header.count) + block
    #expect(
      try decoded([Float].self, from: forge.replacingContents(with: contents.bytes, behind: front)) == numbers
    )
  }

  @Test func whatDoesNotBecomeSmallerIsStored() throws {
    let noise = Self.noise(count: 400_000)
    let segment = try #require(try segments(encoded(noise, compression: .lz4)).first)
    #expect(segment.blocks.count == 7)
    #expect(segment.codec == 0 && segment.blocks.indices.allSatisfy(segment.isStored))
    try #expect(roundTrip(noise) == noise)
    // The sample says that it pays, but not for this block.
    var half = [UInt64](repeating: 1, count: 1 << 18)
    half.replaceSubrange(0..<(1 << 17), with: Self.noise(count: 1 << 17))
    let mixed = try #require(try segments(encoded(half, compression: .lz4)).first)
    #expect(mixed.blocks.indices.map(mixed.isStored) == [true, true, false, false, false])
    try #expect(roundTrip(half) == half)
  }

  /// Several segments of several blocks, some small ones, and a graph stream and an index in segments.
  struct Mixture: GCodable, Equatable {
    var fields: [[Double]]
    var noise: [UInt64]
    var vectors: [SIMD3<Double>]
    var texts: [String]
    var names: [Int: [Float]]

    private enum Key: String { case fields, noise, vectors, texts, names }

    init() {
      fields = (0..<3).map { BlockTests.smoothField(count: 150_000 * $0 + 2_500) }
      noise = BlockTests.noise(count: 300_000)
      vectors = (0..<60_000).map { SIMD3(Double($0), 1, -Double($0)) }
      texts = (0..<60_000).map { "text number \($0) of many" }
      names = [0: [Float](repeating: 1, count: 40_000)]
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(fields, for: Key.fields)
      try encoder.encode(noise, for: Key.noise)
      try encoder.encode(vectors, for: Key.vectors)
      try encoder.encode(texts, for: Key.texts)
      try encoder.encode(names, for: Key.names)
    }

    init(from decoder: GDecoder) throws {
      fields = try decoder.decode(for: Key.fields)
      noise = try decoder.decode(for: Key.noise)
      vectors = try decoder.decode(for: Key.vectors)
      texts = try decoder.decode(for: Key.texts)
      names = try decoder.decode(for: Key.names)
    }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 3)])
  func theNumberOfThreadsMakesNoDifference(compression: GraphEncoder.Compression) throws {
    let mixture = Mixture()
    let encoder = GraphEncoder()
    encoder.compression = compression
    encoder.threadCount = 1
    let expected = try encoder.encode(mixture) as Bytes
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graphcodable-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    for threadCount in [-1, 2, 3, 7, 64] {
      encoder.threadCount = threadCount
      try #expect(encoder.encode(mixture) as Bytes == expected)
      try encoder.write(mixture, to: url)
      try #expect(Bytes(Data(contentsOf: url)) == expected)
      let decoder = GraphDecoder()
      decoder.threadCount = threadCount
      try #expect(decoder.decode(Mixture.self, from: expected) == mixture)
      try #expect(decoder.read(Mixture.self, from: url) == mixture)
    }
  }

  @Test func theFirstDamagedBlockIsReportedByAnyNumberOfThreads() throws {
    let field = Self.smoothField(count: 2_000_000)
    for compression in [GraphEncoder.Compression.none, .lz4] {
      var bytes = try encoded(field, compression: compression)
      let offsets = try bytes.withUnsafeBytes { buffer in
        let reader = try ArchiveReader(ArchiveSource(buffer))
        return try reader.open(reader.contents.bulk[0]).blockOffsets
      }
      #expect(offsets.count > 12)
      for block in [3, 4, 5, 11] { bytes[Int(offsets[block]) + 100] ^= 1 }
      for threadCount in [1, 2, 5] {
        let decoder = GraphDecoder()
        decoder.threadCount = threadCount
        let error = #expect(throws: GCodableError.self) { try decoder.decode([Double].self, from: bytes) }
        #expect(error?.code == .damaged)
        #expect(error?.byteOffset == offsets[3])
      }
    }
  }
}
