import Foundation

// Decoding a part as if it were the root: only what the path leads through, the part, and the objects it leads to are
// read and expanded.

extension GraphDecoder {
  /// Decodes the value at a path, and the objects that it leads to, from memory.
  ///
  ///     let position = try decoder.decode(SIMD3<Double>.self, at: "bodies[3].position", from: bytes)
  ///
  /// The value is decoded as if it were the root: objects come back once each, and what was deferred is decoded before
  /// this returns. Blocks of the archive that hold nothing of the value, nor of what it leads to or its path leads
  /// through, are neither expanded nor checked. For an element of an array of numbers that is one block, or two.
  ///
  /// - Parameters:
  ///   - type: the type of the value; that of an element for one of an array of numbers.
  ///   - path: where the value is.
  ///   - bytes: a whole archive; contiguous collections as `[UInt8]` and `Data` are used in place.
  /// - Throws: as `decode(_:from:)`. Where the path leads nowhere: `keyNotFound` for a key that is not there,
  ///   `valueNotFound` for an index that is too high and for nil on the way, `typeMismatch` for a value without such
  ///   parts, each with the path as far as it went.
  /// - Complexity: O(n) in what is decoded, in the objects on the way up to the value, and in the number of objects.
  @inlinable
  public func decode<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from bytes: some Collection<UInt8>
  ) throws -> Value {
    let result = try bytes.withContiguousStorageIfAvailable { buffer in
      try makePartDecoder(UnsafeRawBufferPointer(buffer)).readPart(type, at: path)
    }
    return try result ?? decode(type, at: path, from: [UInt8](bytes))
  }

  /// Decodes the value at a path, and the objects that it leads to, from a file.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - path: where the value is.
  ///   - url: the file, of which only the blocks are read that are needed.
  ///   - progress: is told of the bytes that have been read, as they are after expansion. How many it will be turns out
  ///     on the way, so its total grows. To cancel it ends the work before the next block.
  /// - Throws: as `decode(_:at:from:)`; code `file` when the file cannot be read; `CancellationError`.
  @inlinable
  public func read<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from url: URL, progress: Progress? = nil
  ) throws -> Value {
    try progress?.checkCancellation()
    let decoder = try makePartDecoder(url, progress)
    let value = try decoder.readPart(type, at: path)
    try finish(decoder)
    return value
  }

  /// Decodes the value at a path, and the objects that it leads to, from a snapshot of a series.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - path: where the value is in the snapshot.
  ///   - entry: the snapshot's entry.
  ///   - progress: as for a file.
  /// - Throws: as for a file.
  @inlinable
  public func read<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Value {
    try progress?.checkCancellation()
    let decoder = try makePartDecoder(entry, progress)
    let value = try decoder.readPart(type, at: path)
    try finish(decoder)
    return value
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to, from memory.
  ///
  /// - Parameters: as in `decode(_:at:from:)`.
  /// - Throws: as `decode(codable:from:)`; where the path leads nowhere, as `decode(_:at:from:)`.
  public func decode<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath, from bytes: some Collection<UInt8>
  ) throws -> Value {
    let result = try bytes.withContiguousStorageIfAvailable { buffer in
      try makePartDecoder(UnsafeRawBufferPointer(buffer)).readPart(codable: type, at: path)
    }
    return try result ?? decode(codable: type, at: path, from: [UInt8](bytes))
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to, from a file.
  ///
  /// - Parameters: as in `read(_:at:from:progress:)`.
  /// - Throws: as `decode(codable:at:from:)`; code `file` when the file cannot be read; `CancellationError`.
  public func read<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath, from url: URL, progress: Progress? = nil
  ) throws -> Value {
    try progress?.checkCancellation()
    let decoder = try makePartDecoder(url, progress)
    let value = try decoder.readPart(codable: type, at: path)
    try finish(decoder)
    return value
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to, from a snapshot of a series.
  ///
  /// - Parameters: as in `read(_:at:from:progress:)`.
  /// - Throws: as for a file.
  public func read<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath, from entry: GraphArchiveSeries.Entry,
    progress: Progress? = nil
  ) throws -> Value {
    try progress?.checkCancellation()
    let decoder = try makePartDecoder(entry, progress)
    let value = try decoder.readPart(codable: type, at: path)
    try finish(decoder)
    return value
  }
}

extension GraphDecoder {
  @usableFromInline
  func makePartDecoder(_ bytes: UnsafeRawBufferPointer) throws -> GDecoder {
    try makePartDecoder(ArchiveReader(ArchiveSource(bytes), threadCount: threadCount))
  }

  @usableFromInline
  func makePartDecoder(_ url: URL, _ progress: Progress?) throws -> GDecoder {
    try makePartDecoder(
      ArchiveReader(ArchiveSource(url), threadCount: threadCount, progress: ProgressReport(progress)))
  }

  @usableFromInline
  func makePartDecoder(_ entry: GraphArchiveSeries.Entry, _ progress: Progress?) throws -> GDecoder {
    try makePartDecoder(entry.reader(threadCount: threadCount, progress: ProgressReport(progress)))
  }

  private func makePartDecoder(_ reader: ArchiveReader) throws -> GDecoder {
    // The object index is always read, and the blocks of the rest are added as they are.
    reader.progress?.begin(byteCount: reader.contents.objectIndex.segmentByteCount)
    let classes = ClassResolver(reader.contents.classes, chosen: chosenClasses)
    return GDecoder(try DecoderTables(reader, classes: classes, isPartial: true), userInfo: userInfo)
  }
}

extension Contents.Place {
  /// Bytes before compression, where they are in a segment; 0 where they are embedded.
  fileprivate var segmentByteCount: UInt64 {
    if case .segment(let entry) = self { entry.rawByteCount } else { 0 }
  }
}
