import CGraphArchive
import Testing

@Suite("Byte shuffle")
struct ShuffleTests {
  /// All that this processor has; each must give the same bytes.
  static let vectors = (0...gca_vectors_best().rawValue).map { gca_vectors(rawValue: $0) }

  @Test(arguments: [2, 3, 4, 8, 12, 16, 24, 255]) func allVectorsGiveTheSame(elementSize: Int) {
    for byteCount in [elementSize - 1, elementSize, 31 * elementSize, 32 * elementSize + 1, 70_001] {
      let raw = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }
      let count = byteCount / elementSize
      var expected = raw
      for index in 0..<(count * elementSize) {
        expected[index % elementSize * count + index / elementSize] = raw[index]
      }
      for vectors in Self.vectors {
        var shuffled = [UInt8](repeating: 0xEE, count: byteCount)
        gca_shuffle(&shuffled, raw, byteCount, elementSize, vectors)
        #expect(shuffled == expected)
        var back = [UInt8](repeating: 0xEE, count: byteCount)
        gca_unshuffle(&back, shuffled, byteCount, elementSize, vectors)
        #expect(back == raw)
      }
    }
  }
}
