import GraphCodable

extension GraphArchive {
  /// The archive of a value, in memory.
  static func encoding(
    _ value: some GEncodable, _ compression: GraphEncoder.Compression = .lz4
  ) throws -> GraphArchive {
    let encoder = GraphEncoder()
    encoder.compression = compression
    return try GraphArchive(encoder.encode(value) as Bytes)
  }
}
