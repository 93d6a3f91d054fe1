import Foundation
import _GraphCoding

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

  /// Decodes a graph of `Codable` values from a file.
  ///
  /// - Parameters: as in `read(_:from:progress:)`.
  /// - Throws: as `decode(codable:from:)`; code `file` when the file cannot be read; `CancellationError`.
  public func read<Root: Decodable>(
    codable type: Root.Type, from url: URL, progress: Progress? = nil
  ) throws -> Root {
    try GraphArchive(url).decode(codable: type, using: self, progress: progress)
  }
}
