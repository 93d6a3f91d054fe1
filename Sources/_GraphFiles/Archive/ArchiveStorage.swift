import Foundation

/// Holds the bytes of an archive; any number of threads may read from it at the same time.
package enum ArchiveStorage: Sendable {
  /// A part of a file, or of a source.
  case file(any RangeReader, from: UInt64, byteCount: UInt64)
  /// Pieces of one.
  case pieces(any RangeReader, ExtentTable)
  /// Shared with the caller, whose changes make a copy.
  case bytes(ArraySlice<UInt8>)
  /// As `bytes`.
  case data(Data)
  /// Lent by a caller that outlives the storage.
  case lent(LentBytes)

  /// `@unchecked`: the bytes do not change, and the pointer does not leave the call that it was lent for.
  @safe
  package struct LentBytes: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    package init(buffer: UnsafeRawBufferPointer) { unsafe self.buffer = unsafe buffer }
  }

  package init(_ url: URL) throws { try self.init(OpenFile(reading: url)) }

  package init(_ file: any RangeReader) throws {
    self = .file(file, from: 0, byteCount: try file.byteCount())
  }

  /// - Complexity: O(1) for arrays, their slices and `Data`; O(n) for other collections, which are copied once.
  package init(_ bytes: some Collection<UInt8>) {
    switch bytes {
    case let bytes as [UInt8]: self = .bytes(bytes[...])
    case let bytes as ArraySlice<UInt8>: self = .bytes(bytes)
    case let bytes as Data: self = .data(bytes)
    default: self = .bytes(ArraySlice(bytes))
    }
  }

  /// Whether the bytes exist as long as the storage does.
  package var isHeld: Bool { if case .lent = self { false } else { true } }

  /// Calls `body` with bytes in place: in memory, or in a file that is mapped for the call; or with a copy if the file has them
  /// in pieces, or there is none.
  package func withStoredBytes<Result>(
    from offset: UInt64, _ byteCount: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    if let place = place(of: offset..<(offset + UInt64(byteCount))), let file = place.file as? OpenFile,
      // Keeps the archive's alignment in memory.
      (place.offset &- offset).isMultiple(of: UInt64(Segment.storedAlignment))
    {
      return try unsafe file.withMapping(from: place.offset, byteCount, body)
    }
    return try withSource { source in try unsafe source.withBytes(byteCount, from: offset, body) }
  }

  /// Where a range of the bytes lies in a file; nil where it does not, or not in one piece.
  package func place(of range: Range<UInt64>) -> (file: any RangeReader, offset: UInt64)? {
    switch self {
    case .file(let file, let origin, _): (file, origin + range.lowerBound)
    case .pieces(let file, let extents): extents.fileOffset(of: range).map { (file, $0) }
    case .bytes, .data, .lent: nil
    }
  }

  /// A source that reads from here, as long as it is lent the memory: see `lend`.
  package func makeSource() -> ArchiveSource {
    switch self {
    case .file(let file, let origin, let byteCount):
      ArchiveSource(file, from: origin, byteCount: byteCount)
    case .pieces(let file, let extents): ArchiveSource(file, extents)
    case .bytes, .data, .lent: unsafe ArchiveSource(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  /// Calls `body`, during which a source that was made here can read.
  package func lend<Result>(to source: ArchiveSource, _ body: () throws -> Result) rethrows -> Result {
    switch self {
    case .file, .pieces: try body()
    case .bytes(let bytes): try unsafe bytes.withUnsafeBytes { try unsafe source.withMemory($0, body) }
    case .data(let data): try unsafe data.withUnsafeBytes { try unsafe source.withMemory($0, body) }
    case .lent(let bytes): try unsafe source.withMemory(bytes.buffer, body)
    }
  }

  /// Calls `body` with a source that can read until it returns.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func withSource<Result>(_ body: (ArchiveSource) throws -> Result) rethrows -> Result {
    let source = makeSource()
    return try lend(to: source) { try body(source) }
  }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes where they lie or, where they are not in one piece, with a copy.
  @inlinable
  @inline(__always)
  package func withArchiveBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    if let result = try withContiguousStorageIfAvailable({ try unsafe body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    return try unsafe [UInt8](self).withUnsafeBytes(body)
  }
}
