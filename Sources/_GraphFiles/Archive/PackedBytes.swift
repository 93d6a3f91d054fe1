import CGraphArchive

/// Elements in memory, perhaps with padding after each, seen as the bytes without it.
@safe  // Its owner shows it only while it holds the elements; see `PackedOwner`.
package struct PackedBytes {
  package let start: UnsafeRawPointer?
  /// Bytes of all elements, without padding.
  package let byteCount: Int
  /// Bytes of one element without padding.
  package let elementByteCount: Int
  /// From one element to the next.
  let stride: Int
  /// The owner of bytes that are not contiguous; nil if they are.
  private let pieces: PackedPieces?

  /// Elements of `elementByteCount` bytes every `stride` bytes.
  package init(start: UnsafeRawPointer?, count: Int, elementByteCount: Int, stride: Int) {
    unsafe self.start = start
    byteCount = count * elementByteCount
    self.elementByteCount = elementByteCount
    self.stride = stride
    pieces = nil
  }

  /// Elements that lie in several pieces.
  package init(_ pieces: PackedPieces) {
    unsafe start = nil
    byteCount = pieces.byteCount
    elementByteCount = pieces.elementByteCount
    stride = pieces.elementByteCount
    self.pieces = pieces
  }

  /// Bytes as they lie.
  package init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(start: bytes.baseAddress, count: bytes.count, elementByteCount: 1, stride: 1)
  }

  /// Whether the bytes are contiguous without a copy.
  var liesInOnePiece: Bool { !hasPadding && pieces == nil }

  private var hasPadding: Bool { elementByteCount != stride }

  /// The bytes of a range: where they lie, or packed into memory of the scratch.
  @inline(never)
  package func bytes(_ range: Range<Int>, _ scratch: BlockScratch) -> UnsafeRawBufferPointer {
    guard !liesInOnePiece else { return unsafe bytesInPlace(range) }
    let packed = unsafe scratch.packed(range.count)
    unsafe copy(range, to: packed)
    return UnsafeRawBufferPointer(packed)
  }

  private func bytesInPlace(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start.map { unsafe $0 + range.lowerBound }, count: range.count)
  }

  /// Copies a range of the bytes to memory that has room for them.
  package func copy(_ range: Range<Int>, to target: UnsafeMutableRawBufferPointer) {
    if let pieces { return unsafe pieces.copy(range, to: target) }
    guard hasPadding else { return unsafe target.copyMemory(from: bytesInPlace(range)) }
    guard !range.isEmpty else { return }
    unsafe gca_pack(
      target.bytes, start?.assumingMemoryBound(to: UInt8.self), range.lowerBound, range.count,
      elementByteCount, stride)
  }

  /// Adds a copy of all bytes to others.
  func append(to others: inout [UInt8]) {
    guard !liesInOnePiece else { return unsafe others.append(contentsOf: bytesInPlace(0..<byteCount)) }
    let start = others.count
    others.append(contentsOf: repeatElement(0, count: byteCount))
    // Room for them has just been made.
    unsafe others.withUnsafeMutableBytes {
      unsafe copy(0..<byteCount, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }
}

/// An owner of packed elements that lends them for the time of a call.
package protocol PackedOwner {
  func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result

  /// Whether holding the owner keeps the elements in place and unchanged: any change then makes a copy.
  var isCopiedOnWrite: Bool { get }
}

extension PackedOwner {
  package var isCopiedOnWrite: Bool { false }
}

/// A copy-on-write collection of elements.
private protocol CopiedOnWrite {}

extension Array: CopiedOnWrite {}
extension ContiguousArray: CopiedOnWrite {}

/// The elements of a collection, of which each has `elementByteCount` bytes without padding.
package struct PackedCollection<Elements: Collection>: PackedOwner {
  let elements: Elements
  let elementByteCount: Int

  package init(elements: Elements, elementByteCount: Int) {
    (self.elements, self.elementByteCount) = (elements, elementByteCount)
  }

  package func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result {
    let result = try elements.withContiguousStorageIfAvailable { try unsafe body(packedBytes($0)) }
    return try unsafe result ?? Array(elements).withUnsafeBufferPointer { try unsafe body(packedBytes($0)) }
  }

  package var isCopiedOnWrite: Bool { Elements.self is any CopiedOnWrite.Type }

  private func packedBytes(_ elements: UnsafeBufferPointer<Elements.Element>) -> PackedBytes {
    unsafe PackedBytes(
      start: elements.baseAddress, count: elements.count, elementByteCount: elementByteCount,
      stride: MemoryLayout<Elements.Element>.stride)
  }
}

extension PackedBytes: PackedOwner {
  /// For bytes that outlive the work with them.
  package func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result {
    try body(self)
  }
}

/// Memory for elements, perhaps with padding after each, filled from bytes without it.
@safe  // The owner of the memory fills it within a call.
package struct PackedRoom {
  /// As many bytes as there are elements times `stride`.
  let memory: UnsafeMutableRawBufferPointer
  let elementByteCount: Int
  let stride: Int

  package init(memory: UnsafeMutableRawBufferPointer, elementByteCount: Int, stride: Int) {
    unsafe self.memory = unsafe memory
    (self.elementByteCount, self.stride) = (elementByteCount, stride)
  }

  var hasPadding: Bool { elementByteCount != stride }

  /// Whether all of it fits in the caches, so that written bytes are still there when they are read.
  var isReadSoon: Bool { unsafe memory.count < 16 << 20 }

  /// Makes the system provide the large pages that begin in the room for some packed bytes, which are filled next.
  func makePages(for packed: Range<Int>) {
    // The room has the elements.
    unsafe gca_memory_make_pages(
      memory.baseAddress, memory.count, packed.lowerBound / elementByteCount * stride,
      packed.upperBound / elementByteCount * stride)
  }

  /// The room from a packed byte on that begins an element.
  func suffix(from offset: Int) -> PackedRoom {
    // The room has the element.
    unsafe PackedRoom(
      memory: UnsafeMutableRawBufferPointer(rebasing: memory[(offset / elementByteCount * stride)...]),
      elementByteCount: elementByteCount, stride: stride)
  }

  /// Fills the elements from packed byte `offset` on; padding becomes zero.
  ///
  /// Several threads may fill different parts at once.
  package func fill(from offset: Int, _ packed: UnsafeRawBufferPointer) {
    guard unsafe !packed.isEmpty else { return }
    guard hasPadding else {
      return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: packed)
    }
    unsafe gca_unpack(memory.bytes, packed.bytes, offset, packed.count, elementByteCount, stride)
  }
}

extension PackedRoom {
  /// For bytes as they are.
  package init(_ memory: UnsafeMutableRawBufferPointer) {
    unsafe self.init(memory: memory, elementByteCount: 1, stride: 1)
  }
}
