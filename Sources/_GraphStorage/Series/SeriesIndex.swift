import _GraphFiles

/// Records with copies of earlier ones, so that a long list of entries takes few reads.
///
/// A file that ends with a record is listed backwards: the record before ends where the archive of this one begins, or is among
/// the copies. The hashes of the records make a chain up to the header, which shows that none is missing. If anything differs,
/// the file is scanned from its start, as if there were no copies.
struct SeriesIndex {
  /// The records since the last one with copies.
  private var recent: [[UInt8]] = []
  private var recentByteCount = 0
  /// Whether `recent` has all of them that copies may be of.
  private var isWhole: Bool
  /// How many there are, of which `recent` has the last ones.
  private var sinceCopies = 0

  /// - Parameter isWhole: whether nothing is lost before the next noted record.
  init(isWhole: Bool = true) { self.isWhole = isWhole }

  /// Notes a record at the end of the list.
  mutating func add(_ stored: SeriesRecord.Stored) {
    if stored.record.index.isEmpty {
      recent.append(stored.bytes)
    } else {
      (recent, isWhole) = ([], true)
    }
    recentByteCount = recent.reduce(0) { $0 + $1.count }
    while recent.count > Self.maximumCount || recentByteCount > Self.maximumByteCount {
      recentByteCount -= recent.removeFirst().count
    }
    sinceCopies = stored.record.index.isEmpty ? sinceCopies + 1 : 0
  }

  /// Whether a record's copies may be those of the records directly before it, as far as known.
  func mayHave(_ copies: [UInt8]) -> Bool {
    var left = copies[...]
    for record in recent.reversed() where !left.isEmpty {
      guard left.count >= record.count, left.suffix(record.count).elementsEqual(record) else { return false }
      left = left.dropLast(record.count)
    }
    return left.isEmpty || !isWhole
  }

  /// The copies that the next record gets; none for most.
  ///
  /// - Parameter room: how many bytes it has room for.
  func copies(room: () throws -> Int) rethrows -> [UInt8] {
    guard sinceCopies >= Self.maximumCount else { return [] }
    let room = try room()
    var (first, byteCount) = (recent.count, 0)
    while first > 0, byteCount + recent[first - 1].count <= room {
      first -= 1
      byteCount += recent[first].count
    }
    return Array(recent[first...].joined())
  }

  private static let maximumCount = 63
  private static let maximumByteCount = 1 << 18
}

extension SeriesScan {
  /// All records of a file, found from its end; nil where they do not lead to its header.
  ///
  /// - Parameter headerHash: what the first record has as the hash of the one before.
  func recordsFromEnd(headerHash: UInt64) throws -> [SeriesRecord.Stored]? {
    guard byteCount > UInt64(SeriesHeader.byteCount), var first = try record(endingAt: byteCount) else {
      return nil
    }
    var found = [first]
    while first.record.number > 0 {
      var before = Self.records(copiedIn: first.record)
      if before.isEmpty, let next = try record(endingAt: first.record.archiveOffset) { before = [next] }
      guard !before.isEmpty else { return nil }
      for next in before.reversed() {
        guard next.end == first.record.archiveOffset, next.hash == first.record.previousHash,
          next.record.number == first.record.number - 1
        else { return nil }
        found.append(next)
        first = next
      }
    }
    guard first.record.archiveOffset == UInt64(SeriesHeader.byteCount),
      first.record.previousHash == headerHash
    else { return nil }
    return found.reversed()
  }

  /// The records whose copies another one has; none where they are not all valid.
  private static func records(copiedIn record: SeriesRecord) -> [SeriesRecord.Stored] {
    var records: [SeriesRecord.Stored] = []
    unsafe record.index.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe rest.count >= SeriesRecord.minimumByteCount {
        let start = unsafe UnsafeRawBufferPointer(rebasing: rest)
        let offset = unsafe SeriesRecord.offset(in: start)
        guard let count = unsafe SeriesRecord.byteCount(startingWith: start, at: offset),
          unsafe count <= rest.count,
          let stored = unsafe SeriesRecord.parse(
            UnsafeRawBufferPointer(rebasing: start[..<count]), at: offset),
          // Copies that have copies themselves could make the list many times as large as the file.
          stored.record.index.isEmpty
        else { break }
        records.append(stored)
        unsafe rest = rest.dropFirst(count)
      }
      if unsafe !rest.isEmpty { records = [] }
    }
    return records
  }
}
