import CGraphArchive

/// How deep values may nest: as deep as the thread's stack carries them.
enum StackGuard {
  /// Kept free below the limit: what one `encode(to:)` or `init(from:)` of the user's, and the library's
  /// frames around it, may need before the next check.
  static let reservedByteCount: UInt = 96 << 10

  static var dataUnitTooDeep: GCodableError {
    GCodableError(.limitExceeded, "values nest too deeply in a data unit for the stack of this thread")
  }

  /// The address below which values must not nest further on the calling thread; 0 where the system does
  /// not tell where its stack ends.
  static func limit() -> UInt {
    let bottom = UInt(gca_stack_bottom())
    return bottom == 0 ? 0 : bottom + reservedByteCount
  }
}
