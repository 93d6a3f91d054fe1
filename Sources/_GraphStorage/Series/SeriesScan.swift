import _GraphFiles
import _GraphSupport

/// Finds records in a file.
///
/// Every archive says its size, so a record is found from the end of the one before, without the body of the archive between
/// them. If that fails, the rest of the file is either an unfinished entry, or damaged; then the next record is searched for.
package struct SeriesScan {
  private let file: any RangeReader
  let byteCount: UInt64
  private let isThorough: Bool
  private let searches: Searches

  /// How much is left to be searched for records.
  ///
  /// What is found behind a damaged entry is looked at twice or so. Forged headers and records could have the rest of the
  /// file searched for each of very many small entries.
  private final class Searches {
    var allowance: UInt64
    init(byteCount: UInt64) { allowance = 64 << 20 + 16 * min(byteCount, 1 << 56) }
  }

  /// Looks into the first `byteCount` bytes of a file.
  ///
  /// Every read throws `FileWasCut` if the file has become shorter.
  ///
  /// - Parameter isThorough: also where the rest looks like an entry that somebody is writing, the rest is read to the
  ///   end of the file.
  package init(_ file: any RangeReader, byteCount: UInt64, isThorough: Bool = false) {
    self.file = file
    self.byteCount = byteCount
    self.isThorough = isThorough
    searches = Searches(byteCount: byteCount)
  }

  /// Looks at the header of the series.
  func header() throws -> SeriesHeader.Finding {
    let start = try bytes(Int(min(byteCount, UInt64(SeriesHeader.wantedByteCount))), at: 0) ?? []
    return try SeriesHeader.find(in: start, fileByteCount: byteCount)
  }

  /// The first record whose whole entry lies after `end`, the end of an entry.
  @inline(never)
  package func nextRecord(from end: UInt64) throws -> SeriesRecord.Stored? {
    let found = try look(from: end)
    guard let found, found.record.archiveOffset > end else { return found }
    // A writer may have filled the bytes between while they were read. It has now reached the record after them, so they no
    // longer change.
    return try look(from: end)
  }

  @inline(never)
  private func look(from end: UInt64) throws -> SeriesRecord.Stored? {
    // Past the end, unless the file was cut.
    guard byteCount >= end, byteCount - end >= UInt64(ArchiveHeader.byteCount),
      let start = try bytes(Int(min(byteCount - end, UInt64(SharedHeader.byteCount))), at: end)
    else { return nil }
    let isUnfinished: Bool
    if let storedByteCount = SharedHeader.storedByteCount(startingWith: start) {
      let place = SeriesRecord.offset(behind: end, storedByteCount) ?? .max
      // Where a header says another size than its record, that of another archive may stand there.
      if let found = try record(at: place, from: end), found.record.archiveOffset == end { return found }
      // Nothing follows an archive whose record is not written yet, or was cut off.
      isUnfinished = try search(place, from: end) == nil
    } else {
      // The header of an archive is written last.
      isUnfinished = start.prefix(ArchiveHeader.byteCount).allSatisfy { $0 == 0 }
    }
    if isUnfinished, !isThorough, try !endsWithRecord(from: end) { return nil }
    return try search(end, from: end)
  }

  /// Whether a record ends at `end` that has this hash.
  @inline(never)
  func hasRecord(endingAt end: UInt64, hash: UInt64) throws -> Bool {
    guard let found = try bytes(8, at: end - 8) else { return false }
    return unsafe found.withUnsafeBytes { unsafe UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
      == hash
  }

  /// The record that ends at `end`, if there is one.
  func record(endingAt end: UInt64) throws -> SeriesRecord.Stored? {
    guard end > UInt64(SeriesHeader.byteCount) else { return nil }
    let startByteCount = min(end - UInt64(SeriesHeader.byteCount), 512)
    guard end % UInt64(SeriesRecord.alignment) == 0, startByteCount >= SeriesRecord.minimumByteCount,
      let last = try bytes(Int(startByteCount), at: end - startByteCount),
      let count = unsafe last.suffix(SeriesRecord.endByteCount).withUnsafeBytes(
        SeriesRecord.byteCount(endingWith:)),
      UInt64(count) <= end - UInt64(SeriesHeader.byteCount)
    else { return nil }
    let offset = end - UInt64(count)
    guard let all = try count <= last.count ? Array(last.suffix(count)) : bytes(count, at: offset),
      unsafe all.withUnsafeBytes({ unsafe SeriesRecord.byteCount(startingWith: $0, at: offset) }) == count
    else { return nil }
    return unsafe all.withUnsafeBytes { unsafe SeriesRecord.parse($0, at: offset) }
  }

  /// Reads the record at `offset`, if there is one and its entry lies after `end`.
  private func record(at offset: UInt64, from end: UInt64) throws -> SeriesRecord.Stored? {
    guard offset < byteCount, let start = try bytes(Int(min(byteCount - offset, 512)), at: offset),
      let count = unsafe start.withUnsafeBytes({ unsafe SeriesRecord.byteCount(startingWith: $0, at: offset) }
      ),
      UInt64(count) <= byteCount - offset,
      let all = try count <= start.count ? Array(start.prefix(count)) : bytes(count, at: offset),
      let stored = unsafe all.withUnsafeBytes({ unsafe SeriesRecord.parse($0, at: offset) }),
      stored.record.archiveOffset >= end
    else { return nil }
    return stored
  }

  /// The first record from `start` on.
  ///
  /// - Throws: `malformed` when what looks like records costs out of proportion to the bytes that are searched, as it
  ///   does in no file that was damaged by accident.
  private func search(_ start: UInt64, from end: UInt64) throws -> SeriesRecord.Stored? {
    var costByteCount: UInt64 = 0
    var (pieceStart, pieceByteCount) = (start, Self.firstPieceByteCount)
    while pieceStart < byteCount {
      let count = Int(min(byteCount - pieceStart, UInt64(pieceByteCount)))
      guard UInt64(count) <= searches.allowance else {
        throw GCodableError(.malformed, "the file is searched for too many entries", byteOffset: pieceStart)
      }
      guard let piece = try bytes(count, at: pieceStart) else { return nil }
      for (place, recordByteCount) in Self.places(in: piece, at: pieceStart) {
        if let found = try record(at: place, from: end) {
          searches.allowance -= place - pieceStart
          return found
        }
        costByteCount += UInt64(recordByteCount)
        guard costByteCount <= 64 << 20 + place - start else {
          throw GCodableError(.malformed, "there are too many false records", byteOffset: place)
        }
      }
      searches.allowance -= UInt64(count)
      pieceStart += UInt64(count)
      pieceByteCount = min(4 * pieceByteCount, Self.pieceByteCount)
    }
    return nil
  }

  // If entries are small, the next record is near.
  private static let firstPieceByteCount = 4 << 10
  private static let pieceByteCount = 1 << 20

  /// Where something in a piece looks like the beginning of a record, and how many bytes it would have.
  ///
  /// Pieces begin at multiples of the alignment, as records do.
  private static func places(in piece: [UInt8], at pieceStart: UInt64) -> [(offset: UInt64, byteCount: Int)] {
    unsafe piece.withUnsafeBytes { piece in
      stride(from: 0, to: piece.count, by: SeriesRecord.alignment).compactMap { place in
        let start = unsafe UnsafeRawBufferPointer(rebasing: piece[place...])
        let offset = pieceStart + UInt64(place)
        return unsafe SeriesRecord.byteCount(startingWith: start, at: offset).map { (offset, $0) }
      }
    }
  }

  /// Whether the file ends with a record that lies after `end`.
  private func endsWithRecord(from end: UInt64) throws -> Bool {
    guard byteCount >= end, let last = try record(endingAt: byteCount) else { return false }
    return last.record.archiveOffset >= end
  }

  /// Bytes of the file; nil if they would reach past its end.
  @inline(never)
  private func bytes(_ count: Int, at offset: UInt64) throws -> [UInt8]? {
    guard offset <= byteCount, UInt64(count) <= byteCount - offset else { return nil }
    // The storage of an array of no elements is shared by all of them.
    guard count > 0 else { return [] }
    return try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      guard try unsafe file.read(UnsafeMutableRawBufferPointer(buffer), from: offset) else {
        throw FileWasCut()
      }
      initializedCount = count
    }
  }

  /// The file has become shorter since the scan began.
  struct FileWasCut: Error {}
}
