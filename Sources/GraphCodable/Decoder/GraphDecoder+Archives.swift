import Foundation

// What archives do, by the settings of a decoder: files, entries of a series and bytes are opened for one call.

// MARK: - The whole graph

extension GraphDecoder {
  /// Decodes a graph from a file.
  ///
  /// The file is read piece by piece: its blocks go straight to the arrays that they belong to.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the file.
  ///   - progress: as in `GraphArchive.decode(_:using:progress:)`.
  /// - Throws: as `GraphArchive.decode(_:using:progress:)`; code `file` when the file cannot be read.
  @inlinable
  public func read<Root: GDecodable>(
    _ type: Root.Type, from url: URL, progress: Progress? = nil
  ) throws -> Root {
    try GraphArchive(url).decode(type, using: self, progress: progress)
  }

  /// Decodes a snapshot of a series.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - entry: the snapshot's entry.
  ///   - progress: as for a file.
  /// - Throws: as for a file. Byte offsets count from the entry's `offset`.
  @inlinable
  public func read<Root: GDecodable>(
    _ type: Root.Type, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Root {
    try GraphArchive(entry).decode(type, using: self, progress: progress)
  }
}

// MARK: - Parts

extension GraphDecoder {
  /// Decodes the value at a path, and the objects that it leads to, from memory.
  ///
  ///     let position = try decoder.decode(SIMD3<Double>.self, at: "bodies[3].position", from: bytes)
  ///
  /// - Parameters:
  ///   - type: the type of the value; for an element of an array of numbers, the type of the element.
  ///   - path: where the value is.
  ///   - bytes: a whole archive; contiguous collections, such as `[UInt8]` and `Data`, are used in place.
  /// - Throws: as `GraphArchive.decode(_:at:using:progress:)`.
  /// - Complexity: as `GraphArchive.decode(_:at:using:progress:)`.
  @inlinable
  public func decode<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from bytes: some Collection<UInt8>
  ) throws -> Value {
    try unsafe bytes.withArchiveBytes {
      try unsafe GraphArchive(lent: $0).decode(type, at: path, using: self)
    }
  }

  /// Decodes the value at a path, and the objects that it leads to, from a file.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - path: where the value is.
  ///   - url: the file, of which only the needed blocks are read.
  ///   - progress: as in `GraphArchive.decode(_:at:using:progress:)`.
  /// - Throws: as `GraphArchive.decode(_:at:using:progress:)`; code `file` when the file cannot be read.
  @inlinable
  public func read<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from url: URL, progress: Progress? = nil
  ) throws -> Value {
    try GraphArchive(url).decode(type, at: path, using: self, progress: progress)
  }

  /// Decodes the value at a path, and the objects that it leads to, from a snapshot of a series.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - path: where the value is in the snapshot.
  ///   - entry: the snapshot's entry.
  ///   - progress: as for a file.
  /// - Throws: as for a file. Byte offsets count from the entry's `offset`.
  @inlinable
  public func read<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Value {
    try GraphArchive(entry).decode(type, at: path, using: self, progress: progress)
  }
}

// MARK: - Checking and describing

extension GraphDecoder {
  /// Checks every byte of an archive in a file against its checksums; see `GraphArchive.verify(progress:)`.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - progress: reports the bytes that have been checked; cancelling it ends the check.
  /// - Throws: as `GraphArchive.verify(progress:)`.
  /// - Complexity: O(n) in the size of the file, on `threadCount` threads.
  public func verify(_ url: URL, progress: Progress? = nil) throws {
    try GraphArchive(url).verify(threadCount: threadCount, progress)
  }

  /// Checks every byte of an archive in memory against its checksums; see `GraphArchive.verify(progress:)`.
  ///
  /// - Parameters:
  ///   - bytes: a whole archive; contiguous collections, such as `[UInt8]` and `Data`, are used in place.
  ///   - progress: as for a file.
  /// - Throws: as `GraphArchive.verify(progress:)`.
  /// - Complexity: O(n) in the size of the archive, on `threadCount` threads.
  public func verify(_ bytes: some Collection<UInt8>, progress: Progress? = nil) throws {
    try unsafe bytes.withArchiveBytes {
      try unsafe GraphArchive(lent: $0).verify(threadCount: threadCount, progress)
    }
  }

  /// Describes what an archive in memory holds; see `GraphArchive.dump(_:)`.
  ///
  /// - Throws: as `GraphArchive.dump(_:)`.
  public func dump(from bytes: some Collection<UInt8>, options: GraphDumpOptions = .readable) throws -> String
  {
    try unsafe bytes.withArchiveBytes { try unsafe GraphArchive(lent: $0).dump(options) }
  }

  /// Describes what an archive in a file holds; see `GraphArchive.dump(_:)`.
  ///
  /// - Throws: as `GraphArchive.dump(_:)`.
  public func dump(from url: URL, options: GraphDumpOptions = .readable) throws -> String {
    try GraphArchive(url).dump(options)
  }

  /// Describes what a snapshot of a series holds; see `GraphArchive.dump(_:)`.
  ///
  /// - Throws: as `GraphArchive.dump(_:)`. Byte offsets count from the entry's `offset`.
  public func dump(
    from entry: GraphArchiveSeries.Entry, options: GraphDumpOptions = .readable
  ) throws -> String {
    try GraphArchive(entry).dump(options)
  }

  /// Describes what an archive in a file holds line by line; see `GraphArchive.dumpLines(_:_:)`.
  ///
  /// - Throws: as `GraphArchive.dumpLines(_:_:)`.
  public func dumpLines(
    from url: URL, options: GraphDumpOptions = .readable, _ body: (String) throws -> Void
  ) throws {
    try GraphArchive(url).dumpLines(options, body)
  }

  /// Describes what a snapshot of a series holds line by line; see `GraphArchive.dumpLines(_:_:)`.
  ///
  /// - Throws: as `GraphArchive.dumpLines(_:_:)`. Byte offsets count from the entry's `offset`.
  public func dumpLines(
    from entry: GraphArchiveSeries.Entry, options: GraphDumpOptions = .readable,
    _ body: (String) throws -> Void
  ) throws {
    try GraphArchive(entry).dumpLines(options, body)
  }
}
