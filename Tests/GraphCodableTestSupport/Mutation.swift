import GraphCodable

extension Bytes {
  /// Changes, removes, inserts or repeats some bytes, up to three times.
  package mutating func mutate(_ random: inout SplitMix64) {
    for _ in 0...random.below(3) {
      guard !isEmpty else { return append(UInt8(random.below(256))) }
      let index = random.below(count)
      switch random.below(8) {
      case 0: self[index] = UInt8(random.below(256))
      case 1: self[index] ^= 1 << UInt8(random.below(8))
      case 2: self[index] = [0, 1, 2, 3, 4, 5, 0x08, 0x0B, 0x10, 0x7F, 0x80, 0xFE, 0xFF][random.below(13)]
      case 3: remove(at: index)
      case 4: insert(UInt8(random.below(256)), at: index)
      case 5: removeSubrange(index..<Swift.min(index + 1 + random.below(8), count))
      case 6:
        // A huge number: nine bytes of a varint.
        replaceSubrange(
          index..<Swift.min(index + random.below(2), count), with: [0] + Bytes(repeating: 0xFF, count: 8))
      default:
        let from = random.below(count)
        insert(contentsOf: self[from..<Swift.min(from + random.below(16), count)], at: index)
      }
    }
  }
}
