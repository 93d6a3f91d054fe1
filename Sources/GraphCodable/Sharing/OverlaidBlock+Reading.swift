import CGraphArchive

extension OverlaidBlock {
  /// Fills memory of `rawByteCount` with the block before LZ4.
  ///
  /// - Parameter isChecked: whether the result is compared with its hash.
  /// - Throws: `damaged` or `malformed`, with offsets in the file; `wrongSize`, `file`, `noMemory`.
  func expand(
    into raw: UnsafeMutableRawBufferPointer, from file: OpenFile, isChecked: Bool = true
  ) throws {
    try unsafe Self.withBytes(base, of: file) { stored in
      let codec = stored.count == raw.count ? GCA_CODEC_STORED : GCA_CODEC_LZ4
      let status = unsafe gca_block_expand(raw.bytes, raw.count, stored.bytes, stored.count, codec)
      guard status == GCA_OK else { throw damaged() }
    }
    for overlay in overlays {
      try unsafe Self.withBytes(overlay, of: file) { try unsafe Overlay.apply($0, to: raw) }
    }
    guard isChecked else { return }
    guard unsafe Fingerprint(UnsafeRawBufferPointer(raw)).low == rawHash else { throw damaged() }
  }

  /// The bytes that the archive has.
  ///
  /// - Parameter byteCount: how many they are.
  /// - Throws: as `expand`.
  func stored(_ byteCount: Int, from file: OpenFile) throws -> RawBytes {
    let raw = try RawBytes(byteCount: rawByteCount)
    try unsafe raw.fill { try unsafe expand(into: $0, from: file) }
    guard let level else {
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

  private func damaged() -> GCodableError {
    GCodableError(
      .damaged, "a block that is stored as another one with other bytes does not come out as it was",
      byteOffset: base.offset)
  }

  private static func withBytes(
    _ run: Run, of file: OpenFile, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let source = ArchiveSource(file, from: 0, byteCount: run.end)
    guard let count = Int(exactly: run.byteCount) else {
      throw GCodableError(.malformed, "an overlay has \(run.byteCount) bytes", byteOffset: run.offset)
    }
    try unsafe source.withBytes(count, from: run.offset, body)
  }
}
