import GraphCodable

/// A reader of series that knows Documentation/Format.md alone, and refuses whatever a reader that verifies does.
struct PlainSeries {
  private let bytes: Bytes
  private var entries: [JSON] = []
  private var lastNumber: UInt64?

  var json: JSON { .object([("entries", .list(entries))]) }

  /// - Throws: `Refusal`.
  init(_ bytes: Bytes) throws {
    self.bytes = bytes
    guard let headerHash = try header() else { return }
    var (end, last) = (64, headerHash)
    while let record = try nextRecord(behind: end, last) { (end, last) = record }
  }

  /// Checks the header.
  ///
  /// - Returns: its hash; nil for a series that was not begun.
  private func header() throws -> Bytes? {
    let isHashed = bytes.count >= 64 && hash(Bytes(bytes[..<56])) == Bytes(bytes[56..<64])
    if isHashed, bytes.starts(with: "gcseries".utf8) {
      guard bytes[8] == 1, bytes[9] == 0 else { throw Refusal(rule: "R1", place: 8) }
      guard bytes[10] == 0 else { throw Refusal(rule: "R1", place: 10) }
      return Bytes(bytes[56..<64])
    }
    let known = DraftSeries().bytes
    let isCut = bytes.count < 64 && bytes.prefix(8) == known.prefix(8).prefix(bytes.count)
    if isCut || (bytes.count <= 64 && bytes.allSatisfy { $0 == 0 }) { return nil }
    let isArchive = bytes.count >= 104 && storedByteCount(at: 64) != nil
    let isDamaged =
      bytes.count >= 64
      && (bytes.starts(with: "gcseries".utf8) || bytes[56..<64] == known[56..<64] || isArchive)
    throw Refusal(rule: isDamaged ? "R3" : "R4", place: 0)
  }

  /// How many bytes are stored of the archive whose header stands at a place; nil where there is none.
  private func storedByteCount(at place: Int) -> Int? {
    if let pieces = PlainPieces(bytes, at: place) { return pieces.storedByteCount }
    guard place + 40 <= bytes.count, bytes[place...].starts(with: "gcodable".utf8), bytes[place + 8] == 1,
      bytes[place + 9] == 0,
      hash(Bytes(bytes[place..<(place + 32)])) == Bytes(bytes[(place + 32)..<(place + 40)])
    else { return nil }
    var input = PlainBytes(bytes, from: place + 16, rule: "R3")
    return (try? input.number(UInt64.self)).flatMap { Int(exactly: $0) }
  }

  private mutating func nextRecord(behind end: Int, _ last: Bytes) throws -> (Int, Bytes)? {
    if let byteCount = storedByteCount(at: end) {
      let place = (end + byteCount + 63) / 64 * 64
      if place < bytes.count { return try entry(end, byteCount, place, last) }
    }
    // All records stand behind archives here, so one further on has damage in front of it.
    if let place = record(in: end) { throw Refusal(rule: "R3", place: min(end, place)) }
    return nil
  }

  /// Where something that begins as a record and has its hash stands behind a place.
  private func record(in end: Int) -> Int? {
    stride(from: end, to: bytes.count, by: 64).first { place in
      var input = PlainBytes(bytes, from: place, rule: "R3")
      guard bytes[place...].starts(with: "gcrecord".utf8), (try? input.take(8)) != nil,
        let count = try? input.number(UInt32.self), count >= 128, place + Int(count) <= bytes.count
      else { return false }
      let hashed = place + Int(count) - 8
      return hash(Bytes(bytes[place..<hashed])) == Bytes(bytes[hashed..<(hashed + 8)])
    }
  }

  private mutating func entry(
    _ start: Int, _ byteCount: Int, _ place: Int, _ last: Bytes
  ) throws -> (Int, Bytes)? {
    var input = PlainBytes(bytes, from: place, rule: "R3")
    try input.check(Bytes(input.take(8)) == Bytes("gcrecord".utf8), "R3")
    let recordByteCount = Int(try input.number(UInt32.self))
    try input.check(recordByteCount % 64 == 0 && (128...(1 << 20)).contains(recordByteCount), "R3")
    let end = place + recordByteCount
    try input.check(
      end <= bytes.count && hash(Bytes(bytes[place..<(end - 8)])) == Bytes(bytes[(end - 8)..<end]), "R3")
    let indexByteCount = Int(try input.number(UInt32.self))
    try input.check(indexByteCount % 64 == 0 && indexByteCount <= recordByteCount - 128, "R3")
    // The index is of copies, which nobody needs.
    input = PlainBytes(bytes, from: place + 16, to: end - 16 - indexByteCount, rule: "R3")
    try input.check(input.number(UInt64.self) == UInt64(place), "R3")
    try input.check(
      input.number(UInt64.self) == UInt64(start) && input.number(UInt64.self) == UInt64(byteCount), "R3")
    let pieces = PlainPieces(bytes, at: start)
    let hashEnd = start + (pieces == nil ? 40 : 64)
    try input.check(Bytes(input.take(8)) == Bytes(bytes[(hashEnd - 8)..<hashEnd]), "R3")
    let number = try input.number(UInt64.self)
    try input.check(number < UInt64(Int64.max) && lastNumber.map { $0 < number } ?? true, "R3")
    lastNumber = number
    try input.check(Bytes(input.take(8)) == last, "R3")
    let (step, time) = (try input.number(UInt64.self), try input.number(UInt64.self))
    let archiveByteCount = try input.number(UInt64.self)
    try input.check(pieces != nil || archiveByteCount == UInt64(byteCount), "R3")
    var metadata: [(String, String)] = []
    for _ in 0..<(try input.count(atLeast: 2)) {
      let key = try input.string("R3")
      let isBehind = metadata.last.map { Bytes($0.0.utf8).lexicographicallyPrecedes(key.utf8) } ?? true
      try input.check(isBehind, "R3")
      metadata.append((key, try input.string("R3")))
    }
    try input.check(input.take(UInt64(input.left)).allSatisfy { $0 == 0 }, "R3")
    input = PlainBytes(bytes, from: end - 16, rule: "R3")
    try input.check(input.number(UInt64.self) == UInt64(recordByteCount), "R3")
    let archive =
      try pieces?.archive(archiveByteCount) ?? PlainArchive(Bytes(bytes[start..<(start + byteCount)]))
    guard bytes[(start + byteCount)..<place].allSatisfy({ $0 == 0 }) else {
      throw Refusal(rule: "R2", place: start + byteCount)
    }
    entries.append(
      .object([
        ("number", .integer(number)), ("step", .integer(Int64(bitPattern: step))),
        ("time", PlainFloat.json(time, 8)), ("metadata", PlainContents.json(metadata)),
        ("offset", .number("\(start)")), ("byteCount", .number("\(archiveByteCount)")),
        ("archive", archive.json),
      ]))
    return (end, Bytes(bytes[(end - 8)..<end]))
  }
}
