import Foundation

extension GraphArchiveSeries {
  /// A snapshot in a series: what is known of it without decoding it.
  ///
  /// `GraphDecoder.read` decodes it, `GraphDecoder.verify` compares its checksums, and `GraphArchive` opens it.
  public struct Entry: Sendable {
    /// How many entries were appended before it, damaged ones included.
    public let number: Int
    /// The step that it was appended with.
    public let step: Int
    /// The time that it was appended with.
    public let time: Double
    /// What else it was appended with.
    ///
    /// Of keys that differ only in their Unicode normalization, which are one for a dictionary, the first one;
    /// `metadataPairs` has them all.
    public var metadata: [String: String] { storedMetadata.dictionary }
    /// What else it was appended with, in ascending order of the bytes of the keys.
    public var metadataPairs: [(key: String, value: String)] { storedMetadata.pairs }
    /// Where its archive begins in the file.
    ///
    /// Errors of reading it have offsets from there.
    public let offset: UInt64
    /// Bytes of its archive.
    public let byteCount: UInt64

    let storedMetadata: Metadata
    private let archiveHash: UInt64
    private let file: OpenFile
    /// Of the file with its archive, where that is one of its own; `file` is the folder then.
    let path: String?

    init(_ record: SeriesRecord, _ file: OpenFile, path: String? = nil) {
      self.path = path
      number = record.number
      step = record.step
      time = record.time
      storedMetadata = record.metadata
      offset = record.archiveOffset
      byteCount = record.archiveByteCount
      archiveHash = record.archiveHash
      self.file = file
    }

    /// The bytes of its archive, as `GraphEncoder.encode` makes them.
    ///
    /// They are not checked before they are decoded.
    ///
    /// - Throws: `GCodableError` with the code `file` or `wrongSize` when the file cannot be read, `noMemory`.
    /// - Complexity: O(n) in `byteCount`.
    public func archive() throws -> Data {
      guard let count = Int(exactly: byteCount), let memory = unsafe malloc(count) else {
        throw GCodableError(.noMemory, "no memory for \(byteCount) bytes")
      }
      let data = unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
      try open().withSource {
        try unsafe $0.read(UnsafeMutableRawBufferPointer(start: memory, count: count), from: 0)
      }
      return data
    }

    /// Its archive.
    func open() throws -> ArchiveStorage {
      try ownStorage() ?? .file(file, from: offset, byteCount: byteCount)
    }

    /// Checks that its archive is the one that its record was written for.
    func checkHeader(_ storage: ArchiveStorage) throws {
      let hashes = try storage.withSource {
        try unsafe $0.withBytes(ArchiveHeader.byteCount, from: 0, ArchiveHeader.hashes)
      }
      guard hashes.computed == archiveHash, hashes.stored == archiveHash else {
        throw GCodableError(
          .damaged, "the archive of entry \(number) is not the one that its record was written for",
          byteOffset: 0)
      }
    }

    /// Checks what stands between its archive and its record.
    func verifyPadding() throws {
      if path != nil { return }
      let end = offset + byteCount
      guard let record = SeriesRecord.offset(behind: offset, byteCount) else { return }
      var padding = [UInt8](repeating: 1, count: Int(record - end))
      guard try unsafe padding.withUnsafeMutableBytes({ try unsafe file.read($0, from: end) }),
        padding.allSatisfy({ $0 == 0 })
      else {
        throw GCodableError(
          .damaged, "the padding behind the archive of entry \(number) is not zero", byteOffset: byteCount)
      }
    }
  }
}
