import Foundation
import _GraphCoding
import _GraphFiles
import _GraphMaintenance
import _GraphReading
import _GraphStorage
import _GraphSupport

// Forwards to `GraphArchive`: each opens an archive for one call.

extension GraphDecoder {
  /// Describes what an archive in memory holds; see `GraphArchive.dump(_:)`.
  ///
  /// - Throws: as `GraphArchive.dump(_:)`.
  public func dump(
    from bytes: some Collection<UInt8>, options: GraphDumpOptions = .readable
  ) throws -> String {
    try GraphArchive(bytes).dump(options)
  }

  /// Describes what an archive in a file holds.
  @available(*, deprecated, message: "use GraphArchive(url).dump(options)")
  public func dump(from url: URL, options: GraphDumpOptions = .readable) throws -> String {
    try GraphArchive(url).dump(options)
  }

  /// Describes what a snapshot of a series holds.
  @available(*, deprecated, message: "use GraphArchive(entry).dump(options)")
  public func dump(
    from entry: GraphArchiveSeries.Entry, options: GraphDumpOptions = .readable
  ) throws -> String {
    try GraphArchive(entry).dump(options)
  }

  /// Describes what an archive in a file holds line by line.
  @available(*, deprecated, message: "use GraphArchive(url).dumpLines(options, body)")
  public func dumpLines(
    from url: URL, options: GraphDumpOptions = .readable, _ body: (String) throws -> Void
  ) throws {
    try GraphArchive(url).dumpLines(options, body)
  }

  /// Describes what a snapshot of a series holds line by line.
  @available(*, deprecated, message: "use GraphArchive(entry).dumpLines(options, body)")
  public func dumpLines(
    from entry: GraphArchiveSeries.Entry, options: GraphDumpOptions = .readable,
    _ body: (String) throws -> Void
  ) throws {
    try GraphArchive(entry).dumpLines(options, body)
  }

  /// Checks every byte of an archive in a file against its checksums.
  @available(*, deprecated, message: "use GraphArchive(url).verify(progress:)")
  public func verify(_ url: URL, progress: Progress? = nil) throws {
    try GraphArchive(url).verify(threadCount: threadCount, progress)
  }

  /// Checks every byte of an archive in memory against its checksums.
  @available(*, deprecated, message: "use GraphArchive(bytes).verify(progress:)")
  public func verify(_ bytes: some Collection<UInt8>, progress: Progress? = nil) throws {
    try GraphArchive(bytes).verify(threadCount: threadCount, progress)
  }

  /// Decodes the value at a path, and the objects that it leads to, from memory.
  @available(*, deprecated, message: "use GraphArchive(bytes).decode(type, at: path, using: decoder)")
  @inlinable
  public func decode<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from bytes: some Collection<UInt8>
  ) throws -> Value {
    try GraphArchive(bytes).decode(type, at: path, using: self)
  }

  /// Decodes the value at a path, and the objects that it leads to, from a file.
  @available(*, deprecated, message: "use GraphArchive(url).decode(type, at: path, using: decoder)")
  @inlinable
  public func read<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from url: URL, progress: Progress? = nil
  ) throws -> Value {
    try GraphArchive(url).decode(type, at: path, using: self, progress: progress)
  }

  /// Decodes the value at a path, and the objects that it leads to, from a snapshot of a series.
  @available(*, deprecated, message: "use GraphArchive(entry).decode(type, at: path, using: decoder)")
  @inlinable
  public func read<Value: GDecodable>(
    _ type: Value.Type, at path: GraphPath, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Value {
    try GraphArchive(entry).decode(type, at: path, using: self, progress: progress)
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to, from memory.
  @available(
    *, deprecated, message: "use GraphArchive(bytes).decode(codable: type, at: path, using: decoder)"
  )
  public func decode<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath, from bytes: some Collection<UInt8>
  ) throws -> Value {
    try GraphArchive(bytes).decode(codable: type, at: path, using: self)
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to, from a file.
  @available(*, deprecated, message: "use GraphArchive(url).decode(codable: type, at: path, using: decoder)")
  public func read<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath, from url: URL, progress: Progress? = nil
  ) throws -> Value {
    try GraphArchive(url).decode(codable: type, at: path, using: self, progress: progress)
  }

  /// Decodes the `Codable` value at a path, and the objects that it leads to, from a snapshot of a series.
  @available(
    *, deprecated, message: "use GraphArchive(entry).decode(codable: type, at: path, using: decoder)"
  )
  public func read<Value: Decodable>(
    codable type: Value.Type, at path: GraphPath, from entry: GraphArchiveSeries.Entry,
    progress: Progress? = nil
  ) throws -> Value {
    try GraphArchive(entry).decode(codable: type, at: path, using: self, progress: progress)
  }
}
