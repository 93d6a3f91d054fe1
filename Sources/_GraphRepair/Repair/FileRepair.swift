import Foundation
import _GraphCoding
import _GraphFiles
import _GraphMaintenance
import _GraphReading
import _GraphStorage
import _GraphSupport

/// Repairs a file by its parity.
struct FileRepair {
  private let url: URL
  private let file: OpenFile
  private let parity: ParityFile
  private let progress: ProgressReport?
  private var groups: [ParityRepair] = []
  private(set) var result = GraphRepair()
  /// Where what is valid ends, if the file is valid and nothing else was lost than bytes behind: of a series that was cut between two
  /// entries, or whose last record is damaged.
  private var validEnd: UInt64?

  /// - Throws: `file` if there is no parity; `damaged` if there is nothing left of it.
  init(_ url: URL, _ progress: ProgressReport?) throws {
    (self.url, self.progress) = (url, progress)
    file = try OpenFile(reading: url)
    let parityURL = ParityFile.url(for: url)
    guard FileManager.default.fileExists(atPath: parityURL.path) else {
      throw GCodableError(
        file: url.path, "\(url.path) has no parity: \(parityURL.lastPathComponent) is not there")
    }
    parity = try ParityFile(OpenFile(reading: parityURL))
    guard !parity.groups.isEmpty else {
      throw GCodableError(.damaged, "nothing of \(parityURL.path) is intact", byteOffset: 0)
    }
  }

  /// Finds what is lost, and restores what can be.
  ///
  /// - Throws: `invalidValue` if the file was changed since it was protected.
  mutating func run() throws {
    progress?.begin(byteCount: try file.byteCount())
    for group in parity.groups {
      let repair = try ParityRepair(
        file, parity, group, threadCount: ParallelLoop.processorCount, progress)
      result.sectorCount += group.table.sectorCount
      result.lostSectorCount += repair.lost.count
      if !group.isWhole || !repair.lostParity.isEmpty { result.parityWasDamaged = true }
      groups.append(repair)
    }
    let (byteCount, end) = (try file.byteCount(), protectedByteCount)
    result.isCut = byteCount < end
    result.unprotectedByteCount = byteCount - min(byteCount, end)
    guard !result.isIntact else {
      progress?.finish()
      return
    }
    try checkIsProtected()
    for group in groups { try group.restore(progress) }
    if let validEnd, try !keepsBytes(upTo: validEnd) { throw wasChanged }
    result.restoredSectorCount = groups.reduce(0) { $0 + $1.restored.count }
    progress?.finish()
  }

  private var protectedByteCount: UInt64 { groups.map(\.table.end).max() ?? 0 }

  /// The file with what was restored in it, whatever is lost still.
  func restored() throws -> any RangeReader {
    var pieces: [RestoredFile.Sector] = []
    for group in groups {
      pieces += group.restored.map { .init(offset: group.table.offset(ofSector: $0.key), bytes: $0.value) }
    }
    return RestoredFile(file, pieces, byteCount: max(try file.byteCount(), protectedByteCount))
  }

  /// - Throws: `invalidValue` if this is another file than that which was protected.
  private mutating func checkIsProtected() throws {
    let header = try ArchiveStorage(file).withSource { source in
      try source.bytes(ArchiveHeader.byteCount, at: 0).flatMap { bytes in
        unsafe bytes.withUnsafeBytes { unsafe try? ArchiveHeader(parsing: $0, archiveByteCount: nil) }
      }
    }
    let isOther = try header != nil && groups.first?.startIsIntact() == false
    if isOther { throw wasChanged }
    validEnd = GraphArchive.validEnd(of: url)
    // What its own checksums say is as it should be was written so, and must not be changed; but it may be completed.
    if let validEnd, !isIntact(upTo: validEnd) { throw wasChanged }
  }

  private var wasChanged: GCodableError {
    GCodableError(
      .invalidValue,
      "\(url.path) was changed after its parity was made: protect it again, or remove the parity")
  }

  /// Whether all sectors that end there or in front of it are intact.
  private func isIntact(upTo end: UInt64) -> Bool {
    groups.allSatisfy { group in group.lost.allSatisfy { group.table.end(ofSector: $0) > end } }
  }

  /// Whether the restored sector in which what is valid ends begins with the bytes that the file has.
  private func keepsBytes(upTo end: UInt64) throws -> Bool {
    for group in groups {
      for (number, bytes) in group.restored {
        let start = group.table.offset(ofSector: number)
        guard start < end else { continue }
        let own = try ArchiveStorage(file).withSource { try $0.bytes(Int(end - start), at: start) }
        guard own.map(bytes.starts(with:)) == true else { return false }
      }
    }
    return true
  }

  // MARK: Writing

  /// Writes the file as it was.
  ///
  /// - Throws: `damaged` if more is lost than could be restored; `file`.
  func write(to newURL: URL) throws {
    let left = groups.reduce(0) { $0 + $1.lost.count }
    guard left == 0 else {
      throw GCodableError(
        .damaged,
        """
        \(result.lostSectorCount) of \(result.sectorCount) sectors of \(url.path) are lost, and \(left) of them cannot be \
        restored from the parity: \(
          validEnd != nil ? "protect what is there again, or remove the parity" : "recover what is intact")
        """,
        byteOffset: groups.compactMap { group in group.lost.min().map { group.table.offset(ofSector: $0) } }
          .min())
    }
    let sink = try FileSink(newURL)
    let storage = try ArchiveStorage(restored())
    try storage.withSource { source in
      for start in stride(from: 0, to: source.byteCount, by: 4 << 20) {
        try progress?.checkCancellation()
        let count = Int(min(source.byteCount - start, 4 << 20))
        try unsafe source.withBytes(count, from: start) { try unsafe sink.write([$0], at: start) }
      }
    }
    try sink.publish(progress)
    guard result.parityWasDamaged, newURL == url, let redundancy = parity.groups.first?.table.redundancy
    else {
      return
    }
    try ParityFile.protect(url, redundancy, threadCount: ParallelLoop.processorCount, nil)
  }
}

extension GraphArchive {
  /// Where an archive ends, or the last entry of a series, if it is there and all of it matches its checksums; otherwise nil.
  ///
  /// What is behind the last entry of a series, a writer has left that was ended; or a record was there that is damaged.
  fileprivate static func validEnd(of url: URL) -> UInt64? {
    do {
      let archive = try GraphArchive(url)
      try archive.verify()
      return try archive.info.byteCount
    } catch let error as GCodableError where error.code == .notAnArchive {
      // A few zeros are a series without entries.
      guard let series = try? GraphArchiveSeries(url), !series.isEmpty,
        (try? GraphDecoder().verify(series)) != nil
      else { return nil }
      return series.byteCount
    } catch { return nil }
  }
}
