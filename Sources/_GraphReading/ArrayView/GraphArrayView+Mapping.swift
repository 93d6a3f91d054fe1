import CGraphArchive
import _GraphCoding
import _GraphFiles
import _GraphSupport

extension GraphArrayView where Element: BitwiseCopyable {
  /// Whether ``withMappedSpan(isVerified:_:)`` works: the elements are stored uncompressed, and `Element` is the type that
  /// they were encoded as.
  public var isMappable: Bool { array.mappableRange(Element.self) != nil }

  /// Calls `body` with all elements in place in the archive, without a copy.
  ///
  /// A file is mapped into memory for the call, and its pages are read when they are touched. From a ``GraphSource``, all
  /// elements are read before the call.
  ///
  ///     let mean = try positions.withMappedSpan { span in … }
  ///
  /// - Warning: If the file becomes shorter while `body` runs, the process is killed by a signal. Replacing the file
  ///   by `GraphEncoder` is safe: the old file remains for those that have it open.
  /// - Parameters:
  ///   - isVerified: whether the blocks are compared with their checksums first, which reads all of them.
  ///   - body: receives the elements, in row-major order.
  /// - Throws: `typeMismatch` where ``isMappable`` is false; `damaged`; `file` when the file cannot be mapped; what `body` throws.
  /// - Complexity: O(1) apart from `body`; O(n) for the checksums, on all processors.
  public func withMappedSpan<Result>(
    isVerified: Bool = true, _ body: (Span<Element>) throws -> Result
  ) throws -> Result {
    guard let range = array.mappableRange(Element.self) else {
      throw GCodableError(
        .typeMismatch,
        "the array is not stored without compression, or has other elements than \(Element.self) in memory",
        typeName: _typeName(Element.self, qualified: true))
    }
    return try unsafe array.withStoredBytes(range, isVerified: isVerified) { bytes in
      guard UInt(bitPattern: bytes.baseAddress).isMultiple(of: UInt(MemoryLayout<Element>.alignment)) else {
        throw GCodableError(.typeMismatch, "the archive is not aligned in memory for \(Element.self)")
      }
      // Aligned, and all bytes are values of the type, by `mappableRange`.
      let elements = unsafe bytes.assumingMemoryBound(to: Element.self)
      return try unsafe body(elements.span)
    }
  }
}

extension StoredArray {
  /// Where the elements are, from the first block on, if laid out as in memory; otherwise nil.
  func mappableRange<Element: GDecodable & BitwiseCopyable>(_ type: Element.Type) -> Range<Int>? {
    guard format != .none, format.plain == Element._graphDecodedFormat, format.scalar != .bool,
      Element._graphRefuses == nil, MemoryLayout<Element>.stride == elementByteCount,
      segment?.segment.isStored != false, let range
    else { return nil }
    return (range.lowerBound * elementByteCount)..<(range.upperBound * elementByteCount)
  }

  /// Calls `body` with bytes of the elements where they are stored.
  func withStoredBytes<Result>(
    _ range: Range<Int>, isVerified: Bool, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard let open = segment else {
      return try unsafe (bytes ?? []).withUnsafeBytes {
        try unsafe body(UnsafeRawBufferPointer(rebasing: $0[range]))
      }
    }
    let offset = open.blocksOffset
    let byteCount = Int(open.segment.rawByteCount)
    return try unsafe archive.storage.withStoredBytes(from: offset, byteCount) { stored in
      if isVerified { try archive.withReader { try unsafe $0.check(open, range, in: stored) } }
      return try unsafe body(UnsafeRawBufferPointer(rebasing: stored[range]))
    }
  }
}

extension Segment {
  /// Whether the elements lie in one piece as they are, and aligned.
  var isStored: Bool { codec == UInt8(GCA_CODEC_STORED.rawValue) }
}
