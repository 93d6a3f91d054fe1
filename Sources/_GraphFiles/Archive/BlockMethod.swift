import CGraphArchive

/// How the blocks of one segment are made smaller.
package struct BlockMethod {
  /// LZ4's level, for the C target; nil if the blocks are stored as they are.
  package var level: Int32?
  /// As the header of a segment has them.
  package var filters: [Segment.Filter] = []
  /// What the codec for numbers is told of them; nil where blocks have LZ4.
  package var numbers: NumbersForm?
  /// How elements are rounded before they are filtered or stored.
  var rounding: Rounding?

  /// Compression without a filter and without a trial.
  init(_ compression: ArchiveCompression) { level = compression.blockLevel }

  package init(
    level: Int32?, filters: [Segment.Filter], numbers: NumbersForm? = nil, rounding: Rounding? = nil
  ) {
    self.level = level
    self.filters = filters
    self.numbers = numbers
    self.rounding = rounding
  }

  /// Whether blocks become the same bytes by it.
  package func makesSameBytes(as other: BlockMethod) -> Bool {
    level == other.level && filters == other.filters && numbers == other.numbers
  }

  /// As the header of a segment has it.
  var codec: UInt8 {
    guard level != nil else { return UInt8(GCA_CODEC_STORED.rawValue) }
    return UInt8((numbers == nil ? GCA_CODEC_LZ4 : GCA_CODEC_NUMBERS).rawValue)
  }

  /// Of the codec, as the header of a segment has it.
  var codecParameter: UInt32 { numbers.map { UInt32($0.byteCount) } ?? 0 }

  /// The stored bytes of a block: where they lie, or in memory of the scratch.
  ///
  /// - Parameter raw: from `SegmentWriter.Source.withBlock`.
  package func stored(_ raw: UnsafeRawBufferPointer, _ scratch: BlockScratch) -> UnsafeRawBufferPointer {
    unsafe compressed(raw, scratch) ?? uncompressed(raw, scratch)
  }

  /// Filters and compresses a block; nil if that does not make it smaller, or is not wanted.
  package func compressed(_ raw: UnsafeRawBufferPointer, _ scratch: BlockScratch) -> UnsafeRawBufferPointer? {
    guard let level else { return nil }
    var source = unsafe raw
    if filters.last?.isNote == false {
      let filtered = unsafe scratch.filtered(raw.count)
      unsafe filters.apply(to: raw, into: filtered, scratch.filteredTwice(raw.count))
      unsafe source = UnsafeRawBufferPointer(filtered)
    }
    return unsafe compressed(source, level, scratch)
  }

  /// Whether blocks can be filtered span by span.
  var takesSpans: Bool { level != nil && numbers == nil && rounding == nil && filters.takeSpans }

  /// Packs, filters and compresses a block span by span, each while it is in the nearest cache.
  ///
  /// - Precondition: `takesSpans`.
  func compressed(
    _ bytes: PackedBytes, _ range: Range<Int>, _ scratch: BlockScratch
  ) -> UnsafeRawBufferPointer? {
    guard let level else { return nil }
    let filtered = unsafe scratch.filtered(range.count)
    let spare = unsafe scratch.filteredTwice(range.count)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + Self.spanByteCount, range.upperBound)
      let span = unsafe scratch.packed(end - start)
      unsafe bytes.copy(start..<end, to: span)
      unsafe filters.apply(
        toSpan: UnsafeRawBufferPointer(span), at: start - range.lowerBound, into: filtered, spare)
      start = end
    }
    return unsafe compressed(UnsafeRawBufferPointer(filtered), level, scratch)
  }

  /// The room in the caches of one processor besides the filtered block.
  private static let spanByteCount = 2 * Int(GCA_SPAN)

  private func compressed(
    _ filtered: UnsafeRawBufferPointer, _ level: Int32, _ scratch: BlockScratch
  ) -> UnsafeRawBufferPointer? {
    let target = unsafe scratch.stored(filtered.count)
    var count = 0
    let status =
      if let numbers {
        unsafe gca_numbers_compress(
          target.bytes, target.count, filtered.bytes, filtered.count, numbers.byteCount, numbers.hint,
          &scratch.numbers, &count)
      } else {
        unsafe gca_block_compress(
          target.bytes, target.count, filtered.bytes, filtered.count, filters.kernelLevel(level), &count)
      }
    guard status == GCA_OK, count > 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: target[..<count])
  }

  /// A block stored uncompressed: rounded as its filter would quantise it.
  func uncompressed(
    _ raw: UnsafeRawBufferPointer, _ scratch: BlockScratch
  ) -> UnsafeRawBufferPointer {
    guard var quantised = filters.first(where: \.isQuantised)?.kernel else { return unsafe raw }
    let (codes, spare) = unsafe (scratch.filtered(raw.count), scratch.filteredTwice(raw.count))
    let values = unsafe scratch.stored(raw.count)
    unsafe gca_filters_apply(
      codes.bytes, spare.bytes, raw.bytes, raw.count, &quantised, 1, gca_vectors_best())
    unsafe gca_filters_undo(
      values.bytes, spare.bytes, codes.bytes, raw.count, &quantised, 1, gca_vectors_best())
    return UnsafeRawBufferPointer(values)
  }
}

extension UnsafeRawBufferPointer {
  /// As the C target wants it.
  package var bytes: UnsafePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// As the C target wants it.
  package var bytes: UnsafeMutablePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
