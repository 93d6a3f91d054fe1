import GraphCodable

/// A series of archives, or of sets: what commands that list or choose entries know of it.
protocol StoredSeries: RandomAccessCollection where Element: StoredEntry {
  /// Bytes of all entries; of a file, all of its bytes that are known to belong to the series.
  var byteCount: UInt64 { get }
  /// What was found damaged while the entries were listed.
  var damage: [GCodableError] { get }
}

/// An archive of a series, or a set of one.
protocol StoredEntry {
  var number: Int { get }
  var step: Int { get }
  var time: Double { get }
  var metadata: [String: String] { get }
  var byteCount: UInt64 { get }
}

extension GraphArchiveSeries: StoredSeries {}
extension GraphArchiveSeries.Entry: StoredEntry {}

extension GraphArchiveSetSeries: StoredSeries {
  /// Bytes of all parts of all sets; a part that several sets have counts for each of them.
  var byteCount: UInt64 { sum(map(\.byteCount)) }
}
extension GraphArchiveSetSeries.Entry: StoredEntry {}
