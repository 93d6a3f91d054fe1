import GraphCodable

/// Where the bytes of an archive go; its properties are the keys in JSON.
struct StatisticsReport: Encodable {
  let file: String
  let entry: Int?
  let bytes: UInt64
  let overheadBytes: UInt64
  let classes: [Share]
  let keys: [Share]
  let arrays: [Share]

  struct Share: Encodable {
    let name: String
    let count: Int
    let bytes: UInt64
    let rawBytes: UInt64
    let streamBytes: UInt64

    init(_ share: GraphStatistics.Share) {
      (name, count, bytes) = (share.name, share.count, share.storedByteCount)
      (rawBytes, streamBytes) = (share.byteCount, share.streamByteCount)
    }
  }

  init(_ statistics: GraphStatistics, _ snapshot: Snapshot) {
    (file, entry) = (snapshot.file, snapshot.number)
    (bytes, overheadBytes) = (statistics.storedByteCount, statistics.overheadByteCount)
    classes = statistics.classes.map(Share.init)
    keys = statistics.keys.map(Share.init)
    arrays = statistics.arrays.map(Share.init)
  }
}

/// The same as text.
struct StatisticsText {
  let lines: [String]

  init(_ statistics: GraphStatistics, limit: Int) {
    var columns = Columns(.left, .right, .right, .right, .right, .right)
    for (title, shares) in [
      ("classes", statistics.classes), ("keys", statistics.keys), ("arrays", statistics.arrays),
    ] where !shares.isEmpty {
      columns.add(title, "number", "bytes", "", "before", "ratio")
      for share in shares.prefix(limit) {
        let part = 100 * Double(share.storedByteCount) / Double(max(statistics.storedByteCount, 1))
        columns.add(
          "  " + share.name, grouped(share.count), grouped(share.storedByteCount),
          decimal(part, digits: 1) + " %", grouped(share.byteCount), decimal(share.ratio, digits: 2))
      }
      if shares.count > limit { columns.add("  … \(grouped(shares.count - limit)) more", "", "", "", "", "") }
    }
    lines =
      columns.lines + [
        "header, tables, index and padding: \(count(statistics.overheadByteCount, "byte", "bytes")) of \(grouped(statistics.storedByteCount))"
      ]
  }
}
