import Foundation
import _GraphFiles
import _GraphSupport

/// Models that are `Codable`, and stay as they are.
///
/// A `Codable` struct, class or enum becomes what a `GCodable` one with the same keys would be: objects keep their identity and
/// class, arrays of numbers are bulk segments. A type that is also `GCodable` is encoded as such. So archives of both kinds are
/// inspected, read and decoded alike.
extension GraphEncoder {
  /// Encodes a graph of `Codable` values into memory.
  ///
  ///     let bytes = try GraphEncoder().encode(codable: model) as Bytes
  ///
  /// An error that an `encode(to:)` catches still fails the whole encode, because the value is incomplete.
  ///
  /// - Throws: `GCodableError`, with the code `duplicateKey` where `JSONEncoder` would keep the last value of a key;
  ///   `EncodingError` where an encoder or container is used after its value is done; whatever an `encode(to:)`
  ///   throws.
  /// - Complexity: O(n) in the size of the graph. Besides the result, the graph stream is in memory;
  ///   large packed arrays are not copied into it.
  public func encode<Root: Encodable, Output: MutableDataProtocol>(codable root: Root) throws -> Output {
    if Output.self == [UInt8].self {
      return try bytes { try $0.writeRoot(codable: root) } as! Output  // Just compared.
    }
    return try archive(walk { try $0.writeRoot(codable: root) })
  }

  /// Encodes a graph of `Codable` values into a file.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - url: the file, which appears when it is complete; see `write(_:to:progress:)`.
  ///   - progress: as in `write(_:to:progress:)`.
  /// - Throws: as `encode(codable:)`; code `file` when the file cannot be written; `CancellationError`.
  public func write<Root: Encodable>(codable root: Root, to url: URL, progress: Progress? = nil) throws {
    try progress?.checkCancellation()
    try write(walk { try $0.writeRoot(codable: root) }, to: url, progress)
  }

  /// Encodes a graph of `Codable` values and writes it to a file in the background.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - url: the file.
  ///   - progress: as in `write(_:to:progress:)`; nil to have one created.
  /// - Throws: as `encode(codable:)`; `CancellationError` if `progress` is cancelled already.
  public func writeInBackground<Root: Encodable>(
    codable root: Root, to url: URL, progress: Progress? = nil
  ) throws -> BackgroundWrite {
    try progress?.checkCancellation()
    return writeInBackground(try walk { try $0.writeRoot(codable: root) }, to: url, progress)
  }
}

extension GEncoder {
  /// Encodes an `Encodable` value under a key, for a `GCodable` type with such parts.
  ///
  ///     try encoder.encode(codable: settings, for: Key.settings)
  ///
  /// A value that is also `GCodable` is encoded as such.
  ///
  /// - Throws: as `encode(_:for:)`; whatever the value's `encode(to:)` throws.
  public func encode<Value: Encodable, Key: RawRepresentable>(codable value: Value, for key: Key) throws
  where Key.RawValue == String {
    let type = codable.type(Value.self)
    try enter(key, type.kind)
    do { try type.write(value) } catch { throw noted(error) }
  }

  /// Encodes an `Encodable` value without a key.
  ///
  /// - Throws: as `encode(codable:for:)`.
  public func encode<Value: Encodable>(codable value: Value) throws {
    let type = codable.type(Value.self)
    try enterUnkeyed(type.kind)
    do { try type.write(value) } catch { throw noted(error) }
  }

  /// What `Codable` values need.
  var codable: CodableWriter {
    if let known = tables.codable { return known }
    let writer = CodableWriter(self)
    tables.codable = writer
    return writer
  }

  /// Writes the root: its kind, then the value.
  package func writeRoot<Root: Encodable>(codable root: Root) throws {
    try reserve()
    let type = codable.type(Root.self)
    state.pointee.out.putByte(type.kind.rawValue)
    try type.write(root)
  }
}
