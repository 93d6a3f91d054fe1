import GraphCodable

extension GraphArchive {
  /// How many bytes there are before compression for each one that is stored; nil where the tables cannot be read.
  var compressionRatio: Double? {
    guard let info = try? info, info.byteCount > 0 else { return nil }
    return Double(info.rawByteCount) / Double(info.byteCount)
  }
}

extension GraphArchiveSeries {
  /// More entries are not opened for a ratio.
  private static let ratioLimit = 1_000

  /// The same for all entries; nil where there are very many, or one cannot be read.
  ///
  /// - Complexity: reads the tables of each entry.
  var compressionRatio: Double? {
    guard (1...Self.ratioLimit).contains(count), byteCount > 0 else { return nil }
    var rawByteCount = 0.0
    for entry in self {
      guard let info = try? GraphArchive(entry).info else { return nil }
      rawByteCount += Double(info.rawByteCount)
    }
    return rawByteCount / Double(byteCount)
  }
}

/// The ratio of an archive or a series here; nil for other files, which are not opened to learn it.
func compressionRatio(ofFile name: String) -> Double? {
  guard !isAddress(name), name != StandardInput.name, let stored = try? StoredFile(name) else { return nil }
  switch stored.content {
  case .archive(let archive): return try? archive.open().compressionRatio
  case .series(let series): return series.compressionRatio
  default: return nil
  }
}
