import Foundation
import _GraphCoding
import _GraphReading

extension GraphDecoder {
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

  /// Decodes a snapshot of a series as `Codable` values.
  ///
  /// - Parameters: as in `read(_:from:progress:)` for an entry.
  /// - Throws: as for a file. Byte offsets count from the entry's `offset`.
  public func read<Root: Decodable>(
    codable type: Root.Type, from entry: GraphArchiveSeries.Entry, progress: Progress? = nil
  ) throws -> Root {
    try GraphArchive(entry).decode(codable: type, using: self, progress: progress)
  }

  /// For a message that says what to write; see `_GraphCoding/Decoder/MissingTypes.swift`.
  @available(
    *, unavailable, message: "say what to decode: 'read(Model.self, from: entry)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func read(from entry: GraphArchiveSeries.Entry) throws -> Any { throw neverCalled() }

  /// For a message that says what to write; see `_GraphCoding/Decoder/MissingTypes.swift`.
  @available(
    *, unavailable, message: "say what to decode: 'read(Model.self, from: entry)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func read<Root>(from entry: GraphArchiveSeries.Entry) throws -> Root { throw neverCalled() }
}
