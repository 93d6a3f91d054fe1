import Foundation

/// Bytes that lie still: of its own, or lent by the caller of the decoder.
@safe  // Readers of the bytes hold it, and lenders outlive it.
package final class RawBytes {
  package let buffer: UnsafeRawBufferPointer
  private let owned: UnsafeMutableRawBufferPointer?

  /// Uses bytes that outlive it.
  package init(borrowing bytes: UnsafeRawBufferPointer) {
    unsafe buffer = bytes
    unsafe owned = nil
  }

  /// Makes room for bytes that `fill` is to set.
  package convenience init(byteCount: Int) throws {
    try unsafe self.init(byteCount, malloc(max(byteCount, 1)))
  }

  /// Makes room for bytes of which `fill` may set some, while the others are zero.
  package convenience init(zeros byteCount: Int) throws {
    try unsafe self.init(byteCount, calloc(max(byteCount, 1), 1))
  }

  private init(_ byteCount: Int, _ memory: UnsafeMutableRawPointer?) throws {
    guard let memory = unsafe memory else {
      throw GCodableError(.noMemory, "no memory for \(byteCount) bytes")
    }
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    unsafe owned = bytes
    unsafe buffer = UnsafeRawBufferPointer(bytes)
  }

  package convenience init(copying bytes: [UInt8]) throws {
    try self.init(byteCount: bytes.count)
    unsafe fill { unsafe $0.copyBytes(from: bytes) }
  }

  @inline(never)
  package func fill(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    if let owned = unsafe owned { try unsafe body(owned) }
  }

  deinit { unsafe free(owned?.baseAddress) }
}
