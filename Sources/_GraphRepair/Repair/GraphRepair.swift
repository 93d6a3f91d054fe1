import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphStorage
import _GraphSupport

/// The result of repairing a file by the parity beside it.
public struct GraphRepair: Sendable {
  /// Whether all bytes that are protected match their checksums.
  public var isIntact: Bool { lostSectorCount == 0 && !isCut }
  /// The number of sectors of 4 KiB that were lost.
  public internal(set) var lostSectorCount = 0
  /// The number of these that could be restored.
  public internal(set) var restoredSectorCount = 0
  /// The number of sectors that are protected.
  public internal(set) var sectorCount = 0
  /// Whether the file had fewer bytes than are protected.
  public internal(set) var isCut = false
  /// Whether the parity itself was damaged; it was made anew if the file is whole now.
  public internal(set) var parityWasDamaged = false
  /// Bytes at the end of the file that were appended since and are not protected.
  public internal(set) var unprotectedByteCount: UInt64 = 0
}

extension GraphArchive {
  /// Writes parity beside a file, `NAME.gcparity`, from which lost bytes of the file can be restored.
  ///
  /// The file itself is not changed. It may be an archive, a series, or anything that no longer changes; of a series, entries that are
  /// appended later are protected by the next call. Of a folder, all archives and series in it are protected, and in the folders
  /// in it: sets, series in folders and series of sets; what links in it lead to is not.
  ///
  /// `GraphEncoder.redundancy` does so whenever it saves.
  ///
  /// - Parameters:
  ///   - url: the file or folder.
  ///   - redundancy: how much parity. Default: 2% of the file.
  ///   - progress: reports the bytes that have been read; cancelling it leaves the parity as it was.
  /// - Returns: the size of the parity, in bytes.
  /// - Throws: `GCodableError`: `invalidValue` for ``ArchiveRedundancy/none`` or a file without bytes, `file`, `noMemory`;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the size of the file, on all processors; memory for half a percent of the file.
  @discardableResult
  public static func protect(
    _ url: URL, redundancy: ArchiveRedundancy = .percent(2), progress: Progress? = nil
  ) throws -> UInt64 {
    guard redundancy != .none else {
      throw GCodableError(.invalidValue, "there is no parity without redundancy")
    }
    let report = ProgressReport(progress)
    let urls = try ProtectedFiles.urls(in: url)
    report?.begin(byteCount: ProtectedFiles.byteCount(of: urls))
    var byteCount: UInt64 = 0
    for url in urls {
      byteCount += try ParityFile.protect(
        url, redundancy, threadCount: ParallelLoop.processorCount, report)
    }
    report?.finish()
    return byteCount
  }

  /// Restores the lost bytes of a file from the parity beside it.
  ///
  /// The file gets its old bytes, bit for bit, or is left as it is. It is replaced in one step. A series that lacks nothing but its
  /// end gets that back as well: where entries were cut off on purpose, protect the series again.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - newURL: where the repaired file goes; nil to replace the damaged one. Default: nil.
  ///   - progress: reports the bytes that have been read; cancelling it leaves the file as it was.
  /// - Returns: what was lost. If nothing was, no file is written.
  /// - Throws: `GCodableError`: `damaged` if more is lost than can be restored: ``recover(_:to:progress:)`` then gives what is
  ///   intact; `invalidValue` if the file was changed since it was protected; `locked` if a series is to be replaced that has a writer;
  ///   `file` if there is no parity; `noMemory`; `CancellationError`.
  /// - Complexity: O(n) in the size of the file, on all processors, and memory for the bytes that are restored.
  public static func repair(_ url: URL, to newURL: URL? = nil, progress: Progress? = nil) throws
    -> GraphRepair
  {
    try progress?.checkCancellation()
    // What a writer appends meanwhile would be lost with the file that is replaced. Nobody appends to one that
    // cannot be written.
    let isReplaced = newURL == nil && FileManager.default.isWritableFile(atPath: url.path)
    let lock = isReplaced ? try WriterLock(appendingTo: url) : nil
    defer { lock?.release() }
    var repair = try FileRepair(url, ProgressReport(progress))
    try repair.run()
    if !repair.result.isIntact { try repair.write(to: newURL ?? url) }
    return repair.result
  }
}

extension GraphArchive {
  /// Compares a file with the parity beside it, and finds out how much could be restored, without writing anything.
  ///
  /// - Parameters: as in ``repair(_:to:progress:)``.
  /// - Throws: as ``repair(_:to:progress:)``, but no error if more is lost than can be restored.
  public static func checkParity(_ url: URL, progress: Progress? = nil) throws -> GraphRepair {
    try progress?.checkCancellation()
    var repair = try FileRepair(url, ProgressReport(progress))
    try repair.run()
    return repair.result
  }
}

/// The files in a folder that are worth protecting.
enum ProtectedFiles {
  /// A file itself; of a folder, the archives and series in it.
  static func urls(in url: URL) throws -> [URL] {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue
    else { return [url] }
    guard let names = FileManager.default.enumerator(atPath: url.path) else {
      throw GCodableError(file: url.path, "cannot list \(url.path)")
    }
    let files = names.compactMap { $0 as? String }.sortedOutOfLine(by: <).filter { name in
      // Files that are being written have a dot in front, and so have sets that are being removed.
      !name.split(separator: "/").contains { $0.hasPrefix(".") }
        && (name.hasSuffix(".gcodable") || name.hasSuffix(".gcseries"))
    }.map { url.appendingPathComponent($0) }
    // The parity of what a link leads to would be written outside of the folder.
    return files.filter { !SystemPath.isLink($0.path) }
  }

  static func byteCount(of urls: [URL]) -> UInt64 {
    urls.reduce(0) { sum, url in
      let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
      return sum.addingSaturated(size?.uint64Value ?? 0)
    }
  }
}
