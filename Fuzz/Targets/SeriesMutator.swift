import GraphCodable
import CGraphArchive

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Changes the archives and the records of a series, and makes offsets and checksums right again.
public struct SeriesMutator {
  private var state: UInt64
  private let maximumCount: Int
  private let mutate: ArchiveMutator.Mutation

  /// - Parameter mutate: how bytes are changed that have no checksums.
  public init(seed: UInt64, maximumCount: Int, mutate: @escaping ArchiveMutator.Mutation) {
    state = seed &+ 0x9E37_79B9_7F4A_7C15
    self.maximumCount = maximumCount
    self.mutate = mutate
  }

  private struct Entry {
    var archive: Bytes
    var record: SeriesRecord
  }

  /// Another series; nil for bytes without a record.
  public mutating func next(_ bytes: Bytes) -> Bytes? {
    var entries = Self.entries(of: bytes)
    guard !entries.isEmpty else { return nil }
    let chosen = below(entries.count)
    switch below(7) {
    case 0: entries.swapAt(chosen, below(entries.count))
    case 1: entries.append(entries[chosen])
    case 2: entries.remove(at: chosen)
    case 3:
      var mutator = ArchiveMutator(seed: next(), maximumCount: maximumCount, mutate: mutate)
      guard let archive = mutator.next(entries[chosen].archive) else { return nil }
      entries[chosen].archive = archive
    case 4:
      guard let stored = tableChanged(entries[chosen].archive) else { return nil }
      entries[chosen].archive = stored
    case 5:
      var metadata = entries[chosen].record.metadata.dictionary
      var text = Bytes((metadata["a"] ?? "").utf8)
      mutate(&text, text.count + 100)
      metadata[String(below(3))] = String(decoding: text, as: UTF8.self)
      entries[chosen].record.metadata = Metadata(metadata)
    default: break
    }
    let series = series(of: entries, changing: below(3) == 0 ? below(max(entries.count, 1)) : nil)
    return series.flatMap { $0.count <= maximumCount ? $0 : nil }
  }

  private static func entries(of bytes: Bytes) -> [Entry] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: SeriesRecord.alignment).compactMap { place in
        let start = UnsafeRawBufferPointer(rebasing: bytes[place...])
        guard let count = SeriesRecord.byteCount(startingWith: start, at: UInt64(place)),
          count <= start.count,
          let record = SeriesRecord.parse(.init(rebasing: start[..<count]), at: UInt64(place))?.record,
          record.archiveOffset <= UInt64(place),
          record.storedByteCount <= UInt64(place) - record.archiveOffset
        else { return nil }
        let (offset, byteCount) = (Int(record.archiveOffset), Int(record.storedByteCount))
        return Entry(archive: Bytes(bytes[offset..<(offset + byteCount)]), record: record)
      }
    }
  }

  /// Changes the table of an archive that is stored in pieces, or the sizes in its header; nil for another one.
  private mutating func tableChanged(_ stored: Bytes) -> Bytes? {
    guard var header = try? SharedHeader(parsing: stored), header.storedByteCount == stored.count else {
      return nil
    }
    var table = Bytes(stored.suffix(Int(header.tableByteCount)))
    let own = stored.dropLast(table.count)
    if below(4) > 0 { mutate(&table, table.count + 20) }
    header.tableByteCount = UInt32(table.count)
    header.storedByteCount = UInt64(own.count + table.count)
    header.tableHash = table.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
    let values: [UInt64] = [0, 1, 41, .max, header.storedByteCount, header.archiveByteCount &+ 1, 1 << 40]
    switch below(8) {
    case 0: header.archiveByteCount = values[below(values.count)]
    case 1: header.archiveHash = values[below(values.count)]
    case 2: header.tableByteCount = UInt32(truncatingIfNeeded: values[below(values.count)])
    default: break
    }
    return header.bytes + own.dropFirst(SharedHeader.byteCount) + table
  }

  /// - Parameter chosen: the entry whose record says something that is not so.
  private mutating func series(of entries: [Entry], changing chosen: Int?) -> Bytes? {
    var bytes = SeriesHeader.bytes
    var lastHash = SeriesHeader.hash
    func pad() { bytes += Bytes(repeating: 0, count: (64 - bytes.count % 64) % 64) }
    for (number, entry) in entries.enumerated() {
      var record = entry.record
      record.archiveOffset = UInt64(bytes.count)
      record.storedByteCount = UInt64(entry.archive.count)
      bytes += entry.archive
      pad()
      (record.offset, record.number, record.previousHash) = (UInt64(bytes.count), number, lastHash)
      let header = entry.archive.withUnsafeBytes { try? ArchiveHeader(parsing: $0, archiveByteCount: nil) }
      if let header { (record.archiveHash, record.archiveByteCount) = (header.hash, header.byteCount) }
      if let header = try? SharedHeader(parsing: entry.archive) {
        (record.archiveHash, record.archiveByteCount) = (header.hash, header.archiveByteCount)
      }
      if number == chosen { change(&record) }
      guard let stored = try? record.bytes() else { return nil }
      bytes += stored
      lastHash = stored.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    return bytes
  }

  private mutating func change(_ record: inout SeriesRecord) {
    let values: [UInt64] = [
      0, 1, 64, .max, UInt64(Int64.max), record.offset, record.archiveByteCount, 1 << 40,
    ]
    let value = values[below(values.count)]
    switch below(10) {
    case 0: record.offset = value
    case 1: record.archiveOffset = value
    case 2: record.storedByteCount = value
    case 8: record.archiveByteCount = value
    case 3: record.archiveHash = value
    case 4: record.number = Int(truncatingIfNeeded: value & UInt64(Int64.max))
    case 5: record.previousHash = value
    case 6: record.step = Int(truncatingIfNeeded: value)
    case 7: record.index = Bytes(repeating: UInt8(truncatingIfNeeded: value), count: 64 * below(4))
    default: record.time = Double(bitPattern: value)
    }
  }

  private mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

  private mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
