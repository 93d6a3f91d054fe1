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
