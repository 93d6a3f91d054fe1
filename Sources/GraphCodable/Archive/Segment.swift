import CGraphArchive

/// A run of bytes in the archive's body, cut into blocks that are checked and expanded independently.
///
/// In front of its blocks stands its header: 24 fixed bytes, an entry for each block, and the hash of both. The
/// contents repeat the hash, so the header's checksum of the contents covers the segment headers, and those the
/// blocks. An archive whose contents are lost can still be walked from header to header.
struct Segment {
  /// What a segment holds; the numbers are part of the format.
  enum Kind: UInt8 {
    case graph = 0
    case objectIndex = 1
    case bulk = 2
  }

  var kind: Kind
  /// Place among the segments of its kind.
  var number: UInt32
  /// How the elements of a bulk segment lie; zero for other kinds.
  var format: PackedFormat
  /// Bytes before compression.
  var rawByteCount: UInt64
  var blocks: [Block]

  struct Block {
    var storedByteCount: UInt32
    var codec: UInt8
    /// Bytes of the elements whose bytes were shuffled before compression; 1 without that filter.
    var elementByteCount: UInt8 = 1
    /// XXH3-64 of the stored bytes.
    var hash: UInt64
  }

  static let magic: UInt32 = 0x4745_5347  // "GSEG"
  static let fixedByteCount = 24
  static let blockEntryByteCount = 16
  /// Blocks of all segments but their last are as long as this before compression.
  static let blockByteCountLog2: UInt8 = 20
  static let blockByteCount = 1 << Int(blockByteCountLog2)
  /// Stored blocks begin at a multiple of this, so that a mapped file can be used in place.
  static let alignment = 64

  /// LZ4 expands to at most this many times the stored bytes; a claim beyond it would only waste memory.
  static let maximumExpansion: UInt64 = 255

  static func blockCount(rawByteCount: UInt64) -> Int {
    Int((rawByteCount + UInt64(blockByteCount) - 1) >> UInt64(blockByteCountLog2))
  }

  static func headerByteCount(blockCount: Int) -> Int {
    fixedByteCount + blockCount * blockEntryByteCount + 8
  }

  /// Bytes of block `index` before compression.
  func rawByteCount(ofBlock index: Int) -> Int {
    Int(min(UInt64(Self.blockByteCount), rawByteCount - UInt64(index) * UInt64(Self.blockByteCount)))
  }

  /// The header without padding, and the hash at its end.
  func header() -> (bytes: [UInt8], hash: UInt64) {
    var builder = ByteBuilder()
    builder.fixed(Self.magic)
    builder.byte(kind.rawValue)
    builder.byte(Self.blockByteCountLog2)
    builder.byte(format.rawValue)
    builder.byte(0)
    builder.fixed(number)
    builder.fixed(UInt32(blocks.count))
    builder.fixed(rawByteCount)
    for block in blocks {
      builder.fixed(block.storedByteCount)
      builder.byte(block.codec)
      let isShuffled = block.elementByteCount > 1
      builder.byte(isShuffled ? BlockMethod.Filter.shuffle : BlockMethod.Filter.none)
      builder.byte(isShuffled ? block.elementByteCount : 0)
      builder.byte(0)
      builder.fixed(block.hash)
    }
    let hash = builder.bytes.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
    builder.fixed(hash)
    return (builder.bytes, hash)
  }
}

/// What the contents know of a segment.
struct SegmentEntry: Equatable {
  /// Where its header begins, from the start of the archive.
  ///
  /// Not stored: segments follow each other without gaps.
  var offset: UInt64
  /// Bytes in the archive: header, padding and stored blocks.
  var byteCount: UInt64
  var rawByteCount: UInt64
  /// The hash at the end of its header.
  var hash: UInt64
}

extension Segment {
  /// Reads a header and checks it against its entry in the contents.
  ///
  /// - Throws: `damaged` when the hash does not match, `malformed` when the entries make no sense.
  init(parsing header: UnsafeRawBufferPointer, entry: SegmentEntry, kind: Kind, number: Int) throws {
    var parser = ByteParser(header, origin: entry.offset, subject: "segment \(number) (\(kind))")
    let hashed = header.count - 8
    guard hashed >= Self.fixedByteCount, gca_hash64_bytes(header.baseAddress, hashed) == entry.hash,
      header.loadUnaligned(fromByteOffset: hashed, as: UInt64.self) == entry.hash
    else {
      throw GCodableError(
        .damaged, "segment \(number) (\(kind)) does not match its checksum", byteOffset: entry.offset)
    }
    let magic = try parser.fixed32()
    let kindByte = try parser.byte()
    let log2 = try parser.byte()
    format = PackedFormat(rawValue: try parser.byte())
    let reserved = try parser.byte()
    self.number = try parser.fixed32()
    let blockCount = try parser.fixed32()
    rawByteCount = try parser.fixed64()
    guard magic == Self.magic, kindByte == kind.rawValue, log2 == Self.blockByteCountLog2, reserved == 0,
      self.number == number, rawByteCount == entry.rawByteCount,
      Int(blockCount) == Self.blockCount(rawByteCount: rawByteCount),
      Self.headerByteCount(blockCount: Int(blockCount)) == header.count
    else { throw parser.malformed("is not what the contents say") }
    self.kind = kind
    blocks = []
    blocks.reserveCapacity(Int(blockCount))
    for index in 0..<Int(blockCount) {
      let storedByteCount = try parser.fixed32()
      let codec = try parser.byte()
      let filter = try parser.byte()
      let elementByteCount = try parser.byte()
      guard try parser.byte() == 0 else { throw parser.malformed("block \(index) has a reserved byte") }
      switch filter {
      case BlockMethod.Filter.none where elementByteCount == 0: break
      case BlockMethod.Filter.shuffle where elementByteCount > 1 && codec != GCA_CODEC_STORED.rawValue: break
      default:
        throw parser.malformed(
          "block \(index) has filter \(filter) for elements of \(elementByteCount) bytes")
      }
      let block = Block(
        storedByteCount: storedByteCount, codec: codec, elementByteCount: max(elementByteCount, 1),
        hash: try parser.fixed64())
      let raw = rawByteCount(ofBlock: index)
      guard Int(block.storedByteCount) <= raw, raw <= Int(block.storedByteCount) * Int(Self.maximumExpansion)
      else {
        throw parser.malformed("block \(index) says \(block.storedByteCount) bytes for \(raw)")
      }
      blocks.append(block)
    }
  }
}
