import CGraphArchive
import Testing

@Suite("Varints")
struct VarintTests {
  static let edges: [UInt64] =
    (0..<64).flatMap { bit -> [UInt64] in
      let power = UInt64(1) << bit
      return [power &- 1, power, power &+ 1]
    } + [.max - 1, .max]

  /// Reads one varint from `bytes`; nil where they end inside it.
  private func read(_ bytes: [UInt8]) -> (value: UInt64, byteCount: Int)? {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = gca_reader()
      gca_reader_init(&reader, buffer.baseAddress, buffer.count)
      var value: UInt64 = 0
      guard gca_get_varint(&reader, &value) else {
        #expect(reader.cursor == reader.base, "the cursor stays where it was")
        return nil
      }
      return (value, Int(reader.cursor - reader.base))
    }
  }

  private func write(_ value: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: 16)
    let size = gca_varint_write(&bytes, value)
    #expect(bytes[Int(max(size, 8))...].allSatisfy { $0 == 0xEE }, "nothing behind it is touched")
    return Array(bytes[..<Int(size)])
  }

  @Test(arguments: edges) func comesBackNearTheEndAndFarFromIt(value: UInt64) {
    let bytes = write(value)
    #expect(bytes.count == Int(gca_varint_size(value)))
    let near = read(bytes)
    #expect(near?.value == value)
    #expect(near?.byteCount == bytes.count)
    let far = read(bytes + [UInt8](repeating: 0xFF, count: 32))
    #expect(far?.value == value)
    #expect(far?.byteCount == bytes.count)
  }

  @Test(arguments: edges) func endsInsideItIsRefused(value: UInt64) {
    let bytes = write(value)
    for count in 0..<bytes.count { #expect(read(Array(bytes[..<count])) == nil) }
  }

  @Test func hasTheBytesOfTheFormat() {
    #expect(write(0) == [0x01])
    #expect(write(1) == [0x03])
    #expect(write(127) == [0xFF])
    #expect(write(128) == [0x02, 0x02])
    #expect(write(16_383) == [0xFE, 0xFF])
    #expect(write(16_384) == [0x04, 0x00, 0x02])
    #expect(write(.max) == [0] + [UInt8](repeating: 0xFF, count: 8))
  }

  @Test func sizesGrowBySevenBits() {
    for bits in 1...56 { #expect(gca_varint_size(1 << UInt64(bits) - 1) == UInt32((bits + 6) / 7)) }
    for bits in 57...63 { #expect(gca_varint_size(1 << UInt64(bits) - 1) == 9) }
  }

  @Test func zigzagPutsSmallMagnitudesFirst() {
    #expect([0, -1, 1, -2, 2].map(gca_zigzag) == [0, 1, 2, 3, 4])
    for value in [.min, .min + 1, -1, 0, 1, .max - 1, .max] as [Int64] {
      #expect(gca_unzigzag(gca_zigzag(value)) == value)
    }
  }
}

@Suite("Readers and writers")
struct ReaderTests {
  @Test func fixedReadsStopAtTheEnd() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
    bytes.withUnsafeBufferPointer { buffer in
      var reader = gca_reader()
      gca_reader_init(&reader, buffer.baseAddress, buffer.count)
      var wide: UInt64 = 0
      var middle: UInt32 = 0
      var narrow: UInt16 = 0
      var byte: UInt8 = 0
      #expect(!gca_get_u64(&reader, &wide))
      #expect(gca_get_u32(&reader, &middle))
      #expect(middle == 0x0403_0201)
      #expect(!gca_get_u32(&reader, &middle))
      #expect(gca_get_u16(&reader, &narrow))
      #expect(narrow == 0x0605)
      #expect(!gca_get_u16(&reader, &narrow))
      var start: UnsafePointer<UInt8>?
      #expect(!gca_get_bytes(&reader, 2, &start))
      #expect(!gca_get_bytes(&reader, .max, &start))
      #expect(gca_get_u8(&reader, &byte))
      #expect(byte == 7)
      #expect(!gca_get_u8(&reader, &byte))
      #expect(gca_get_bytes(&reader, 0, &start))
    }
  }

  @Test func aWriterGrowsAndKeepsWhatItHas() {
    var writer = gca_writer()
    defer { gca_writer_free(&writer) }
    var expected: [UInt8] = []
    for round in 0..<2000 {
      #expect(gca_writer_reserve(&writer, round % 50) == GCA_OK)
      let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: round % 50)
      gca_put_bytes(&writer, piece, piece.count)
      gca_put_varint(&writer, UInt64(round) << 40)
      expected += piece
      var scratch = [UInt8](repeating: 0, count: 16)
      expected += scratch[..<Int(gca_varint_write(&scratch, UInt64(round) << 40))]
    }
    #expect(gca_writer_count(&writer) == expected.count)
    #expect(Array(UnsafeBufferPointer(start: writer.base, count: expected.count)) == expected)
  }

  @Test func aSizeThatCannotBeIsRefused() {
    var writer = gca_writer()
    #expect(gca_writer_reserve(&writer, .max) == GCA_NO_MEMORY)
    #expect(gca_writer_reserve(&writer, .max / 2) == GCA_NO_MEMORY)
    #expect(gca_writer_count(&writer) == 0)
    gca_writer_free(&writer)
    gca_writer_free(&writer)
  }
}
