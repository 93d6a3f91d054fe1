import _GraphFiles

extension GEncoder {
  /// Encodes values whose large arrays are compressed in another way than the encoder's.
  ///
  ///     try encoder.withCompression(.small) {
  ///       try encoder.encode(frames, for: Key.frames, precision: .absolute(0.005))
  ///     }
  ///
  /// It holds for arrays of 16 KiB or more that are part of these values, and not for those of objects that the values refer to, which
  /// are encoded later. Everything else has ``GraphEncoder/compression``. A message has no such arrays, so it makes no difference there.
  /// A ``GLazy`` value that has not been loaded keeps the bytes that it has. In a series with differences, only arrays that have LZ4
  /// are stored as such, and none where the encoder does not compress.
  ///
  /// - Parameters:
  ///   - compression: how arrays are compressed while `body` encodes them.
  ///   - body: encodes values by this encoder. Calls may be nested; the innermost one holds.
  /// - Throws: what `body` throws.
  public func withCompression(_ compression: GraphEncoder.Compression, _ body: () throws -> Void) rethrows {
    let outer = tables.compression
    tables.compression = compression
    defer { tables.compression = outer }
    try body()
  }
}
