import _GraphCoding
import _GraphSupport

extension GraphArrayView {
  /// Reads elements into an array, whose memory is used again.
  ///
  /// The system has to clear new memory, which may take as long as to expand blocks into it. A loop over the states of a run
  /// is spared that where it reads each into the same array.
  ///
  ///     var positions: [Double] = []
  ///     for archive in archives { try archive.array(at: "positions").read(into: &positions) }
  ///
  /// The memory is used again where the array has as many elements or more, and no other array shares it. It has the elements
  /// that were read afterwards, and no others.
  ///
  /// - Parameters:
  ///   - places: which elements, in row-major order; all without it.
  ///   - elements: the array. Where an error is thrown, any of its elements may be those of before, or of the archive.
  ///   - threadCount: the most threads that expand blocks; as many as there are processors without it.
  /// - Throws: as for a range.
  /// - Complexity: O(n) in the elements of the blocks that have any of these, and of an array that shares its memory.
  public func read(
    _ places: Range<Int>? = nil, into elements: inout [Element], threadCount: Int? = nil
  ) throws {
    let places = try checked(places ?? 0..<count)
    guard array.isPacked(as: Element.self), elements.count >= places.count, !places.isEmpty else {
      elements = try array.elements(Element.self, of: [places])
      return
    }
    elements.removeLast(elements.count - places.count)
    try unsafe elements.withUnsafeMutableBufferPointer {
      try unsafe array.read(places, into: $0, threadCount: threadCount ?? ParallelLoop.processorCount)
    }
  }

  /// Reads all elements into an array of any number of dimensions, which gets the shape of this one.
  ///
  /// - Parameters:
  ///   - array: its memory is used again as that of other arrays is. Where an error is thrown, it may have any elements.
  ///   - threadCount: the most threads that expand blocks; as many as there are processors without it.
  /// - Throws: as for a range.
  public func read(into array: inout GArray<Element>, threadCount: Int? = nil) throws {
    try array.replace(shape: shape) { try read(into: &$0, threadCount: threadCount) }
  }

  /// Reads elements into existing memory.
  ///
  ///     try matrix.read(0..<1_000, into: &span)
  ///
  /// - Parameters:
  ///   - places: which elements, in row-major order; all without it.
  ///   - span: has exactly that many elements. If an error is thrown, each is either the one from before or that of the archive.
  ///   - threadCount: the most threads that expand blocks; as many as there are processors without it.
  /// - Throws: `invalidValue` where the span has another number of elements; otherwise as for a range.
  /// - Complexity: O(n) in the elements of the blocks that have any of these.
  public func read(
    _ places: Range<Int>? = nil, into span: inout MutableSpan<Element>, threadCount: Int? = nil
  ) throws {
    let places = try checked(places ?? 0..<count)
    guard span.count == places.count else {
      throw GCodableError(
        .invalidValue, "\(places.count) elements are to be read, and there is memory for \(span.count)")
    }
    guard !places.isEmpty else { return }
    guard array.isPacked(as: Element.self) else {
      let elements = try array.elements(Element.self, of: [places])
      for (place, element) in elements.enumerated() { span[place] = element }
      return
    }
    try unsafe span.withUnsafeMutableBufferPointer {
      try unsafe array.read(places, into: $0, threadCount: threadCount ?? ParallelLoop.processorCount)
    }
  }
}
