import Foundation
import _GraphSupport

/// Reads the bytes of an archive for one decoder, or one other piece of work.
///
/// `ArchiveStorage` makes sources, and lends them its memory.
@safe  // The memory is there from `init` or `withMemory` to `forgetMemory`.
package final class ArchiveSource {
  /// nil for an archive in memory.
  let file: (any RangeReader)?
  /// Where in the file the archive begins.
  let origin: UInt64
  /// Where its bytes lie in the file; nil where they do so in one piece.
  package let extents: ExtentTable?
  /// The archive in memory; nil for a file or a source, which is read piece by piece: a file is never
  /// mapped, because a mapped file that another process cuts short ends this one.
  ///
  /// Unchecked, as the number of bytes: one thread at a time lends memory, and no code of the user's runs in an access.
  @exclusivity(unchecked) private(set) var memory: UnsafeRawBufferPointer?
  @safe @exclusivity(unchecked) package private(set) var byteCount: UInt64
  /// The bytes of blocks that are made of others, for reading them in parts; nil where there are no such blocks.
  private let changedBytes: ChangedBytes?
  /// For the threads that expand its blocks.
  package private(set) lazy var scratchPool = BlockScratchPool()

  /// Reads from memory that is there until `forgetMemory`.
  package init(_ memory: UnsafeRawBufferPointer) {
    unsafe self.memory = memory
    byteCount = UInt64(memory.count)
    file = nil
    origin = 0
    (extents, changedBytes) = (nil, nil)
  }

  /// Opens a file that is an archive.
  convenience init(_ url: URL) throws {
    let file = try OpenFile(reading: url)
    self.init(file, from: 0, byteCount: try file.byteCount())
  }

  /// Reads from a part of a file.
  package init(_ file: any RangeReader, from origin: UInt64, byteCount: UInt64) {
    unsafe memory = nil
    self.file = file
    self.origin = origin
    self.byteCount = byteCount
    (extents, changedBytes) = (nil, nil)
  }

  /// Reads from a file that has the archive in pieces.
  init(_ file: any RangeReader, _ extents: ExtentTable) {
    unsafe memory = nil
    self.file = file
    origin = 0
    byteCount = extents.byteCount
    self.extents = extents
    changedBytes = ChangedBytes(extents)
  }

  /// Calls `body`, during which the archive is in `memory`.
  func withMemory<Result>(_ memory: UnsafeRawBufferPointer, _ body: () throws -> Result) rethrows -> Result {
    unsafe self.memory = memory
    byteCount = UInt64(memory.count)
    defer { forgetMemory() }
    return try body()
  }

  /// Gives back memory to its owner: nothing can be read any more.
  package func forgetMemory() {
    guard unsafe memory != nil else { return }
    unsafe memory = UnsafeRawBufferPointer(start: nil, count: 0)
    byteCount = 0
  }

  /// Fills `destination` with the bytes from `offset` on.
  ///
  /// - Throws: `malformed` when the archive says that something lies outside of it, `file` when it
  ///   cannot be read.
  @inline(never)
  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
    try check(offset, destination.count)
    if let memory = unsafe memory {
      let start = Int(offset)
      return unsafe destination.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: memory[start..<(start + destination.count)]))
    }
    guard let extents else { return try unsafe readPiece(destination, from: origin + offset, offset) }
    var done = 0
    try extents.forEachPiece(of: offset..<(offset + UInt64(destination.count))) { extent, skipped, count in
      // The pieces are as long as the range together.
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: destination[done..<(done + count)])
      if let derived = extent.derived, let changedBytes, let file {
        let stored = try changedBytes.bytes(of: extent, isWhole: count == Int(extent.byteCount)) {
          try at(extent.offset) { try derived.stored(Int(extent.byteCount), from: file, $0) }
        }
        withExtendedLifetime(stored) {
          unsafe piece.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: stored.buffer[Int(skipped)..<(Int(skipped) + count)]))
        }
      } else {
        try unsafe readPiece(piece, from: extent.fileOffset + skipped, offset + UInt64(done))
      }
      done += count
    }
  }

  /// The block that some bytes of the archive are, if it is stored as a change of another one.
  ///
  /// - Parameter rawByteCount: before LZ4.
  func derivedBlock(_ byteCount: Int, from offset: UInt64, rawByteCount: Int) -> DerivedBlock? {
    guard let block = extents?.derived(at: offset..<(offset + UInt64(byteCount))),
      block.rawByteCount == rawByteCount
    else { return nil }
    return block
  }

  /// Expands such a block and undoes its filters.
  ///
  /// - Parameters:
  ///   - offset: where the archive has it.
  ///   - filters: see `DerivedBlock.values`.
  /// - Throws: `damaged` or `malformed`, with the offset; `wrongSize`, `file`, `noMemory`.
  func expand(
    _ block: DerivedBlock, at offset: UInt64, _ filters: [Segment.Filter],
    into raw: UnsafeMutableRawBufferPointer, _ scratch: BlockScratch
  ) throws {
    guard let file else { return }  // A source with extents has a file.
    try at(offset) { _ in try unsafe block.values(into: raw, filters, from: file, scratch) }
  }

  /// Gives errors of a block's sources the offset of the block in the archive.
  private func at<Result>(_ offset: UInt64, _ body: (BlockScratch) throws -> Result) throws -> Result {
    let scratch = scratchPool.take()
    defer { scratchPool.putBack(scratch) }
    do { return try body(scratch) } catch var error as GCodableError {
      error.byteOffset = offset
      throw error
    }
  }

  /// - Parameter offset: in the archive.
  private func readPiece(
    _ destination: UnsafeMutableRawBufferPointer, from fileOffset: UInt64, _ offset: UInt64
  ) throws {
    guard let file, try unsafe file.read(destination, from: fileOffset) else {
      throw GCodableError(
        .wrongSize, "\(file?.path ?? "") was cut short while it was read", byteOffset: offset)
    }
  }

  /// The bytes from `offset` on: where they lie, or read into `room`, which only files need.
  func bytes(
    _ count: Int, from offset: UInt64, _ room: UnsafeMutableRawBufferPointer?
  ) throws -> UnsafeRawBufferPointer {
    if let room = unsafe room {
      try unsafe read(room, from: offset)
      return UnsafeRawBufferPointer(room)
    }
    return try unsafe withBytes(count, from: offset) { unsafe $0 }
  }

  /// Calls `body` with the bytes from `offset` on: where they lie, or read into a buffer.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func withBytes<Result>(
    _ count: Int, from offset: UInt64, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try check(offset, count)
    if let memory = unsafe memory {
      let start = Int(offset)
      return try unsafe body(UnsafeRawBufferPointer(rebasing: memory[start..<(start + count)]))
    }
    let bytes = try RawBytes(byteCount: count)
    try unsafe bytes.fill { try unsafe read($0, from: offset) }
    return try withExtendedLifetime(bytes) { try unsafe body(bytes.buffer) }
  }

  private func check(_ offset: UInt64, _ count: Int) throws {
    guard offset <= byteCount, UInt64(count) <= byteCount - offset else {
      throw GCodableError(
        .malformed, "\(count) bytes should lie at \(offset), but the archive has \(byteCount)",
        byteOffset: offset)
    }
  }
}
