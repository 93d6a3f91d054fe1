import CGraphArchive
import _GraphSupport

extension ByteParser {
  /// Reads the header of a segment.
  ///
  /// A codec, a filter or a flag that this version does not know is no error here: whoever needs the blocks asks
  /// `Segment.checkIsKnown`.
  ///
  /// - Throws: `malformed`, `damaged`.
  package mutating func segment() throws -> Segment {
    let start = offset
    let (magic, kind, codec) = (try fixed32(), Segment.Kind(rawValue: try byte()), try byte())
    let format = PackedFormat(rawValue: try fixed16())
    let rawByteCount = try fixed64()
    let (blockByteCount, elementByteCount) = (Int(try fixed32()), Int(try fixed32()))
    let (blockCount, filterCount, exponent) = (Int(try fixed32()), Int(try byte()), try byte())
    let (flags, codecParameter, reserved) = (try fixed16(), try fixed32(), try fixed32())
    guard magic == Segment.magic, let kind else { throw malformed("has no segment's header here") }
    guard elementByteCount > 0, blockByteCount > 0, blockByteCount <= Segment.maximumBlockByteCount,
      blockByteCount.isMultiple(of: elementByteCount),
      (1...Segment.maximumRawByteCount).contains(rawByteCount),
      rawByteCount.isMultiple(of: UInt64(elementByteCount)), kind == .bulk || elementByteCount == 1
    else {
      throw malformed(
        "has a segment of \(rawByteCount) bytes in blocks of \(blockByteCount) and elements of \(elementByteCount)"
      )
    }
    let isFormat =
      PackedFormat(number: UInt64(format.rawValue)) != nil && format.byteCount == elementByteCount
    guard format == .none || (kind == .bulk && isFormat) else {
      throw malformed(
        "has a segment of packed format \(format.rawValue) and elements of \(elementByteCount) bytes")
    }
    let isStored = codec == GCA_CODEC_STORED.rawValue
    guard filterCount <= Segment.Filter.maximumCount,
      exponent <= Segment.maximumAlignment.trailingZeroBitCount
    else {
      throw malformed("has a segment with codec \(codec), \(filterCount) filters and alignment 2^\(exponent)")
    }
    guard blockCount <= left / Segment.blockEntryByteCount,
      blockCount == Segment.blockCount(rawByteCount: rawByteCount, blockByteCount: blockByteCount)
    else { throw malformed("has a segment of \(rawByteCount) bytes in \(blockCount) blocks") }
    var segment = Segment(
      kind: kind, format: format, codec: codec, rawByteCount: rawByteCount, blockByteCount: blockByteCount,
      elementByteCount: elementByteCount, alignment: 1 << UInt64(exponent), flags: flags,
      codecParameter: codecParameter, reserved: reserved, blocks: [])
    for _ in 0..<filterCount {
      let filter = try filter(behind: segment.filters)
      guard !isStored || filter.isNote || !filter.isKnown else {
        throw malformed("has a segment of codec \(codec) with filter \(filter.number)")
      }
      segment.filters.append(filter)
    }
    segment.blocks.reserveCapacity(blockCount)
    for _ in 0..<blockCount { segment.blocks.append(try block(of: segment)) }
    let hash = hash(from: start)
    guard try fixed64() == hash else {
      throw GCodableError(
        .damaged, "\(subject): a segment's header does not match its hash", byteOffset: start)
    }
    return segment
  }

  /// Reads a filter of a list.
  mutating func filter(behind others: [Segment.Filter]) throws -> Segment.Filter {
    let (number, width, flags) = (try byte(), try byte(), try fixed16())
    let filter = Segment.Filter(
      number: number, width: width, flags: flags, parameter: try fixed32(), argument: try fixed64())
    guard filter.isValid, filter.canStand(behind: others) else {
      throw malformed(
        "has filter \(number), width \(width), parameter \(filter.parameter), argument \(filter.argument), as number "
          + "\(others.count)")
    }
    return filter
  }

  private mutating func block(of segment: Segment) throws -> Segment.Block {
    let block = Segment.Block(storedByteCount: try fixed32(), hash: try fixed64())
    let (index, stored) = (segment.blocks.count, Int(block.storedByteCount))
    let raw = segment.rawByteCount(ofBlock: index)
    let isPossible =
      switch UInt32(segment.codec) {
      case GCA_CODEC_STORED.rawValue: stored == raw
      case GCA_CODEC_LZ4.rawValue, GCA_CODEC_NUMBERS.rawValue:
        stored <= raw && raw <= stored * Int(Segment.maximumExpansion)
      default: (1...raw).contains(stored)
      }
    guard isPossible else {
      throw malformed("has a segment whose block \(index) says \(stored) bytes for \(raw)")
    }
    return block
  }
}

extension Segment {
  /// Throws where compressed blocks need what this version of the package does not know.
  ///
  /// - Throws: `unsupported`, which names it.
  package func checkIsKnown(at offset: UInt64) throws {
    guard let unknown else { return }
    throw GCodableError(
      .unsupported,
      "\(unknown) is not known to this version of the package: update it to read what is compressed here",
      byteOffset: offset)
  }

  /// What compressed blocks need and this version does not know; nil if it knows all.
  package var unknown: String? {
    if codec > GCA_CODEC_LZ4.rawValue || codecParameter != 0, !hasNumbers {
      return codecParameter == 0 && codec != GCA_CODEC_NUMBERS.rawValue
        ? "codec \(codec)" : "parameter \(codecParameter) of codec \(codec)"
    }
    if let filter = filters.first(where: { !$0.isKnown }) {
      return filter.flags == 0 ? "filter \(filter.number)" : "flag \(filter.flags) of filter \(filter.number)"
    }
    return flags & Self.criticalFlags == 0 ? nil : "flag \(flags & Self.criticalFlags) of a segment"
  }

  /// Those of `flags` that a reader must understand.
  private static let criticalFlags: UInt16 = 0x00FF
}
