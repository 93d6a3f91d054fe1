import CLZ4

/// The bytes of a workload compressed by LZ4 itself, in independent blocks of 1 MiB and on one core.
final class LZ4Blocks {
  static let blockByteCount = 1 << 20

  private let storage: Pages
  private var blocks: [Block] = []

  private struct Block {
    var rawRange: Range<Int>
    var storedByteCount: Int
  }

  /// Makes room for the blocks of `byteCount` raw bytes.
  init(byteCount: Int) {
    let blockCount = (byteCount + Self.blockByteCount - 1) / Self.blockByteCount
    storage = Pages(byteCount: blockCount * Self.slotByteCount)
  }

  var storedByteCount: Int {
    blocks.reduce(0) { $0 + $1.storedByteCount }
  }

  /// Compresses `source`, in place of what was there before.
  func compress(_ source: [UInt8]) {
    blocks.removeAll(keepingCapacity: true)
    source.withUnsafeBytes { source in
      for start in stride(from: 0, to: source.count, by: Self.blockByteCount) {
        let range = start..<min(start + Self.blockByteCount, source.count)
        let storedByteCount = LZ4_compress_default(
          pointer(source, range.lowerBound), pointer(storage.bytes, blocks.count * Self.slotByteCount),
          Int32(range.count), Int32(Self.slotByteCount))
        precondition(storedByteCount > 0, "LZ4_compressBound bytes hold any block")
        blocks.append(Block(rawRange: range, storedByteCount: Int(storedByteCount)))
      }
    }
  }

  /// Expands all blocks into `destination`, which has room for the raw bytes.
  func expand(into destination: Pages) {
    for (index, block) in blocks.enumerated() {
      let rawByteCount = LZ4_decompress_safe(
        pointer(storage.bytes, index * Self.slotByteCount),
        pointer(destination.bytes, block.rawRange.lowerBound),
        Int32(block.storedByteCount), Int32(block.rawRange.count))
      precondition(Int(rawByteCount) == block.rawRange.count, "LZ4 expands what it compressed")
    }
  }

  private static let slotByteCount = Int(LZ4_compressBound(Int32(blockByteCount)))

  private func pointer(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UnsafePointer<CChar> {
    (bytes.baseAddress! + offset).assumingMemoryBound(to: CChar.self)
  }

  private func pointer(_ bytes: UnsafeMutableRawBufferPointer, _ offset: Int) -> UnsafeMutablePointer<CChar> {
    (bytes.baseAddress! + offset).assumingMemoryBound(to: CChar.self)
  }
}
