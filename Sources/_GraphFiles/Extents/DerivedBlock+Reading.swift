import CGraphArchive
import _GraphSupport

extension DerivedBlock {
  /// Fills memory of `rawByteCount` with the block as the archive has it before compression and filters.
  ///
  /// - Parameter filters: those of its segment; none for a block that the archive has as it is.
  /// - Throws: `damaged` or `malformed`, with offsets in the file; `wrongSize`, `file`, `noMemory`.
  func values(
    into raw: UnsafeMutableRawBufferPointer, _ filters: [Segment.Filter], from file: any RangeReader,
    _ scratch: BlockScratch
  ) throws {
    switch change {
    case .overlays:
      guard !filters.isEmpty else { return try unsafe expand(into: raw, from: file) }
      let filtered = unsafe scratch.filtered(raw.count)
      try unsafe expand(into: filtered, from: file)
      unsafe filters.undo(from: UnsafeRawBufferPointer(filtered), into: raw, scratch.filteredTwice(raw.count))
    case .differences(let run, let differences):
      try checkFilters(filters)
      guard let quantised = filters.quantised else {
        return try unsafe numbers(into: raw, run, differences, from: file, scratch)
      }
      let codes = unsafe scratch.filtered(raw.count)
      try unsafe numbers(into: codes, run, differences, from: file, scratch)
      unsafe [quantised].undo(
        from: UnsafeRawBufferPointer(codes), into: raw, scratch.filteredTwice(raw.count))
    }
  }

  /// Checks that differences belong to numbers of the segment.
  ///
  /// - Parameter filters: as in `values`.
  /// - Throws: `damaged`.
  func checkFilters(_ filters: [Segment.Filter]) throws {
    guard case .differences(_, let differences) = change, differences.filters != filters else { return }
    throw damaged()
  }

  /// The bytes that the archive has.
  ///
  /// - Parameter byteCount: how many they are.
  /// - Throws: as `values`.
  package func stored(_ byteCount: Int, from file: any RangeReader, _ scratch: BlockScratch) throws
    -> RawBytes
  {
    let raw = try RawBytes(byteCount: rawByteCount)
    try unsafe raw.fill { try unsafe filtered(into: $0, from: file, scratch) }
    var filters: [Segment.Filter] = []
    if case .differences(_, let differences) = change { filters = differences.filters }
    guard let level = level.map(filters.kernelLevel) else {
      guard byteCount == rawByteCount else { throw damaged() }
      return raw
    }
    let stored = try RawBytes(byteCount: byteCount)
    var count = 0
    var status = GCA_OK
    withExtendedLifetime(raw) {
      unsafe stored.fill {
        unsafe status = gca_block_compress(
          $0.bytes, $0.count, raw.buffer.bytes, raw.buffer.count, level, &count)
      }
    }
    guard status == GCA_OK, count == byteCount else { throw damaged() }
    return stored
  }

  /// Fills memory with the block before LZ4.
  private func filtered(
    into raw: UnsafeMutableRawBufferPointer, from file: any RangeReader, _ scratch: BlockScratch
  ) throws {
    guard case .differences(let run, let differences) = change else {
      return try unsafe expand(into: raw, from: file)
    }
    let filters = differences.filters.behindNumbers
    guard !filters.isEmpty else {
      return try unsafe numbers(into: raw, run, differences, from: file, scratch)
    }
    let numbers = unsafe scratch.filtered(raw.count)
    try unsafe self.numbers(into: numbers, run, differences, from: file, scratch)
    unsafe filters.apply(to: UnsafeRawBufferPointer(numbers), into: raw, scratch.filteredTwice(raw.count))
  }

  /// Fills memory with a block that has overlays, before LZ4.
  ///
  /// - Parameter isChecked: whether the result is compared with its hash.
  package func expand(
    into raw: UnsafeMutableRawBufferPointer, from file: any RangeReader, isChecked: Bool = true
  ) throws {
    try unsafe expandBase(into: raw, from: file)
    for overlay in overlays {
      try unsafe Self.withBytes(overlay, of: file) { try unsafe Overlay.apply($0, to: raw) }
    }
    guard isChecked else { return }
    try unsafe check(raw)
  }

  /// Fills memory with the numbers of a block that is stored as differences.
  private func numbers(
    into numbers: UnsafeMutableRawBufferPointer, _ run: Run, _ differences: NumberDifferences,
    from file: any RangeReader, _ scratch: BlockScratch
  ) throws {
    let (count, scratch) = (numbers.count, scratch.other)
    let (filtered, spare) = unsafe (scratch.filtered(count), scratch.filteredTwice(count))
    let base = try unsafe baseNumbers(differences.baseFilters, from: file, scratch)
    try unsafe Self.withBytes(run, of: file) {
      try unsafe expand($0, GCA_CODEC_LZ4, into: filtered)
    }
    let changed = unsafe scratch.stored(count)
    unsafe differences.differenceFilters.undo(from: UnsafeRawBufferPointer(filtered), into: changed, spare)
    unsafe gca_undifference(
      numbers.bytes, changed.bytes, base.bytes, count, differences.width, gca_vectors_best())
    try unsafe check(numbers)
  }

  /// The numbers of the other block, in memory of the scratch, from `packed`.
  package func baseNumbers(
    _ filters: [Segment.Filter], from file: any RangeReader, _ scratch: BlockScratch
  ) throws -> UnsafeRawBufferPointer {
    let (filtered, base) = unsafe (scratch.filtered(rawByteCount), scratch.packed(rawByteCount))
    try unsafe expandBase(into: filtered, from: file)
    unsafe filters.behindNumbers.undo(
      from: UnsafeRawBufferPointer(filtered), into: base, scratch.filteredTwice(rawByteCount))
    return UnsafeRawBufferPointer(base)
  }

  /// Fills memory with the other block before LZ4.
  private func expandBase(into raw: UnsafeMutableRawBufferPointer, from file: any RangeReader) throws {
    try unsafe Self.withBytes(base, of: file) { stored in
      try unsafe expand(stored, stored.count == raw.count ? GCA_CODEC_STORED : GCA_CODEC_LZ4, into: raw)
    }
  }

  private func expand(
    _ stored: UnsafeRawBufferPointer, _ codec: gca_codec, into raw: UnsafeMutableRawBufferPointer
  ) throws {
    let status = unsafe gca_block_expand(raw.bytes, raw.count, stored.bytes, stored.count, codec)
    guard status == GCA_OK else { throw damaged() }
  }

  private func check(_ bytes: UnsafeMutableRawBufferPointer) throws {
    guard unsafe Fingerprint(UnsafeRawBufferPointer(bytes)).low == hash else { throw damaged() }
  }

  private func damaged() -> GCodableError {
    GCodableError(
      .damaged, "a block that is stored as a change of another one does not come out as it was",
      byteOffset: base.offset)
  }

  private static func withBytes(
    _ run: Run, of file: any RangeReader, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let source = ArchiveSource(file, from: 0, byteCount: run.end)
    guard let count = Int(exactly: run.byteCount) else {
      throw GCodableError(.malformed, "a run of a block has \(run.byteCount) bytes", byteOffset: run.offset)
    }
    try unsafe source.withBytes(count, from: run.offset, body)
  }
}
