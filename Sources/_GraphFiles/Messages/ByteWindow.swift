import Foundation
import _GraphSupport

/// The bytes of a stream around a cursor, in memory that grows with what is requested at once.
@safe  // Its own memory; the cursor lies between its start and its end.
package final class ByteWindow {
  let source: any MessageBytes
  private var memory: UnsafeMutableRawBufferPointer
  /// Bytes in front of the cursor, of which the first may be needed again: see `keep`.
  private var cursor = 0
  private var end = 0
  /// Where the first byte of the memory lies in the stream.
  private var start: UInt64
  /// Bytes from here on are not discarded; an offset in the stream.
  private var kept: UInt64 = .max

  private static let firstByteCount = 64 << 10

  init(_ source: any MessageBytes, from offset: UInt64) {
    self.source = source
    start = offset
    unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  deinit { unsafe free(memory.baseAddress) }

  /// Where the cursor lies in the stream.
  var offset: UInt64 { start + UInt64(cursor) }
  /// Bytes in memory from the cursor on.
  var count: Int { end - cursor }
  /// These bytes; valid until more are requested.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[cursor..<end]) }

  func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: memory[cursor..<(cursor + count)])
  }

  /// Moves the cursor over bytes that are in memory.
  func advance(by count: Int) { cursor += count }

  /// Keeps the bytes from an offset on, to which the cursor may return; nil to keep none behind the cursor.
  func keep(from offset: UInt64?) { kept = offset ?? .max }

  /// Moves the cursor to an offset: within the memory, or anywhere in a source whose bytes can be read again.
  func move(to offset: UInt64) {
    if offset >= start, offset - start <= UInt64(end) {
      cursor = Int(offset - start)
    } else {
      (start, cursor, end) = (offset, 0, 0)
    }
  }

  /// Whether so many bytes follow the cursor, which are read if they are there.
  func has(_ wanted: Int) throws -> Bool {
    if wanted <= count { return true }
    return try fill(wanted)
  }

  @inline(never)
  private func fill(_ wanted: Int) throws -> Bool {
    let first = min(cursor, kept < start ? 0 : Int(clamping: kept - start))
    if first > 0 {
      unsafe memory.baseAddress.unsafelyUnwrapped.copyMemory(
        from: memory.baseAddress.unsafelyUnwrapped + first, byteCount: end - first)
      (start, cursor, end) = (start + UInt64(first), cursor - first, end - first)
    }
    while count < wanted {
      // It grows as bytes come, whatever a forged head says.
      if unsafe end == memory.count { try grow() }
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...])
      let read = try unsafe source.read(room, from: start + UInt64(end))
      if read == 0 { return false }
      end += read
    }
    return true
  }

  private func grow() throws {
    let grownCount = unsafe max(2 * memory.count, Self.firstByteCount)
    guard let grown = unsafe malloc(grownCount) else {
      throw GCodableError(.noMemory, "no memory for a window of \(grownCount) bytes")
    }
    let larger = unsafe UnsafeMutableRawBufferPointer(start: grown, count: grownCount)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<end]))
    unsafe free(memory.baseAddress)
    unsafe memory = larger
  }
}
