import _GraphFiles
import _GraphSupport

extension SharingSink {
  /// Stores a block as its previous version with some bytes replaced, if that is worth it.
  ///
  /// It is where the new overlay has less than a quarter of the bytes that the block would have by itself, and all overlays
  /// together less than half. Otherwise one overlay is made in place of all of them, or the block is stored by itself.
  func overlaid(_ raw: UnsafeRawBufferPointer, _ plain: SharedBlock, _ candidate: Candidate) -> SharedBlock {
    guard let old = candidate.version, let version = plain.version, plain.place == nil else { return plain }
    let limit = Int(plain.entry.storedByteCount) / 4
    let overlayByteCount = old.overlays.reduce(0) { $0 + $1.byteCount }
    var base = old
    base.change = .overlays([])
    for (source, isChecked) in old.overlays.isEmpty ? [(old, true)] : [(old, true), (base, false)] {
      let hasRoom =
        source.overlays.count < DerivedBlock.maximumOverlayCount
        && (source.overlays.isEmpty || overlayByteCount + UInt64(limit) / 8 < UInt64(2 * limit))
      guard hasRoom, let overlay = unsafe overlay(raw, over: source, isChecked: isChecked, atMost: limit)
      else { continue }
      var made = source
      (made.level, made.hash) = (version.level, version.rawHash)
      // Without differences, it is the same block.
      let run = overlay.isEmpty ? [] : [DerivedBlock.Run(unplaced: overlay.count)]
      made.change = .overlays(source.overlays + run)
      return SharedBlock(plain, made, overlay)
    }
    return plain
  }

  /// What makes a block of another one; nil where that cannot be read, or is more than the limit.
  private func overlay(
    _ raw: UnsafeRawBufferPointer, over block: DerivedBlock, isChecked: Bool, atMost limit: Int
  ) -> [UInt8]? {
    guard let old = try? RawBytes(byteCount: raw.count) else { return nil }
    do {
      try unsafe old.fill { try unsafe block.expand(into: $0, from: file, isChecked: isChecked) }
    } catch { return nil }
    return withExtendedLifetime(old) { unsafe Overlay.bytes(from: old.buffer, to: raw, atMost: limit) }
  }
}
