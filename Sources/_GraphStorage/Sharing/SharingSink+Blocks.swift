import Foundation
import _GraphFiles
import _GraphSupport

extension SharingSink {
  /// Prepares a block, without compressing one known to be stored.
  ///
  /// - Parameter content: the fingerprint of all its bytes, if already computed.
  func ready(
    _ raw: UnsafeRawBufferPointer, _ method: BlockMethod, _ candidate: Candidate, content: Fingerprint?,
    _ scratch: BlockScratch
  ) throws -> SharedBlock {
    let number = number(of: method)
    var block: SharedBlock
    // Others are looked at when there is something to compare them with.
    var content = candidate.position == nil ? content : candidate.key?.fingerprint
    let place = candidate.place
    if let place, place.method == number, let known = place.content, Int(place.byteCount) < raw.count {
      content = unsafe content ?? Fingerprint(raw)
      if content == known {
        block = SharedBlock(place, rawByteCount: raw.count)
      } else {
        block = unsafe SharedBlock(ReadyBlock(method.stored(raw, scratch), rawByteCount: raw.count))
      }
    } else {
      block = try unsafe compared(
        SharedBlock(ReadyBlock(method.stored(raw, scratch), rawByteCount: raw.count)), candidate, scratch)
      // It will be found without compression the next time.
      if block.place != nil { content = unsafe content ?? Fingerprint(raw) }
    }
    (block.key, block.method, block.content) = (candidate.key, number, content)
    if let position = candidate.position {
      let level = block.entry.storedByteCount < raw.count ? method.level : nil
      block.version = (position.position, position.samples, level, content?.low ?? 0)
    }
    if differences?.isKey == true { block.keyPosition = candidate.arrayPosition }
    if candidate.keyBlock != nil { return unsafe difference(raw, block, method, candidate, scratch) }
    return unsafe overlaid(raw, block, candidate)
  }

  /// A block that is already stored, if its bytes there are the same.
  func compared(
    _ block: SharedBlock, _ candidate: Candidate, _ scratch: BlockScratch
  ) throws -> SharedBlock {
    var block = block
    block.key = candidate.key
    guard let place = candidate.place, let stored = unsafe block.stored,
      place.byteCount == block.entry.storedByteCount, place.hash == block.entry.hash
    else { return block }
    // Nothing else is in it: raw bytes are in place or packed, stored ones in the memory for these.
    let found = unsafe scratch.filtered(stored.count)
    // If the file cannot be read there, the block is written again.
    guard (try? unsafe read(place, into: found, scratch.other)) == true, let left = found.baseAddress,
      let right = stored.baseAddress, unsafe memcmp(left, right, stored.count) == 0
    else { return block }
    block = SharedBlock(place, rawByteCount: block.rawByteCount)
    block.key = candidate.key
    return block
  }

  /// Reads the stored bytes of a block.
  private func read(
    _ place: StoredBlocks.Location, into memory: UnsafeMutableRawBufferPointer, _ scratch: BlockScratch
  ) throws -> Bool {
    guard let derived = place.derived else { return try unsafe file.read(memory, from: place.offset) }
    let stored = try derived.stored(memory.count, from: file, scratch)
    withExtendedLifetime(stored) { unsafe memory.copyMemory(from: stored.buffer) }
    return true
  }

  /// Looks for the next block of the archive, which is copied from another one.
  ///
  /// One that the file has is taken from there.
  func candidate(_ copy: SegmentCopy, _ number: Int, _ block: SharedBlock) -> Candidate {
    var place: StoredBlocks.Location?
    let fingerprint = copy.fingerprint(number)
    if let stored = copy.place(number), stored.file.isSame(as: file) {
      place = StoredBlocks.Location(
        offset: stored.offset, byteCount: block.entry.storedByteCount, hash: block.entry.hash, method: nil)
    }
    return candidate(fingerprint, rawByteCount: block.rawByteCount, at: place)
  }
}
