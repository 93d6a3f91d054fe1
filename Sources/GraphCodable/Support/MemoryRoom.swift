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

  /// What an array has in front of its elements.
  static let arrayHeadByteCount = 32
}

extension Array {
  /// Makes an array of a number of trivial elements, whose memory `fill` fills.
  ///
  /// A large one may have a little more capacity, so that its memory consists of large pages.
  ///
  /// - Throws: `noMemory`, and what `fill` throws.
  @_semantics("optimize.sil.specialize.generic.never")
  init(trivial count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    let stride = MemoryLayout<Element>.stride
    try MemoryRoom.require(count, stride: stride)
    let (byteCount, headByteCount) = (count * stride, MemoryRoom.arrayHeadByteCount)
    let capacity = (gca_memory_whole_pages(headByteCount + byteCount) - headByteCount) / stride
    try unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, filled in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      unsafe gca_memory_expect_array(memory.baseAddress, memory.count)
      try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]))
      filled = count
    }
  }
}
