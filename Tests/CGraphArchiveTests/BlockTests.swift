import CGraphArchive
import Testing

@Suite("Blocks")
struct BlockTests {
  /// Bytes that compress well, badly and not at all, of many sizes.
  static let samples: [[UInt8]] = {
    var word: UInt64 = 88_172_645_463_325_252
    func random() -> UInt8 {
      word ^= word << 13
      word ^= word >> 7
      word ^= word << 17
      return UInt8(truncatingIfNeeded: word)
    }
    return [1, 2, 13, 64, 1000, 65_536, 300_000, 1 << 20].flatMap { count in
      [
        [UInt8](repeating: 7, count: count),
        (0..<count).map { UInt8(truncatingIfNeeded: $0 / 16) },
        (0..<count).map { _ in random() & 3 },
        (0..<count).map { _ in random() },
      ]
    }
  }()

  func compress(_ bytes: [UInt8], level: Int32 = 0, capacity: Int? = nil) -> (gca_status, [UInt8]) {
    let capacity = capacity ?? bytes.count
    var stored = [UInt8](repeating: 0xEE, count: capacity + 8)
    var count = -1
    let status = gca_block_compress(&stored, capacity, bytes, bytes.count, level, &count)
    #expect(stored[capacity...].allSatisfy { $0 == 0xEE }, "nothing behind the room is touched")
    return (status, Array(stored[..<count]))
  }

  func expand(_ stored: [UInt8], rawCount: Int, _ codec: gca_codec = GCA_CODEC_LZ4) -> (gca_status, [UInt8]) {
    var raw = [UInt8](repeating: 0xEE, count: rawCount + 64)
    let status = gca_block_expand(&raw, rawCount, stored, stored.count, codec)
    #expect(raw[rawCount...].allSatisfy { $0 == 0xEE }, "nothing behind the room is touched")
    return (status, Array(raw[..<rawCount]))
  }

  @Test(arguments: [0, 1, 9, 12] as [Int32]) func comesBack(level: Int32) {
    for sample in Self.samples where level < 9 || sample.count <= 65_536 {
      let (status, stored) = compress(sample, level: level)
      #expect(status == GCA_OK)
      #expect(stored.count < sample.count)
      guard !stored.isEmpty else { continue }
      let (expanded, raw) = expand(stored, rawCount: sample.count)
      #expect(expanded == GCA_OK)
      #expect(raw == sample)
    }
  }

  @Test func whatDoesNotBecomeSmallerIsLeftToBeStored() {
    for count in [1, 2, 5] {
      let (status, stored) = compress([UInt8](repeating: 1, count: count))
      #expect(status == GCA_OK)
      #expect(stored.isEmpty)
    }
  }

  @Test func aSizeThatNoBlockHasIsRefused() {
    #expect(compress([]).0 == GCA_BAD_BLOCK)
    #expect(compress([UInt8](repeating: 0, count: Int(GCA_BLOCK_MAX) + 1)).0 == GCA_BAD_BLOCK)
  }

  @Test func tooLittleRoomLeavesItToBeStored() {
    let (status, stored) = compress([UInt8](repeating: 1, count: 1000), capacity: 3)
    #expect(status == GCA_OK)
    #expect(stored.isEmpty)
  }

  @Test func anotherRawSizeIsRefused() {
    let sample = Self.samples[16 + 1]
    let stored = compress(sample).1
    for difference in [-sample.count + 1, -17, -1, 1, 17, 4096] {
      #expect(expand(stored, rawCount: sample.count + difference).0 == GCA_BAD_BLOCK)
    }
  }

  @Test func everyTruncationIsRefused() {
    let sample = Self.samples[16 + 2]
    let stored = compress(sample).1
    for count in 0..<stored.count {
      #expect(expand(Array(stored[..<count]), rawCount: sample.count).0 == GCA_BAD_BLOCK)
    }
  }

  @Test func everyChangedByteExpandsInItsRoomOrIsRefused() {
    let sample = Self.samples[16 + 2]
    var stored = compress(sample).1
    for index in stored.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        stored[index] ^= change
        let status = expand(stored, rawCount: sample.count).0
        #expect(status == GCA_OK || status == GCA_BAD_BLOCK)
        stored[index] ^= change
      }
    }
  }

  @Test func storedBytesAreCopiedWhereTheSizesAgree() {
    #expect(expand([1, 2, 3], rawCount: 3, GCA_CODEC_STORED) == (GCA_OK, [1, 2, 3]))
    #expect(expand([1, 2, 3], rawCount: 2, GCA_CODEC_STORED).0 == GCA_BAD_BLOCK)
    #expect(expand([1, 2, 3], rawCount: 4, GCA_CODEC_STORED).0 == GCA_BAD_BLOCK)
    #expect(expand([], rawCount: 0, GCA_CODEC_STORED).0 == GCA_OK)
  }

  @Test func anUnknownCodecIsRefused() {
    for number in [2, 3, 77, 255] as [UInt32] {
      #expect(expand([1], rawCount: 1, gca_codec(rawValue: number)).0 == GCA_BAD_CODEC)
    }
  }
}
