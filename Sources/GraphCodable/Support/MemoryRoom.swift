import CGraphArchive

/// Memory for what Swift allocates by itself: it ends the process where the system has none, and an error is better.
enum MemoryRoom {
  /// Checks that the system would give memory for this many elements now.
  ///
  /// Small ones are not asked for: a process that has no megabyte left ends at its next object anyway. Nor can it be
  /// known what another thread takes meanwhile, or whether the system promises more than it has.
  ///
  /// - Throws: `noMemory`.
  /// - Complexity: O(1), a call of the system for a megabyte or more.
  static func require(_ count: Int, stride: Int) throws {
    let (byteCount, isTooLarge) = count.multipliedReportingOverflow(by: stride)
    guard isTooLarge || byteCount >= 1 << 20 else { return }
    // Arrays and `Data` take a little more: a head, and whole pages.
    guard !isTooLarge, byteCount < Int.max - slackByteCount, gca_memory_has_room(byteCount + slackByteCount)
    else { throw GCodableError(.noMemory, "no memory for \(count) elements of \(stride) bytes") }
  }

  private static let slackByteCount = 64 << 10
}
