import CGraphArchive
import _GraphFiles
import _GraphReading

extension SegmentCopy {
  /// A segment of a damaged archive: intact blocks are copied as they are stored, others get elements that say nothing.
  ///
  /// - Parameters:
  ///   - lostBlocks: the numbers of the others.
  ///   - isBytes: whether it is to be an array of bytes, whatever it was.
  init(
    recovering placed: PlacedSegment, of archive: GraphArchive, without lostBlocks: [Int],
    asBytes isBytes: Bool
  ) {
    var segment = placed.segment
    if isBytes { (segment.kind, segment.format, segment.elementByteCount) = (.bulk, .byte, 1) }
    // The replacement of a block should not take as much room as a block. Other blocks of a codec that is not known keep it, and so do
    // numbers.
    if !lostBlocks.isEmpty, segment.unknown == nil, !segment.hasNumbers {
      segment.codec = UInt8(GCA_CODEC_LZ4.rawValue)
    }
    var (fillers, byCount): ([Int: [UInt8]], [Int: [UInt8]]) = ([:], [:])
    let scratch = BlockScratch()
    let text = segment.format == .utf8 ? LostText(archive, placed, lostBlocks: lostBlocks) : nil
    for block in lostBlocks {
      let count = segment.rawByteCount(ofBlock: block)
      let filler: [UInt8]
      if let text {
        filler = segment.stored(text.bytes(ofBlock: block), scratch)
      } else {
        filler = byCount[count] ?? segment.filler(byteCount: count, scratch)
        byCount[count] = filler
      }
      fillers[block] = filler
      segment.blocks[block] = Segment.Block(
        storedByteCount: UInt32(filler.count),
        hash: unsafe filler.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) })
    }
    self.init(archive.opened, ArchiveReader.OpenSegment(placed), as: segment, fillers: fillers)
  }
}

extension Segment {
  /// The stored bytes of a block of elements that say nothing: NaN for floating-point numbers, zero for others.
  fileprivate func filler(byteCount: Int, _ scratch: BlockScratch) -> [UInt8] {
    let element = emptyScalar
    return stored([UInt8]((0..<byteCount).lazy.map { element[$0 % element.count] }), scratch)
  }

  /// The stored form of a block: as it is where this version does not know what the others are stored by.
  fileprivate func stored(_ raw: [UInt8], _ scratch: BlockScratch) -> [UInt8] {
    if unknown != nil { return raw }
    let method = BlockMethod(
      level: ArchiveCompression.lz4.blockLevel, filters: filters, numbers: NumbersForm(self))
    return unsafe raw.withUnsafeBytes { bytes in
      unsafe method.compressed(bytes, scratch).map { unsafe Array($0) } ?? raw
    }
  }

  private var emptyScalar: [UInt8] {
    guard format.meaning == PackedFormat.Meaning.none else { return [0] }
    return switch format.scalar {
    case .float16: [0x00, 0x7E]
    case .float32: [0, 0, 0xC0, 0x7F]
    case .float64: [0, 0, 0, 0, 0, 0, 0xF8, 0x7F]
    default: [0]
    }
  }
}
