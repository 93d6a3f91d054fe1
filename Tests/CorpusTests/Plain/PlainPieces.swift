import CGraphArchive
import GraphCodable

/// An archive of a series that is stored in pieces, put together by Documentation/Format.md alone.
struct PlainPieces {
  private let bytes: Bytes
  /// Where its header stands.
  private let start: Int
  let storedByteCount: Int

  /// nil where no header of one stands.
  init?(_ bytes: Bytes, at start: Int) {
    guard start + 64 <= bytes.count, bytes[start...].starts(with: "gcshared".utf8),
      hash(Bytes(bytes[start..<(start + 56)])) == Bytes(bytes[(start + 56)..<(start + 64)])
    else { return nil }
    var input = PlainBytes(bytes, from: start + 16, rule: "X1")
    guard let count = (try? input.number(UInt64.self)).flatMap({ Int(exactly: $0) }) else { return nil }
    (self.bytes, self.start, storedByteCount) = (bytes, start, count)
  }

  /// - Throws: `Refusal`.
  func archive(_ archiveByteCount: UInt64) throws -> PlainArchive {
    var header = PlainBytes(bytes, from: start + 8, to: start + 56, rule: "X1")
    let (version, features) = (try header.number(UInt16.self), try header.number(UInt16.self))
    try header.check(version == 2 && features & 0xFF == 0, "X1")
    let tableByteCount = try header.number(UInt32.self)
    _ = try header.number(UInt64.self)
    let wholeByteCount = try header.number(UInt64.self)
    let (tableHash, archiveHash) = (try header.number(UInt64.self), Bytes(try header.take(8)))
    try header.check(header.take(8).allSatisfy { $0 == 0 }, "X1")
    try header.check(
      tableByteCount > 0 && 64 + UInt64(tableByteCount) <= UInt64(storedByteCount) && wholeByteCount > 40,
      "X1")
    try header.check(wholeByteCount == archiveByteCount, "R3")
    let end = start + storedByteCount
    let tableStart = end - Int(tableByteCount)
    guard hashNumber(Bytes(bytes[tableStart..<end])) == tableHash else {
      throw Refusal(rule: "X2", place: tableStart)
    }
    var table = PlainBytes(bytes, from: tableStart, to: end, rule: "X3")
    let (whole, gaps) = try pieces(&table, UInt64(tableStart), wholeByteCount)
    let blockCount = try table.count(atLeast: 16)
    _ = try table.take(UInt64(blockCount) * 16)
    try table.check(table.left == 0, "X3")
    guard whole.count >= 40, Bytes(whole[32..<40]) == archiveHash else {
      throw Refusal(rule: "X6", place: start)
    }
    let archive = try PlainArchive(whole)
    guard archive.contents.segments.reduce(0, { $0 + $1.blockCount }) == blockCount else {
      throw Refusal(rule: "X7", place: tableStart)
    }
    for gap in gaps where bytes[gap].contains(where: { $0 != 0 }) {
      throw Refusal(rule: "R2", place: gap.lowerBound)
    }
    return archive
  }

  /// The bytes of the archive, and what stands between those of its own.
  private func pieces(
    _ table: inout PlainBytes, _ tableStart: UInt64, _ wholeByteCount: UInt64
  ) throws -> (Bytes, [Range<Int>]) {
    var (whole, gaps, used): (Bytes, [Range<Int>], [Range<UInt64>]) = ([], [], [])
    var own = UInt64(start + 64)
    for _ in 0..<(try table.count(atLeast: 2)) {
      let count = try table.varint()
      try table.check(count > 0 && count <= wholeByteCount - UInt64(whole.count), "X3")
      let kind = try table.byte()
      try table.check(kind <= 2, "X3")
      guard kind < 2 else {
        whole += try overlaid(Int(count), &table, tableStart, &own, &used)
        continue
      }
      var place = own
      if kind == 0 {
        while place % 64 != UInt64(whole.count) % 64 { place += 1 }
        try table.check(place <= tableStart && count <= tableStart - place, "X3")
        gaps.append(Int(own)..<Int(place))
        own = place + count
      } else {
        let distance = try table.varint()
        try table.check(distance <= UInt64(start) - 64 && count <= distance, "X4")
        place = UInt64(start) - distance
      }
      used.append(place..<(place + count))
      whole += bytes[Int(place)..<Int(place + count)]
    }
    try table.check(UInt64(whole.count) == wholeByteCount && own == tableStart, "X3")
    used.sort { $0.lowerBound < $1.lowerBound }
    for (first, second) in zip(used, used.dropFirst()) where first.upperBound > second.lowerBound {
      throw Refusal(rule: "X5", place: Int(second.lowerBound))
    }
    return (whole, gaps)
  }

  /// The bytes of a block that is another one with some bytes replaced.
  private func overlaid(
    _ byteCount: Int, _ table: inout PlainBytes, _ tableStart: UInt64, _ own: inout UInt64,
    _ used: inout [Range<UInt64>]
  ) throws -> Bytes {
    let (rawByteCount, level, rawHash) = (try table.varint(), try table.byte(), Bytes(try table.take(8)))
    let count = try table.count(atLeast: 2)
    var runs: [Bytes] = []
    for _ in 0...count {
      let (runByteCount, distance) = (try table.varint(), try table.varint())
      try table.check(runByteCount > 0, "X3")
      var place = own
      if distance == 0 {
        try table.check(own <= tableStart && runByteCount <= tableStart - own, "X3")
        own += runByteCount
      } else {
        try table.check(distance <= UInt64(start) - 64 && runByteCount <= distance, "X4")
        place = UInt64(start) - distance
      }
      used.append(place..<(place + runByteCount))
      runs.append(Bytes(bytes[Int(place)..<Int(place + runByteCount)]))
    }
    let isStored = level == 255
    try table.check(count <= 32 && (1...(1 << 20)).contains(rawByteCount) && (isStored || level <= 12), "X3")
    try table.check(isStored ? byteCount == rawByteCount : byteCount < rawByteCount, "X3")
    try table.check(runs[0].count <= rawByteCount && rawByteCount <= runs[0].count * 255, "X3")
    var raw = try expanded(runs[0], Int(rawByteCount))
    for run in runs.dropFirst() { try lay(run, over: &raw) }
    guard Bytes(hash128(raw).prefix(8)) == rawHash else { throw table.refuse("X8") }
    return isStored ? raw : compressed(raw, level)
  }

  private func lay(_ overlay: Bytes, over raw: inout Bytes) throws {
    var (input, place) = (PlainBytes(overlay, rule: "X8"), 0)
    while input.left > 0 {
      let (kept, replaced) = (try input.varint(), try input.varint())
      let left = UInt64(raw.count - place)
      try input.check(kept <= left && replaced <= left - kept, "X8")
      place += Int(kept)
      raw.replaceSubrange(place..<(place + Int(replaced)), with: try input.take(replaced))
      place += Int(replaced)
    }
  }

  private func expanded(_ stored: Bytes, _ rawByteCount: Int) throws -> Bytes {
    guard stored.count < rawByteCount else { return stored }
    var raw = Bytes(repeating: 0, count: rawByteCount)
    let status = raw.withUnsafeMutableBufferPointer { raw in
      stored.withUnsafeBufferPointer {
        gca_block_expand(raw.baseAddress, raw.count, $0.baseAddress, $0.count, GCA_CODEC_LZ4)
      }
    }
    guard status == GCA_OK else { throw Refusal(rule: "X8", place: start) }
    return raw
  }

  private func compressed(_ raw: Bytes, _ level: UInt8) -> Bytes {
    var (stored, count) = (Bytes(repeating: 0, count: raw.count), 0)
    _ = stored.withUnsafeMutableBufferPointer { stored in
      raw.withUnsafeBufferPointer {
        gca_block_compress(stored.baseAddress, stored.count, $0.baseAddress, $0.count, Int32(level), &count)
      }
    }
    return Bytes(stored.prefix(count))
  }
}
