import Foundation
import _GraphFiles
import _GraphMaintenance
import _GraphReading
import _GraphSupport

extension GraphArchive {
  /// Recovers a damaged archive or series by writing everything intact into a new file.
  ///
  /// Every block, object and entry whose checksums match is in the new file, which is valid: it can be decoded, listed and
  /// verified. The damaged file is only read. What was moved by bytes that were inserted or removed is found by its checksum.
  ///
  /// - Arrays keep their places. In lost blocks, floating-point numbers become NaN, and other numbers 0.
  /// - Lost objects are left out. References to them become nil if they are optional; other references lead to a value that
  ///   no type can be decoded from. So a value can be decoded whenever everything that it needs is intact.
  /// - A damaged object or root ends at the damage: lists have fewer elements, records fewer fields.
  /// - What the root no longer leads to is at ``GraphRecovery/Archive/restPath``.
  /// - If the tables are lost, arrays are recovered from the headers of their segments, without names and shapes.
  /// - Intact entries of a series are copied; the remains of others are appended with their step, time and metadata.
  ///
  /// An archive with anything missing says so in its metadata, as `graphcodable.recovered`. Malformed data whose checksums
  /// match, because it was forged or written by a faulty program, does not count as damage: it is copied as it is.
  ///
  /// - Parameters:
  ///   - url: the damaged file.
  ///   - newURL: the new file, which replaces a file of that name when it is complete.
  ///   - progress: reports the bytes that have been read and written; cancelling it leaves no file.
  /// - Returns: what was recovered, and what is lost.
  /// - Throws: `GCodableError`: `damaged` when nothing is intact, `notAnArchive` for another version of the format, `file`,
  ///   `noMemory`; `CancellationError`.
  /// - Complexity: O(n) in the size of the file before compression. A damaged graph stream is in memory twice. For blocks that
  ///   stand neither where they belong nor as far from there as what is around them, 4 GiB and 16 times the file's bytes are
  ///   compared at most, about one second: larger blocks without compression may be missed if two damages of odd sizes are around them.
  public static func recover(_ url: URL, to newURL: URL, progress: Progress? = nil) throws -> GraphRecovery {
    try progress?.checkCancellation()
    let file = try OpenFile(reading: url)
    if let other = try? OpenFile(reading: newURL), other.isSame(as: file) {
      throw GCodableError(file: newURL.path, "\(newURL.path) is the damaged file itself")
    }
    let report = ProgressReport(progress)
    let sink = try FileSink(newURL)
    let recovery = try FileRecovery(file, report).write(to: sink)
    try sink.publish(report)
    return recovery
  }
}
