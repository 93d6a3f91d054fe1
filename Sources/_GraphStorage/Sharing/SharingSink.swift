import CGraphArchive
import Foundation
import _GraphFiles
import _GraphSupport

/// Writes an archive into a series, except for blocks already stored there.
///
/// `@unchecked`: what changes is used under `lock` alone.
package final class SharingSink: ArchiveSink, @unchecked Sendable {
  let file: OpenFile
  let differences: Differences?
  private let lock = NSLock()
  /// What was stored before this archive.
  private var known: StoredBlocks
  private var occurrences = StoredBlocks.Occurrences()
  /// Places that blocks of this archive have been given.
  private var taken: Set<UInt64> = []
  private var table: ExtentTable
  private var arrays: [KnownArray.Key: KnownArray] = [:]
  /// The blocks of the archive, in the order in which they became ready.
  private var blocks: [(number: Int, block: NotedBlock, place: StoredBlocks.Location)] = []

  /// - Parameters:
  ///   - start: where the archive begins; shared bytes stand in front of it.
  ///   - known: what is stored there.
  ///   - differences: whether blocks of arrays are stored as differences to those of the last key entry.
  init(
    _ file: OpenFile, start: UInt64, known: StoredBlocks, _ differences: Differences? = nil
  ) {
    self.file = file
    self.known = known
    self.differences = differences
    table = ExtentTable(start: start)
    table.appendOwn(UInt64(ArchiveHeader.byteCount))
  }

  package func sharing(of writer: SegmentWriter) -> (any BlockSharing)? { SharingRun(self, writer) }

  /// Whether the last archive had arrays that this one may have as they are.
  var knowsArrays: Bool { lock.withLock { !known.arrays.isEmpty } }

  /// An array that the last archive had.
  func array(_ key: KnownArray.Key) -> KnownArray? { lock.withLock { known.arrays[key] } }

  /// Notes an array of this archive.
  func note(_ array: KnownArray, _ key: KnownArray.Key) { lock.withLock { arrays[key] = array } }

  /// The number of a method.
  func number(of method: BlockMethod) -> Int32 { lock.withLock { known.number(of: method) } }

  /// A block of the last key entry.
  private func keyBlock(
    _ position: StoredBlocks.ArrayPosition?, _ rawByteCount: Int
  ) -> StoredBlocks.KeyBlock? {
    guard let differences, !differences.isKey, let position, let block = known.keyBlocks[position],
      block.rawByteCount == rawByteCount, block.run.end <= table.start
    else { return nil }
    return block
  }

  /// What is known of the next block of the archive.
  struct Candidate {
    /// Its key for later searches; nil if it was not read.
    let key: StoredBlocks.Key?
    /// Where an equal one may be stored that the archive does not have yet.
    var place: StoredBlocks.Location?
    /// The version before, where it may differ in a few bytes.
    var version: DerivedBlock?
    /// The block of the last key entry, where it may be stored as differences to that.
    var keyBlock: StoredBlocks.KeyBlock?
    /// Which block it is, where the next version may be like it, and what it is like.
    var position: (position: StoredBlocks.Position, samples: BlockSamples)?
    /// Which block of an array it is.
    var arrayPosition: StoredBlocks.ArrayPosition?
  }

  /// Looks for the next block of the archive.
  ///
  /// - Parameters:
  ///   - place: where it is stored, if somebody knows.
  ///   - position: which block it is, where versions of it may be like each other, and what it is like.
  ///   - arrayPosition: which block of an array it is.
  func candidate(
    _ fingerprint: Fingerprint, rawByteCount: Int, at place: StoredBlocks.Location? = nil,
    _ position: (position: StoredBlocks.Position, samples: BlockSamples)? = nil,
    array arrayPosition: StoredBlocks.ArrayPosition? = nil
  ) -> Candidate {
    lock.withLock {
      let key = fingerprint == .unknown ? nil : occurrences.key(fingerprint, rawByteCount: rawByteCount)
      var candidate = Candidate(key: key, position: position, arrayPosition: arrayPosition)
      // Arrays of a key entry are by themselves.
      let isKey = differences?.isKey == true && arrayPosition != nil
      if let found = place ?? key.flatMap({ known[$0] }), !isKey || found.isByItself {
        if found.end <= table.start, taken.insert(found.offset).inserted { candidate.place = found }
      } else if let block = keyBlock(arrayPosition, rawByteCount),
        taken.insert(block.run.offset).inserted
      {
        candidate.keyBlock = block
      } else if let position, let version = known.versions[position.position],
        version.block.rawByteCount == rawByteCount, version.samples.areLike(position.samples),
        taken.insert(version.block.base.offset).inserted
      {
        candidate.version = version.block
      }
      return candidate
    }
  }

  /// Gives the next bytes of the archive their places.
  ///
  /// - Parameters:
  ///   - ownByteCount: bytes in front of a block.
  ///   - block: what comes then.
  /// - Returns: where the block is in the file.
  func place(_ ownByteCount: UInt64, _ block: SharedBlock) -> StoredBlocks.Location {
    let byteCount = UInt64(block.entry.storedByteCount)
    return lock.withLock {
      table.appendOwn(ownByteCount)
      var (offset, derived) = (block.place ?? 0, block.derived)
      if let made = derived {
        let placed = made.mapRuns { $0.isUnplaced ? table.reserve($0.byteCount) : $0 }
        table.append(placed, byteCount: byteCount)
        (offset, derived) = (placed.base.offset, placed)
      } else if block.place != nil {
        table.appendShared(byteCount, at: offset)
      } else {
        table.appendOwn(byteCount)
        offset = table.ownEnd - byteCount
      }
      return StoredBlocks.Location(
        offset: offset, byteCount: block.entry.storedByteCount, hash: block.entry.hash, method: block.method,
        content: block.content, derived: derived)
    }
  }

  /// Writes the changes that turn another block into this one, and notes where the block is.
  func note(_ number: Int, _ block: SharedBlock, _ place: StoredBlocks.Location) throws {
    if !block.change.isEmpty, let run = place.derived?.runs.last {
      try unsafe block.change.withUnsafeBytes { try unsafe file.write([$0], at: run.offset) }
    }
    lock.withLock { blocks.append((number, NotedBlock(block), place)) }
  }

  /// What later archives need of a block, without its bytes.
  struct NotedBlock {
    let rawByteCount: Int
    let key: StoredBlocks.Key?
    let keyPosition: StoredBlocks.ArrayPosition?
    let version: (position: StoredBlocks.Position, samples: BlockSamples, level: Int32?, rawHash: UInt64)?

    init(_ block: SharedBlock) {
      (rawByteCount, key) = (block.rawByteCount, block.key)
      (keyPosition, version) = (block.keyPosition, block.version)
    }
  }

  /// Writes bytes of the archive: those that have a place, which is in one piece, or those behind all that have one.
  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    let byteCount = unsafe pieces.reduce(0) { $0 + UInt64($1.count) }
    guard byteCount > 0 else { return }
    let place = lock.withLock {
      if offset == table.byteCount { table.appendOwn(byteCount) }
      return table.fileOffset(of: offset..<(offset + byteCount))
    }
    guard let place else {
      throw GCodableError(.internalInconsistency, "bytes of the archive have no place in the file")
    }
    try unsafe file.write(pieces, at: place)
  }

  /// Writes table and header, when the archive is written.
  func finish(_ archive: ArchiveHeader) throws -> SharedHeader {
    blocks.sort { $0.number < $1.number }
    table.fingerprints = blocks.map { $0.block.key?.fingerprint ?? .unknown }
    // Forged tables of other entries may have said so.
    if let overlap = table.overlap {
      throw GCodableError(.malformed, "\(file.path) has blocks that begin in others", byteOffset: overlap)
    }
    return try table.write(to: file, archiveHash: archive.hash)
  }

  /// What is stored once the archive has become an entry; writing has ended.
  package func takeKnown() -> StoredBlocks {
    var result = StoredBlocks()
    // Not a copy of the tables.
    swap(&result, &known)
    result.arrays = arrays
    // Without differences, the next key entry is the next one that may have them.
    result.countSinceKey = differences.flatMap { $0.isKey ? 0 : result.countSinceKey.map { $0 + 1 } }
    if differences?.isKey != false { result.keyBlocks = [:] }
    for (_, block, place) in blocks {
      if let key = block.key { result.add(place, key) }
      if let position = block.keyPosition, let key = StoredBlocks.KeyBlock(block, place, result) {
        result.keyBlocks[position] = key
      }
      guard let version = block.version else { continue }
      let made = DerivedBlock(
        base: place.derived?.base ?? place.run, change: place.derived?.change ?? .overlays([]),
        rawByteCount: block.rawByteCount, level: version.level, hash: version.rawHash)
      result.add(StoredBlocks.Version(block: made, samples: version.samples), version.position)
    }
    return result
  }
}

extension ExtentTable {
  /// Writes the table after an archive's own bytes, and finally the header before them.
  func write(to sink: any ArchiveSink, archiveHash: UInt64) throws -> SharedHeader {
    let bytes = bytes
    guard let tableByteCount = UInt32(exactly: bytes.count) else {
      throw GCodableError(
        .limitExceeded, "the table of extents takes \(bytes.count) bytes, more than 2^32 - 1")
    }
    return try unsafe bytes.withUnsafeBytes { table in
      // An entry whose table no reader accepts would be lost.
      let read = try? unsafe ExtentTable(
        parsing: table, features, start: start, tableOffset: ownEnd, byteCount: byteCount)
      guard read == self else {
        throw GCodableError(.internalInconsistency, "the table of extents would not be read as it is")
      }
      try unsafe sink.write([table], at: ownEnd)
      let header = unsafe SharedHeader(
        tableByteCount: tableByteCount, storedByteCount: ownEnd + UInt64(tableByteCount) - start,
        archiveByteCount: byteCount, tableHash: gca_hash64_bytes(table.baseAddress, table.count),
        archiveHash: archiveHash, features: features)
      try unsafe header.bytes.withUnsafeBytes { try unsafe sink.write([$0], at: start) }
      return header
    }
  }
}
