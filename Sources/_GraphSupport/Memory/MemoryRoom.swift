import CGraphArchive

/// Checks of memory that Swift allocates itself: Swift ends the process if there is none, and an error is better.
@usableFromInline
package enum MemoryRoom {
  /// Checks that the system would give memory for this many elements now.
  ///
  /// Small amounts are not checked: a process without a megabyte left ends at its next object anyway. Nor can it be known what
  /// another thread takes meanwhile, or whether the system promises more than it has.
  ///
  /// - Throws: `noMemory`.
  /// - Complexity: O(1), a call of the system for a megabyte or more.
  @inlinable package static func require(_ count: Int, stride: Int) throws {
    let (byteCount, isTooLarge) = count.multipliedReportingOverflow(by: stride)
    guard isTooLarge || byteCount >= 1 << 20 else { return }
    // Arrays and `Data` take a little more: a head, and whole pages.
    guard !isTooLarge, byteCount < Int.max - slackByteCount, gca_memory_has_room(byteCount + slackByteCount)
    else { throw GCodableError(.noMemory, "no memory for \(count) elements of \(stride) bytes") }
  }

  @usableFromInline static let slackByteCount = 64 << 10

  /// How many elements to ask for in place of `count`, so that an array's memory is whole large pages.
  ///
  /// As many where the system would not give more, and where elements are aligned so that `malloc` does not map them alone.
  ///
  /// - Throws: `noMemory`.
  @inlinable static func capacity<Element>(for count: Int, _ type: Element.Type) throws -> Int {
    let stride = MemoryLayout<Element>.stride
    // An array has a head in front of its elements.
    let headByteCount = 32
    if MemoryLayout<Element>.alignment <= 16, count < (Int.max - headByteCount) / stride {
      let capacity = (gca_memory_whole_pages(headByteCount + count * stride) - headByteCount) / stride
      if capacity > count, (try? require(capacity, stride: stride)) != nil { return capacity }
    }
    try require(count, stride: stride)
    return count
  }
}

extension Array {
  /// Makes an array of a number of trivial elements, whose memory `fill` fills.
  ///
  /// A large one may have a little more capacity, so that its memory consists of large pages.
  ///
  /// - Throws: `noMemory`, and what `fill` throws.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline package init(trivial count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void)
    throws
  {
    guard count > 0 else {
      // The array of none is shared by all arrays of all threads: one that is made to be filled would write its count.
      try unsafe fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      self = []
      return
    }
    let capacity = try MemoryRoom.capacity(for: count, Element.self)
    // There is room for as many bytes.
    let byteCount = count * MemoryLayout<Element>.stride
    try unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, filled in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      unsafe gca_memory_expect_array(memory.baseAddress, memory.count)
      // Trivial elements of a failed array need no destruction.
      try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]))
      filled = count
    }
  }
}
