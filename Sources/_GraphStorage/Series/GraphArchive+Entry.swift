import _GraphFiles
import _GraphReading

extension GraphArchive {
  /// Opens a snapshot of a series.
  ///
  /// - Throws: as for a file. Byte offsets count from the start of the archive.
  public convenience init(_ entry: GraphArchiveSeries.Entry) throws {
    let (storage, hash) = try entry.open()
    try self.init(storage)
    guard header.hash == hash else { throw entry.isOther() }
  }
}
