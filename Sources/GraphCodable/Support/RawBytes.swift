import CGraphArchive
import Foundation

/// Bytes that lie still: of its own, or lent by the caller of the decoder.
final class RawBytes {
  let buffer: UnsafeRawBufferPointer
  private let owned: UnsafeMutableRawBufferPointer?

  /// Uses bytes that outlive it.
  init(borrowing bytes: UnsafeRawBufferPointer) {
    buffer = bytes
    owned = nil
  }

  /// Makes room for bytes that `fill` is to set.
  convenience init(byteCount: Int) throws { try self.init(byteCount, malloc(max(byteCount, 1))) }

  /// Makes room for bytes of which `fill` may set some, while the others are zero.
  convenience init(zeros byteCount: Int) throws { try self.init(byteCount, calloc(max(byteCount, 1), 1)) }

  private init(_ byteCount: Int, _ memory: UnsafeMutableRawPointer?) throws {
    guard let memory else { throw GCodableError(.noMemory, "no memory for \(byteCount) bytes") }
    let bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    owned = bytes
    buffer = UnsafeRawBufferPointer(bytes)
  }

  convenience init(copying bytes: [UInt8]) throws {
    try self.init(byteCount: bytes.count)
    fill { $0.copyBytes(from: bytes) }
  }

  @inline(never)
  func fill(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    if let owned { try body(owned) }
  }

  deinit { free(owned?.baseAddress) }
}
