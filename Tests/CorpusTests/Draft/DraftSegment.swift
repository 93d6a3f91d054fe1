import GraphCodable

/// A segment of a draft.
struct DraftSegment {
  var kind: UInt8
  var raw: Bytes
  var form: Form
  /// In place of the packed format, for bulk segments; 0 for structs.
  var format: UInt16 = 0
  var elementByteCount: UInt32 = 1

  /// How the bytes of a segment are stored.
  struct Form {
    var blockByteCount = 1 << 20
    var codec: UInt8 = 0
    /// Of the numbers, for codec 2.
    var width: UInt8 = 0
    var filters: [PlainFilter] = []
    /// The power of two that it and its first block begin at a multiple of; nil for 6 without compression and 0 with it.
    var alignment: UInt8?
    /// Changes the header of the segment before it is hashed.
    var changeHeader: (inout Bytes) -> Void = { _ in }
    /// Changes the header in front of the blocks, but not its copy in the contents.
    var changeFront: (inout Bytes) -> Void = { _ in }
    /// Changes the copy of the header after it has been hashed.
    var changeCopy: (inout Bytes) -> Void = { _ in }
    /// Changes the stored blocks before they are hashed.
    var changeBlocks: (inout [Bytes]) -> Void = { _ in }
    /// Changes the stored blocks after they have been hashed.
    var changeStored: (inout [Bytes]) -> Void = { _ in }
    /// What stands in front of the segment in place of zeros, if anything does.
    var padding: UInt8 = 0
    /// What stands behind its header.
    var innerPadding: UInt8 = 0

    static var stored: Self { Self() }
    static var lz4: Self { Self(codec: 1) }
    static func blocks(_ byteCount: Int, codec: UInt8 = 0) -> Self {
      Self(blockByteCount: byteCount, codec: codec)
    }
    static func shuffled(_ parameters: UInt16..., blocks: Int = 1 << 20) -> Self {
      Self(blockByteCount: blocks, codec: 1, filters: parameters.map { .shuffle(UInt32($0)) })
    }
    /// With the codec for numbers, perhaps with blocks that are not those of the writer.
    static func numbers(
      _ width: UInt8, blocks: Int = 1 << 20, _ filters: PlainFilter..., stored: [Bytes]? = nil
    ) -> Self {
      Self(blockByteCount: blocks, codec: 2, filters: filters) {
        $0.width = width
        if let stored { $0.changeBlocks = { $0 = stored } }
      }
    }
    static func filtered(_ filters: PlainFilter..., blocks: Int = 1 << 20) -> Self {
      Self(blockByteCount: blocks, codec: 1, filters: filters)
    }

    init(
      blockByteCount: Int = 1 << 20, codec: UInt8 = 0, filters: [PlainFilter] = [],
      _ change: (inout Form) -> Void = { _ in }
    ) {
      (self.blockByteCount, self.codec, self.filters) = (blockByteCount, codec, filters)
      change(&self)
    }

    func changed(_ change: (inout Form) -> Void) -> Self {
      var form = self
      change(&form)
      return form
    }
  }

  init(kind: UInt8, _ raw: Bytes, _ form: Form) { (self.kind, self.raw, self.form) = (kind, raw, form) }

  /// A bulk segment.
  static func bulk(
    _ raw: Bytes, format: UInt16, elements elementByteCount: UInt32, _ form: Form = .stored
  ) -> Self {
    var segment = Self(kind: 2, raw, form)
    (segment.format, segment.elementByteCount) = (format, elementByteCount)
    if form.blockByteCount == 1 << 20 { segment.form.blockByteCount -= (1 << 20) % Int(elementByteCount) }
    return segment
  }

  // MARK: Bytes

  /// The blocks as they are stored.
  private var blocks: [Bytes] {
    var blocks = stride(from: 0, to: raw.count, by: form.blockByteCount).map { start in
      let block = Bytes(raw[start..<min(start + form.blockByteCount, raw.count)])
      // What stands in blocks that are stored is rounded, too.
      let plain =
        form.filters.first { $0.number == 4 && $0.isValid }.map { $0.undone($0.applied(block)) } ?? block
      guard (1...2).contains(form.codec) else { return plain }
      let filtered = form.filters.reduce(block) { $1.isValid ? $1.applied($0) : $0 }
      let packed =
        form.codec == 1
        ? LZ4.compressed(filtered)
        : DraftNumbers.compressed(
          filtered, width: form.width, areFloats: (9...11).contains(format & 0x1F) && form.filters.isEmpty)
      return packed.count < block.count ? packed : plain
    }
    form.changeBlocks(&blocks)
    return blocks
  }

  private var alignment: UInt8 { form.alignment ?? (form.codec == 0 ? 6 : 0) }

  private var header: Bytes {
    let blocks = blocks
    var header = join(
      Bytes("GSEG".utf8), [kind, form.codec], little(format), little(UInt64(raw.count)),
      little(UInt32(form.blockByteCount)), little(elementByteCount), little(UInt32(blocks.count)),
      [UInt8(form.filters.count), alignment], little(0 as UInt16), little(UInt32(form.width)),
      little(0 as UInt32))
    for filter in form.filters { header += filter.bytes }
    for block in blocks { header += little(UInt32(block.count)) + hash(block) }
    form.changeHeader(&header)
    return header + hash(header)
  }

  /// The header as it stands in the contents.
  var copy: Bytes {
    var copy = header
    form.changeCopy(&copy)
    return copy
  }

  /// Appends the segment to an archive.
  func append(to archive: inout Bytes) {
    pad(&archive, with: form.padding)
    var front = header
    form.changeFront(&front)
    archive += front
    pad(&archive, with: form.innerPadding)
    var stored = blocks
    form.changeStored(&stored)
    archive += stored.joined()
  }

  private func pad(_ archive: inout Bytes, with byte: UInt8) {
    let unit = 1 << Int(min(alignment, 20))
    archive += Bytes(repeating: byte, count: (unit - archive.count % unit) % unit)
  }
}

/// Byte shuffle by groups of some bytes.
func shuffled(_ bytes: Bytes, _ groupByteCount: Int) -> Bytes {
  let groupCount = bytes.count / groupByteCount
  var result = bytes
  for group in 0..<groupCount {
    for byte in 0..<groupByteCount {
      result[byte * groupCount + group] = bytes[group * groupByteCount + byte]
    }
  }
  return result
}

/// A compressor whose bytes do not change with the release of the LZ4 library.
enum LZ4 {
  /// One block in the LZ4 block format.
  static func compressed(_ raw: Bytes) -> Bytes {
    var (result, seen, anchor, place) = (Bytes(), [UInt32: Int](), 0, 0)
    // The last match begins 12 bytes before the end or earlier; the last 5 bytes are literals.
    while place + 12 <= raw.count {
      let word = raw[place..<(place + 4)].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      let known = seen.updateValue(place, forKey: word)
      guard let known, place - known <= 65_535 else {
        place += 1
        continue
      }
      var length = 4
      while place + length < raw.count - 5, raw[known + length] == raw[place + length] { length += 1 }
      append(raw[anchor..<place], match: (place - known, length), to: &result)
      place += length
      anchor = place
    }
    append(raw[anchor...], match: nil, to: &result)
    return result
  }

  /// A block of sequences, the last of which has no match.
  static func block(_ sequences: [(literals: Bytes, match: (offset: Int, length: Int)?)]) -> Bytes {
    var result = Bytes()
    for sequence in sequences { append(sequence.literals[...], match: sequence.match, to: &result) }
    return result
  }

  private static func append(
    _ literals: ArraySlice<UInt8>, match: (offset: Int, length: Int)?, to result: inout Bytes
  ) {
    let length = (match?.length ?? 4) - 4
    result.append(UInt8(min(literals.count, 15)) << 4 | UInt8(min(length, 15)))
    appendRest(literals.count, to: &result)
    result += literals
    guard let match else { return }
    result += little(UInt16(match.offset))
    appendRest(length, to: &result)
  }

  private static func appendRest(_ count: Int, to result: inout Bytes) {
    guard count >= 15 else { return }
    result += Bytes(repeating: 255, count: (count - 15) / 255) + [UInt8((count - 15) % 255)]
  }
}
