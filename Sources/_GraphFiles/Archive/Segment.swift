import CGraphArchive
import _GraphSupport

/// A run of bytes in the archive's body, cut into blocks that are checked and expanded independently.
///
/// In front of its blocks stands its header: 40 fixed bytes, the filters, an entry for each block, and the hash of all
/// that. The contents repeat the header byte for byte: a reader of them finds every block, and an archive whose contents are
/// lost can still be walked from header to header. Nothing in a segment depends on its place, so that it is copied from
/// archive to archive as it is.
package struct Segment: Equatable {
  /// What a segment holds; the numbers are part of the format.
  package enum Kind: UInt8 {
    case graph = 0
    case objectIndex = 1
    case bulk = 2
  }

  package var kind: Kind
  /// How the elements of a bulk segment lie; zero for structs and for other kinds.
  package var format = PackedFormat.none
  /// How the blocks are compressed that are not stored as they are.
  package var codec = UInt8(GCA_CODEC_STORED.rawValue)
  /// What was done to the bytes of these before, in this order.
  package var filters: [Filter] = []
  /// Bytes before compression.
  package var rawByteCount: UInt64
  /// Bytes of all blocks but the last before compression: a multiple of `elementByteCount`.
  package var blockByteCount: Int
  /// Bytes of an element, none of which is in two blocks; 1 where there are no elements.
  package var elementByteCount = 1
  /// It and its first block begin at a multiple of this, a power of two.
  package var alignment: UInt64 = 1
  /// Bits 0 to 7 say what a reader of its blocks must understand, the others what it may ignore.
  var flags: UInt16 = 0
  /// A setting of the codec: the bytes of a number, where it is that for numbers.
  package var codecParameter: UInt32 = 0
  /// Room for later versions.
  private(set) var reserved: UInt32 = 0
  package var blocks: [Block]

  package struct Block: Equatable {
    /// As many as before compression for a block that is stored as it is.
    package var storedByteCount: UInt32
    /// XXH3-64 of the stored bytes.
    package var hash: UInt64

    package init(storedByteCount: UInt32, hash: UInt64) {
      (self.storedByteCount, self.hash) = (storedByteCount, hash)
    }
  }

  package static let magic: UInt32 = 0x4745_5347  // "GSEG"
  package static let fixedByteCount = 40
  static let filterByteCount = 16
  static let blockEntryByteCount = 12
  /// The most that a block has before compression.
  package static let maximumBlockByteCount = 1 << 22
  /// The most that an element has.
  package static let maximumElementByteCount = 1 << 20
  /// What segments without compression, and their first blocks, begin at a multiple of at the least, so that a mapped file can be
  /// used in place.
  package static let storedAlignment: UInt64 = 64
  /// The largest alignment.
  package static let maximumAlignment: UInt64 = 1 << 20

  /// The next alignment of what is stored uncompressed.
  package static func alignment(atLeast byteCount: Int) -> UInt64 {
    let wanted = min(max(UInt64(clamping: byteCount), storedAlignment), maximumAlignment)
    return wanted == 1 << UInt64(wanted.trailingZeroBitCount)
      ? wanted : 1 << UInt64(64 - wanted.leadingZeroBitCount)
  }

  /// LZ4 expands to at most this many times the stored bytes; a claim beyond it would only waste memory.
  static let maximumExpansion: UInt64 = 255

  /// What all segments of an archive may have before compression: 2^56 bytes, more than a process can have in memory.
  static let maximumRawByteCount: UInt64 = 1 << 56

  /// Bytes of a block of whole elements and, unless they are longer than `longestRow`, whole rows.
  ///
  /// Elements of several bytes are shuffled for LZ4. 508 KiB keep a block, and what it becomes on the way, in the caches of a core, and
  /// a page less than a power of two puts the planes of a shuffle in different lines of the nearest one. Blocks of rows have twice as much,
  /// also less a page, because the first row of a block has none to be taken from.
  ///
  /// The codec for numbers has no planes, but tables and first rows to make up for: its blocks are as large or larger. Of rows of more than
  /// half a MiB one is enough, since so many numbers gain little from the row before.
  ///
  /// - Parameter hasNumbers: whether blocks have the codec for numbers.
  static func blockByteCount(
    elementByteCount: Int, rowElementCount: Int = 0, hasNumbers: Bool = false
  ) -> Int {
    let rowByteCount = rowElementCount * elementByteCount
    let hasRows = rowElementCount > 1 && rowByteCount <= longestRow
    let unit = hasRows ? rowByteCount : elementByteCount
    let most =
      if hasNumbers {
        hasRows && rowByteCount <= 1 << 19 ? 1 << 21 : 1 << 20
      } else {
        hasRows ? (1 << 20) - 4096 : elementByteCount > 1 ? (1 << 19) - 4096 : 1 << 20
      }
    return max(most / unit, 1) * unit
  }

  /// The most bytes of a row that blocks have as a whole.
  private static let longestRow = 1 << 20

  static func blockCount(rawByteCount: UInt64, blockByteCount: Int) -> Int {
    Int(rawByteCount / UInt64(blockByteCount)) + (rawByteCount % UInt64(blockByteCount) == 0 ? 0 : 1)
  }

  package static func headerByteCount(blockCount: Int, filterCount: Int) -> Int {
    fixedByteCount + filterCount * filterByteCount + blockCount * blockEntryByteCount + 8
  }

  /// Where it begins behind what ends at `end`, and how long its header is with the padding behind it.
  package struct Front {
    /// A power of two.
    private let alignment: UInt64
    let paddedHeaderByteCount: Int

    package init(alignment: UInt64, blockCount: Int, filterCount: Int) {
      self.alignment = alignment
      let headerByteCount = Segment.headerByteCount(blockCount: blockCount, filterCount: filterCount)
      paddedHeaderByteCount = Int(Self.aligned(UInt64(headerByteCount), alignment))
    }

    package func start(behind end: UInt64) -> UInt64 { Self.aligned(end, alignment) }

    private static func aligned(_ offset: UInt64, _ alignment: UInt64) -> UInt64 {
      (offset + alignment - 1) & ~(alignment - 1)
    }
  }

  package var front: Front {
    Front(alignment: alignment, blockCount: blocks.count, filterCount: filters.count)
  }

  /// Bytes of the header and the padding behind it.
  var paddedHeaderByteCount: Int { front.paddedHeaderByteCount }

  /// Bytes in the archive: header, padding and stored blocks.
  package var byteCount: UInt64 {
    blocks.reduce(UInt64(paddedHeaderByteCount)) { $0 + UInt64($1.storedByteCount) }
  }

  /// Bytes of block `index` before compression.
  package func rawByteCount(ofBlock index: Int) -> Int {
    Int(min(UInt64(blockByteCount), rawByteCount - UInt64(index) * UInt64(blockByteCount)))
  }

  /// The blocks that have a range of the bytes before compression.
  package func blocks(of range: Range<Int>) -> Range<Int> {
    guard !range.isEmpty else { return 0..<0 }
    return (range.lowerBound / blockByteCount)..<((range.upperBound - 1) / blockByteCount + 1)
  }

  /// Whether block `index` is stored as it is: a compressed block has fewer bytes.
  package func isStored(_ index: Int) -> Bool {
    Int(blocks[index].storedByteCount) == rawByteCount(ofBlock: index)
  }

  /// The header without padding.
  package var header: [UInt8] {
    var builder = ByteBuilder()
    builder.fixed(Self.magic)
    builder.byte(kind.rawValue)
    builder.byte(codec)
    builder.fixed(format.rawValue)
    builder.fixed(rawByteCount)
    builder.fixed(UInt32(blockByteCount))
    builder.fixed(UInt32(elementByteCount))
    builder.fixed(UInt32(blocks.count))
    builder.byte(UInt8(filters.count))
    builder.byte(UInt8(alignment.trailingZeroBitCount))
    builder.fixed(flags)
    builder.fixed(codecParameter)
    builder.fixed(reserved)
    for filter in filters { builder.append(filter) }
    for block in blocks {
      builder.fixed(block.storedByteCount)
      builder.fixed(block.hash)
    }
    unsafe builder.fixed(builder.bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) })
    return builder.bytes
  }
}

extension ByteBuilder {
  mutating func append(_ filter: Segment.Filter) {
    byte(filter.number)
    byte(filter.width)
    fixed(filter.flags)
    fixed(filter.parameter)
    fixed(filter.argument)
  }
}

/// A segment, and where it stands.
package struct PlacedSegment: Equatable {
  package var segment: Segment
  /// Where its header begins, from the start of the archive.
  package var offset: UInt64
  /// Zeros in front of it.
  package var paddingByteCount = 0

  package init(segment: Segment, offset: UInt64, paddingByteCount: Int = 0) {
    (self.segment, self.offset, self.paddingByteCount) = (segment, offset, paddingByteCount)
  }

  /// Behind its last block.
  package var end: UInt64 { offset + segment.byteCount }
}
