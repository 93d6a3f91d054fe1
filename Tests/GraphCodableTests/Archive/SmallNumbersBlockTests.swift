import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles

/// Blocks of numbers that somebody has changed, with checksums that are right: an error, or other numbers.
@Suite("Small numbers: blocks") struct SmallNumbersBlockTests {
  /// They have a base, and so two series in a block.
  private static let decimals: [Double] = {
    var random = SplitMix64(seed: 14)
    return (0..<3_000).map { _ in Double(random.below(5_000)) * 0.01 }
  }()
  private static let integers = (0..<5_000).map { (index: Int32) -> Int32 in index / 3 + index % 4 * 50 }

  private func check<Number: GCodable>(_ numbers: [Number]) throws {
    let archive = try encoded(numbers, compression: .small)
    let forge = try Forge(archive)
    let placed = try #require(forge.contents.bulk.first)
    #expect(placed.segment.hasNumbers)
    let (end, count) = (Int(placed.end), Int(placed.segment.blocks[0].storedByteCount))
    var (random, refusedCount, triedCount) = (SplitMix64(seed: 13), 0, 0)
    for offset in (end - count)..<end {
      // All that describes the series stands in front, and one in four bytes of what follows is tried.
      guard offset < end - count + 400 || random.once(in: 4) else { continue }
      triedCount += 1
      let difference = UInt8(1 + random.below(255))
      let forged = try #require(try forge.changingSegmentByte(at: offset) { $0 ^= difference })
      do {
        #expect(try decoded([Number].self, from: forged).count == numbers.count)
      } catch let error as GCodableError {
        #expect(error.code == .malformed && error.byteOffset != nil)
        refusedCount += 1
      }
      // A checksum that is not put right notices each of them.
      var damaged = archive
      damaged[offset] ^= difference
      let error = #expect(throws: GCodableError.self) { _ = try decoded([Number].self, from: damaged) }
      #expect(error?.code == .damaged)
    }
    #expect(refusedCount > triedCount / 8)
  }

  // MARK: Sizes

  private static func walk(_ count: Int, seed: Int = 15) -> [Int64] {
    var (random, place) = (SplitMix64(seed: UInt64(seed)), 0 as Int64)
    return (0..<count).map { _ in
      place += Int64(random.below(7)) - 3
      return place
    }
  }

  private static func segment(_ root: some GCodable) throws -> Segment {
    try #require(Forge(encoded(root, compression: .small)).contents.bulk.first?.segment)
  }

  /// Bytes of a row, and of a block: of as many rows as fit into 2 MiB, of one that is longer than half a MiB, or of elements.
  @Test(arguments: [
    (2_400, 873 * 2_400), (400_000, 5 * 400_000), (1 << 19, 4 << 19), ((1 << 19) + 8, (1 << 19) + 8),
    (1 << 20, 1 << 20), ((1 << 20) + 8, 1 << 20),
  ]) func blocksHoldMoreRowsThanThoseOfLZ4(rowByteCount: Int, blockByteCount: Int) throws {
    let rows = (0..<max(3, 2_500_000 / rowByteCount)).map { Self.walk(rowByteCount / 8, seed: $0) }
    let segment = try Self.segment(rows)
    #expect(segment.hasNumbers && segment.blockByteCount == blockByteCount)
    try #expect(decoded([[Int64]].self, from: encoded(rows, compression: .small)) == rows)
  }

  @Test func blocksWithoutRowsHaveOneMiB() throws {
    let numbers = Self.walk(200_000)
    try #expect(Self.segment(numbers).blockByteCount == 1 << 20)
    let vectors = numbers.map { SIMD3<Float>(Float($0), Float($0 % 77), 1.5) }
    try #expect(Self.segment(vectors).blockByteCount == (1 << 20) / 12 * 12)
  }

  /// What `.small` compresses by LZ4, or not at all, has the blocks of `.lz4`.
  @Test func blocksWithoutTheCodecAreThoseOfLZ4() throws {
    var random = SplitMix64(seed: 16)
    let noise = (0..<100_000).map { _ in random.next() }
    for length in [1_000, noise.count] {
      let rows = (0..<60).map { row in (0..<5_000).map { noise[(row * 5_037 + $0) % length] } }
      let segment = try Self.segment(rows)
      #expect(!segment.hasNumbers)
      try #expect(segment == Forge(encoded(rows)).contents.bulk.first?.segment)
    }
  }

  // MARK: Changed bytes

  @Test func changedBytesOfDecimals() throws { try check(Self.decimals) }

  @Test func changedBytesOfIntegers() throws { try check(Self.integers) }

  /// So limits that hold for LZ4 hold for numbers, whatever these are: the file has a byte for each 255 of the values.
  @Test func nothingIsMoreThan255TimesSmaller() throws {
    let zeros = [Int64](repeating: 0, count: 1 << 20)
    let archive = try encoded(zeros, compression: .small)
    let segment = try #require(try GraphArchive(archive).info.segments.first { $0.kind == .bulk })
    #expect(segment.numbersBlockCount + segment.lz4BlockCount == segment.blockCount)
    #expect(archive.count >= zeros.count * 8 / 255 && archive.count < zeros.count * 8 / 200)
    #expect(try decoded([Int64].self, from: archive) == zeros)
  }
}
