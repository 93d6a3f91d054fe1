import CGraphArchive
import _GraphSupport

// Single blocks: their stored bytes, and what these expand to.

extension ArchiveReader {
  /// Checks that a block matches its checksum and expands.
  package func verify(_ index: Int, of open: OpenSegment, _ scratch: BlockScratch) throws {
    if derivedBlock(index, of: open) != nil {
      guard open.segment.isStored(index) || open.segment.unknown == nil else { return }
      // Its values have a checksum of their own. The bytes that a copy would store depend on the release of LZ4.
      let target = unsafe scratch.packed(open.segment.rawByteCount(ofBlock: index))
      return try unsafe expand(index, of: open, at: open.blockOffsets[index], into: target, scratch)
    }
    let stored = try unsafe storedBytes(index, of: open, scratch)
    // What this version cannot expand has at least the bytes that were written.
    guard !open.segment.isStored(index), open.segment.unknown == nil else { return }
    try unsafe expand(
      stored, index, open.segment, open.blockOffsets[index],
      into: scratch.filtered(open.segment.rawByteCount(ofBlock: index)), scratch)
  }

  /// The stored bytes of a block, checked: where they lie, or read into memory of the scratch.
  func storedBytes(
    _ index: Int, of open: OpenSegment, _ scratch: BlockScratch
  ) throws -> UnsafeRawBufferPointer {
    let offset = open.blockOffsets[index]
    let count = Int(open.segment.blocks[index].storedByteCount)
    let stored = try unsafe source.bytes(
      count, from: offset, source.memory == nil ? scratch.stored(count) : nil)
    try unsafe check(stored, index, open, offset)
    return unsafe stored
  }

  private func derivedBlock(_ index: Int, of open: OpenSegment) -> DerivedBlock? {
    source.derivedBlock(
      Int(open.segment.blocks[index].storedByteCount), from: open.blockOffsets[index],
      rawByteCount: open.segment.rawByteCount(ofBlock: index))
  }

  /// The bytes that a copy of the archive stores of a block: those that it has, or others with the same values where it is made of
  /// another block.
  func copiedBytes(
    _ index: Int, of open: OpenSegment, _ scratch: BlockScratch
  ) throws -> UnsafeRawBufferPointer {
    if let derived = derivedBlock(index, of: open),
      let rebuilt = try unsafe source.rebuilt(
        derived, at: open.blockOffsets[index], open.segment.filters(ofBlock: index), scratch)
    {
      return unsafe rebuilt
    }
    return try unsafe storedBytes(index, of: open, scratch)
  }

  /// Expands a block that is compressed, without undoing filters.
  func expand(
    _ stored: UnsafeRawBufferPointer, _ index: Int, _ segment: Segment, _ offset: UInt64,
    into expanded: UnsafeMutableRawBufferPointer, _ scratch: BlockScratch
  ) throws {
    guard try unsafe segment.expand(stored, into: expanded, scratch) else {
      throw cannotExpand(index, segment, offset)
    }
  }

  func cannotExpand(_ index: Int, _ segment: Segment, _ offset: UInt64) -> GCodableError {
    GCodableError(
      .malformed, "block \(index) of the \(segment.kind) segment cannot be expanded", byteOffset: offset)
  }
}
