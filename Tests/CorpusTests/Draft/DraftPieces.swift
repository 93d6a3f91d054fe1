import CGraphArchive
import GraphCodable

/// How an archive of a draft is stored in pieces.
struct DraftPieces {
  /// Where bytes of the archive are: in the file in front of it, or stored with it for nil.
  var extents: [(byteCount: Int, from: Int?)]
  /// The blocks of the archive before filters and compression.
  var blocks: [Bytes] = []
  /// Extents that are blocks which are made of others, by their numbers.
  var overlaid: [Int: Overlaid] = [:]
  /// Extents that are blocks whose numbers are differences to those of others, by their numbers.
  var differences: [Int: Differences] = [:]
  var version: UInt16 = 1
  /// Whether the features do not mention the kinds of extents.
  var hidesKinds = false
  var features: UInt16 = 0
  /// What stands between bytes that are stored with the archive.
  var gap: UInt8 = 0
  /// Changes the table before it is hashed.
  var changeTable: (inout Bytes) -> Void = { _ in }
  /// Changes the header before it is hashed.
  var changeHeader: (inout Bytes) -> Void = { _ in }
  /// Changes what is stored after everything has been hashed.
  var changeStored: (inout Bytes) -> Void = { _ in }

  init(
    _ extents: [(byteCount: Int, from: Int?)], blocks: [Bytes] = [], _ change: (inout Self) -> Void = { _ in }
  ) {
    (self.extents, self.blocks) = (extents, blocks)
    change(&self)
  }

  /// A block that is another one with some bytes replaced.
  struct Overlaid {
    var rawByteCount: UInt64
    var level: UInt8 = 255
    var rawHash: Bytes
    var base: Run
    var overlays: [Run] = []

    /// Of a block before LZ4.
    init(_ raw: Bytes, _ base: Run, _ overlays: [Run]) {
      (rawByteCount, rawHash) = (UInt64(raw.count), Bytes(hash128(raw).prefix(8)))
      (self.base, self.overlays) = (base, overlays)
    }

    fileprivate func append(to table: inout Bytes, _ own: inout Bytes, at start: Int) {
      table += [2] + varint(rawByteCount) + [level] + rawHash + varint(UInt64(overlays.count))
      for run in [base] + overlays { run.append(to: &table, &own, at: start) }
    }
  }

  /// A block whose numbers are differences to those of another one, none of them quantised.
  struct Differences {
    var rawByteCount: UInt64
    var level: UInt8 = 255
    var hash: Bytes
    /// nil for those of the extent of differences before.
    var width: UInt8?
    var filters: [PlainFilter] = []
    var baseFilters: [PlainFilter] = []
    var differenceFilters: [PlainFilter] = []
    var base: Run
    var changes: Run

    init(
      _ raw: Bytes, to other: Bytes, at base: Run, width: UInt8, _ differenceFilters: [PlainFilter],
      repeats: Bool = false
    ) {
      (rawByteCount, hash, self.base) = (UInt64(raw.count), Bytes(hash128(raw).prefix(8)), base)
      self.width = repeats ? nil : width
      self.differenceFilters = differenceFilters
      let differences = PlainFilter.differences(of: raw, to: other, width: width)
      changes = .own(LZ4.compressed(differenceFilters.reduce(differences) { $1.applied($0) }))
    }

    fileprivate func append(to table: inout Bytes, _ own: inout Bytes, at start: Int) {
      table += [3] + varint(rawByteCount) + [level] + hash + [width ?? 0]
      for list in width == nil ? [] : [filters, baseFilters, differenceFilters] {
        table += [UInt8(list.count)] + joined(list.map(\.bytes))
      }
      for run in [base, changes] { run.append(to: &table, &own, at: start) }
    }
  }

  /// Bytes of the file that a block is made of.
  enum Run {
    case own(Bytes)
    case shared(byteCount: Int, from: Int)

    fileprivate func append(to table: inout Bytes, _ own: inout Bytes, at start: Int) {
      switch self {
      case .own(let bytes):
        table += varint(UInt64(bytes.count)) + varint(0)
        own += bytes
      case .shared(let byteCount, let from):
        table += varint(UInt64(byteCount)) + varint(UInt64(bitPattern: Int64(start - from)))
      }
    }
  }

  /// What a file has of an archive, from a place on.
  func stored(_ archive: Bytes, at start: Int) -> Bytes {
    var (own, table, place): (Bytes, Bytes, Int) = ([], varint(UInt64(extents.count)), 0)
    for (number, extent) in extents.enumerated() {
      table += varint(UInt64(extent.byteCount))
      if let overlaid = overlaid[number] {
        overlaid.append(to: &table, &own, at: start)
      } else if let differences = differences[number] {
        differences.append(to: &table, &own, at: start)
      } else if let from = extent.from {
        table += [1] + varint(UInt64(bitPattern: Int64(start - from)))
      } else {
        table += [0]
        while own.count % 64 != place % 64 { own.append(gap) }
        own += archive[min(place, archive.count)..<min(place + extent.byteCount, archive.count)]
      }
      place += extent.byteCount
    }
    table += varint(UInt64(blocks.count)) + joined(blocks.map(hash128))
    changeTable(&table)
    let kinds: UInt16 =
      hidesKinds ? 0 : (overlaid.isEmpty ? 0 : 1 << 3) | (differences.isEmpty ? 0 : 1 << 4)
    var header = join(
      Bytes("gcshared".utf8), little(version), little(features | kinds), little(UInt32(table.count)),
      little(UInt64(64 + own.count + table.count)), little(UInt64(archive.count)), hash(table),
      Bytes(archive[32..<40]), Bytes(repeating: 0, count: 8))
    changeHeader(&header)
    var stored = join(header, hash(header), own, table)
    changeStored(&stored)
    return stored
  }
}

/// XXH3-128 of bytes, low half first.
func hash128(_ bytes: Bytes) -> Bytes {
  let hash = bytes.withUnsafeBytes { gca_hash128_bytes($0.baseAddress, $0.count) }
  return little(hash.low) + little(hash.high)
}
