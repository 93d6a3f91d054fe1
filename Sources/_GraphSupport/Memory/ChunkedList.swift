import CGraphArchive

/// A list of elements that stay where they are while it grows.
///
/// Each chunk is twice as large as the one before, so none is copied and at most half the memory is unused.
@safe  // The owner outlives it. Indices are those of elements, which a build for debugging checks.
@usableFromInline
package struct ChunkedList<Element: BitwiseCopyable> {
  @usableFromInline var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>?
  /// Where the next element goes.
  @usableFromInline var next: UnsafeMutablePointer<Element>?
  /// How many elements there is room for.
  @usableFromInline var capacity = 0

  @inlinable package init() {}
  @usableFromInline package var count = 0

  /// As a power of two.
  @inlinable static var firstChunkBits: Int { 5 }

  /// The chunk of an element: the first one has 2^5, so 2^5 more than its index has its top bit at chunk + 5.
  @inlinable
  @inline(__always)
  static func chunk(_ index: Int) -> Int {
    Int.bitWidth - 1 - (index + (1 << firstChunkBits)).leadingZeroBitCount - firstChunkBits
  }

  @unsafe @inlinable package func deallocate() {
    guard let chunks = unsafe chunks else { return }
    for chunk in 0...Self.chunk(count - 1) { unsafe chunks[chunk].deallocate() }
    unsafe chunks.deallocate()
  }

  /// Unchecked: used with indices below `count` only.
  @inlinable package subscript(index: Int) -> Element { pinned(index).pointee }

  /// Where an element is; unchecked, as the subscript.
  @inlinable
  @inline(__always)
  package func pinned(_ index: Int) -> Pinned<Element> {
    assert(index < count)
    let chunk = Self.chunk(index)
    let first = (1 << (chunk + Self.firstChunkBits)) - (1 << Self.firstChunkBits)
    // The element is there, so its chunk is.
    return unsafe Pinned(at: chunks.unsafelyUnwrapped[chunk] + (index - first))
  }

  @inlinable package mutating func append(_ element: Element) {
    if count == capacity { addChunk() }
    unsafe next.unsafelyUnwrapped.initialize(to: element)  // There is room for it.
    unsafe next = next.unsafelyUnwrapped + 1
    count += 1
  }

  @inlinable mutating func addChunk() {
    let chunk = Self.chunk(count)
    let chunks = unsafe self.chunks ?? .allocate(capacity: Int.bitWidth - Self.firstChunkBits)
    let added = 1 << (chunk + Self.firstChunkBits)
    let elements = UnsafeMutablePointer<Element>.allocate(capacity: added)
    unsafe gca_memory_expect_fill(elements, added * MemoryLayout<Element>.stride)
    unsafe (chunks + chunk).initialize(to: elements)
    unsafe self.chunks = chunks
    unsafe next = elements
    capacity += added
  }
}
