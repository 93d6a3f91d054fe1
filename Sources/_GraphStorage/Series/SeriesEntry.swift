import Foundation
import _GraphFiles
import _GraphReading
import _GraphSupport

extension GraphArchiveSeries {
  /// A snapshot in a series: what is known of it without decoding it.
  ///
  /// `GraphDecoder.read` decodes it, `GraphDecoder.verify` checks it, and `GraphArchive` opens it.
  public struct Entry: Sendable {
    /// The number of entries appended before it, including damaged ones.
    public let number: Int
    /// The step that it was appended with.
    public let step: Int
    /// The time that it was appended with.
    public let time: Double
    /// The metadata that it was appended with.
    ///
    /// Of keys that differ only in Unicode normalization, which a dictionary considers equal, it has the first;
    /// `metadataPairs` has all of them.
    public var metadata: [String: String] { storedMetadata.dictionary }
    /// The metadata that it was appended with, in ascending order of the keys' bytes.
    public var metadataPairs: [(key: String, value: String)] { storedMetadata.pairs }
    /// The byte offset in the file of what the entry has added to it.
    ///
    /// Errors of reading the entry have offsets in its archive; `fileOffset(ofByte:)` converts them to offsets in the file.
    public let offset: UInt64
    /// Bytes of its archive.
    public let byteCount: UInt64
    /// The number of bytes that the entry has added to the file from `offset` on, without its record.
    ///
    /// It is less than `byteCount` if the entry shares blocks with earlier ones, and slightly more if it could but does not.
    public let storedByteCount: UInt64

    let storedMetadata: Metadata
    let archiveHash: UInt64
    let file: any RangeReader
    /// Of the file with its archive, where that is one of its own; `file` is the folder then.
    let path: String?

    package init(_ record: SeriesRecord, _ file: any RangeReader, path: String? = nil) {
      self.path = path
      number = record.number
      step = record.step
      time = record.time
      storedMetadata = record.metadata
      offset = record.archiveOffset
      byteCount = record.archiveByteCount
      storedByteCount = record.storedByteCount
      archiveHash = record.archiveHash
      self.file = file
    }

    /// The bytes of the entry's archive, as `GraphEncoder.encode` makes them.
    ///
    /// They are not checked before they are decoded.
    ///
    /// - Throws: `GCodableError` with the code `file` or `wrongSize` when the file cannot be read, `noMemory`; `damaged`
    ///   or `malformed` if the table that says where the bytes are is.
    /// - Complexity: O(n) in `byteCount`.
    public func archive() throws -> Data {
      // Before memory is taken: it compares `byteCount` with what the file has.
      let storage = try open().storage
      guard let count = Int(exactly: byteCount), let memory = unsafe malloc(count) else {
        throw GCodableError(.noMemory, "no memory for \(byteCount) bytes")
      }
      let data = unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
      try storage.withSource {
        try unsafe $0.read(UnsafeMutableRawBufferPointer(start: memory, count: count), from: 0)
      }
      return data
    }

    /// The offset in the file of a byte of the entry's archive.
    ///
    /// Bytes that the entry shares with earlier ones lie before `offset`.
    ///
    /// - Parameter byte: the offset of the byte in the archive, less than `byteCount`.
    /// - Returns: nil if the archive has no such byte, or if it is in a block that is stored as differences from another.
    /// - Throws: as `archive()`.
    /// - Complexity: O(n) in the number of blocks of the archive.
    public func fileOffset(ofByte byte: UInt64) throws -> UInt64? {
      guard byte < byteCount else { return nil }
      return try open().storage.place(of: byte..<(byte + 1))?.offset
    }
  }
}

extension GraphArchiveSeries.Entry {
  /// What the file says about an archive stored in pieces.
  struct Pieces {
    let header: SharedHeader
    let table: ExtentTable
  }

  /// Its archive, and the hash at the end of the archive's header.
  ///
  /// - Throws: `damaged` where it is not the one that its record was written for; `malformed`, `notAnArchive`,
  ///   `wrongSize`, `file`.
  package func open() throws -> (storage: ArchiveStorage, hash: UInt64) {
    if let own = try ownStorage() { return (own, archiveHash) }
    guard let pieces = try pieces() else {
      return (.file(file, from: offset, byteCount: storedByteCount), archiveHash)
    }
    return (.pieces(file, pieces.table), pieces.header.archiveHash)
  }

  /// What the file says about the archive; nil if it is stored whole.
  func pieces() throws -> Pieces? {
    if path != nil { return nil }
    let start = try readStart()
    guard SharedHeader.isOne(start) else {
      // It is longer than an archive's header, as its record has been checked for.
      let hashes = unsafe start.withUnsafeBytes { unsafe ArchiveHeader.hashes(of: $0) }
      guard hashes.computed == archiveHash, hashes.stored == archiveHash, byteCount == storedByteCount else {
        throw isOther()
      }
      return nil
    }
    guard start.count == SharedHeader.byteCount else { throw isOther() }
    let hashes = SharedHeader.hashes(of: start)
    guard hashes.computed == archiveHash, hashes.stored == archiveHash else { throw isOther() }
    let header = try SharedHeader(parsing: start)
    guard header.storedByteCount == storedByteCount, header.archiveByteCount == byteCount else {
      throw isOther()
    }
    return try Pieces(header: header, table: header.table(in: file, at: offset))
  }

  /// The header that it begins with.
  private func readStart() throws -> [UInt8] {
    let count = min(storedByteCount, UInt64(SharedHeader.byteCount))
    return try ArchiveStorage.file(file, from: offset, byteCount: storedByteCount).withSource {
      try unsafe $0.withBytes(Int(count), from: 0) { unsafe Array($0) }
    }
  }

  func isOther() -> GCodableError {
    GCodableError(
      .damaged, "the archive of entry \(number) is not the one that its record was written for",
      byteOffset: 0)
  }

  /// Checks what the file has of the archive besides its bytes: table, and zeros around them.
  ///
  /// - Parameter archive: the entry's.
  func verifyPadding(of archive: GraphArchive) throws {
    if path != nil { return }
    if case .pieces(_, let table) = archive.storage {
      for gap in table.gaps { try verifyZeros(gap) }
      let blockCount = archive.contents.segments.reduce(0) { $0 + $1.segment.blocks.count }
      guard table.fingerprints.count == blockCount else {
        throw GCodableError(
          .malformed, "the table of entry \(number) has \(table.fingerprints.count) blocks for \(blockCount)",
          byteOffset: 0)
      }
    }
    guard let record = SeriesRecord.offset(behind: offset, storedByteCount) else { return }
    try verifyZeros((offset + storedByteCount)..<record)
  }

  /// Checks that the entry was listed as its archive says: an index of a folder may be of other archives.
  ///
  /// - Throws: `damaged`.
  func verifyIndex(against archive: GraphArchive) throws {
    let stated = try? FolderEntry(
      archive.contents.metadata, number: number, byteCount: byteCount, hash: archiveHash)
    guard let stated, stated.step == step, stated.time == time || stated.time.isNaN && time.isNaN,
      stated.metadata.dictionary == metadata
    else {
      throw GCodableError(
        .damaged, "the index of the folder says other things of entry \(number) than its archive",
        byteOffset: 0)
    }
  }

  private func verifyZeros(_ range: Range<UInt64>) throws {
    var padding = [UInt8](repeating: 1, count: range.count)
    guard try unsafe padding.withUnsafeMutableBytes({ try unsafe file.read($0, from: range.lowerBound) }),
      padding.allSatisfy({ $0 == 0 })
    else {
      throw GCodableError(
        .damaged, "the padding around the archive of entry \(number) is not zero",
        byteOffset: range.lowerBound - offset)
    }
  }
}
