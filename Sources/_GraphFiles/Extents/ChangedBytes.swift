import Foundation
import _GraphSupport

/// The bytes of blocks that are made from others, as a reader of the archive needs them.
///
/// Expanding a block reads all of it. Copying an archive, or searching the remains of one, reads consecutive pieces, so the last
/// block is kept. Reads that would rebuild blocks for many small pieces are refused.
final class ChangedBytes: @unchecked Sendable {
  // `@unchecked`: the variables are used under `lock` alone, and nobody changes the bytes.
  private let lock = NSLock()
  private var last: (offset: UInt64, bytes: RawBytes)?
  /// How many more blocks may be built for a partial read.
  private var allowance: Int

  init(_ extents: ExtentTable) { allowance = 1024 + 16 * extents.extents.count }

  /// The bytes of an extent.
  ///
  /// - Parameters:
  ///   - isWhole: whether all of them are read.
  ///   - make: makes them.
  /// - Throws: `malformed`; what `make` throws.
  func bytes(
    of extent: ExtentTable.Extent, isWhole: Bool, _ make: () throws -> RawBytes
  ) throws -> RawBytes {
    if isWhole { return try make() }
    let known = try lock.withLock { () throws -> RawBytes? in
      if let last, last.offset == extent.offset { return last.bytes }
      guard allowance > 0 else {
        throw GCodableError(
          .malformed, "blocks that are made of others are read in too many parts", byteOffset: extent.offset)
      }
      allowance -= 1
      return nil
    }
    if let known { return known }
    let bytes = try make()
    lock.withLock { last = (extent.offset, bytes) }
    return bytes
  }
}
