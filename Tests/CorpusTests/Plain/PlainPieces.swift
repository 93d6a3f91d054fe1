import CGraphArchive
import GraphCodable

/// An archive of a series that is stored in pieces, put together by Documentation/Format.md alone.
struct PlainPieces {
  private let bytes: Bytes
  /// Where its header stands.
  private let start: Int
  let storedByteCount: Int

  /// nil if there is no header of one.
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
    try header.check(version == 1 && features & 0xE7 == 0, "X1")
    let tableByteCount = try header.number(UInt32.self)
    _ = try header.number(UInt64.self)
    let wholeByteCount = try header.number(UInt64.self)
    let (tableHash, archiveHash) = (try header.number(UInt64.self), Bytes(try header.take(8)))
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
    let (whole, gaps, made) = try pieces(&table, features, UInt64(tableStart), wholeByteCount)
    let blockCount = try table.count(atLeast: 16)
    _ = try table.take(UInt64(blockCount) * 16)
    try table.check(table.left == 0, "X3")
    guard whole.count >= 40, Bytes(whole[32..<40]) == archiveHash else {
      throw Refusal(rule: "X6", place: start)
    }
    let archive = try PlainArchive(whole, made: made)
    guard archive.contents.segments.reduce(0, { $0 + $1.blockCount }) == blockCount else {
      throw Refusal(rule: "X7", place: tableStart)
    }
    for gap in gaps where bytes[gap].contains(where: { $0 != 0 }) {
      throw Refusal(rule: "R2", place: gap.lowerBound)
    }
    return archive
  }

  /// The bytes of the archive, what stands between those of its own, and blocks that are made of others.
  private func pieces(
    _ table: inout PlainBytes, _ features: UInt16, _ tableStart: UInt64, _ wholeByteCount: UInt64
  ) throws -> (Bytes, [Range<Int>], [Int: PlainMadeBlock]) {
    var (whole, gaps, used): (Bytes, [Range<Int>], [Range<UInt64>]) = ([], [], [])
    var made: [Int: PlainMadeBlock] = [:]
    var own = UInt64(start + 64)
    var recipe: Recipe?
    for _ in 0..<(try table.count(atLeast: 2)) {
      let count = try table.varint()
      try table.check(count > 0 && count <= wholeByteCount - UInt64(whole.count), "X3")
      let kind = try table.byte()
      try table.check(kind <= 3 && (kind < 2 || features >> (kind + 1) & 1 == 1), "X3")
      guard kind < 2 else {
        made[whole.count] =
          try kind == 2
          ? overlaid(Int(count), &table, tableStart, &own, &used)
          : differences(Int(count), &table, tableStart, &own, &used, &recipe)
        // Nobody has these bytes.
        whole += Bytes(repeating: 0, count: Int(count))
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
    return (whole, gaps, made)
  }

  /// A block that is another one with some bytes replaced.
  private func overlaid(
    _ byteCount: Int, _ table: inout PlainBytes, _ tableStart: UInt64, _ own: inout UInt64,
    _ used: inout [Range<UInt64>]
  ) throws -> PlainMadeBlock {
    let (rawByteCount, level, rawHash) = (try table.varint(), try table.byte(), Bytes(try table.take(8)))
    let count = try table.count(atLeast: 2)
    let runs = try (0...count).map { _ in try run(&table, tableStart, &own, &used) }
    let isStored = level == 255
    try table.check(count <= 32 && (1...(1 << 22)).contains(rawByteCount) && (isStored || level <= 12), "X3")
    try table.check(isStored ? byteCount == rawByteCount : byteCount < rawByteCount, "X3")
    try table.check(runs.allSatisfy { $0.count <= rawByteCount } && rawByteCount <= runs[0].count * 255, "X3")
    var raw = try expanded(runs[0], Int(rawByteCount))
    for run in runs.dropFirst() { try lay(run, over: &raw) }
    guard Bytes(hash128(raw).prefix(8)) == rawHash else { throw table.refuse("X8") }
    return PlainMadeBlock(byteCount: byteCount, raw: raw)
  }

  /// How blocks of differences are stored.
  private struct Recipe {
    let width: UInt8
    let filters, baseFilters, differenceFilters: [PlainFilter]
  }

  /// A block whose numbers are differences to those of another one.
  private func differences(
    _ byteCount: Int, _ table: inout PlainBytes, _ tableStart: UInt64, _ own: inout UInt64,
    _ used: inout [Range<UInt64>], _ recipe: inout Recipe?
  ) throws -> PlainMadeBlock {
    let (rawByteCount, level, hash) = (try table.varint(), try table.byte(), Bytes(try table.take(8)))
    let width = try table.byte()
    if width > 0 {
      try table.check([1, 2, 4, 8].contains(width), "X3")
      let lists = try (0..<3).map { _ in try filters(&table) }
      let quantised = lists.map { $0.first { $0.number == 4 }?.bytes }
      try table.check(quantised[0] == quantised[1] && quantised[2] == nil, "X3")
      recipe = Recipe(width: width, filters: lists[0], baseFilters: lists[1], differenceFilters: lists[2])
    }
    guard let recipe else { throw table.refuse("X3") }
    let base = try run(&table, tableStart, &own, &used)
    let changes = try run(&table, tableStart, &own, &used)
    let isStored = level == 255
    try table.check((1...(1 << 22)).contains(rawByteCount) && (isStored || level <= 12), "X3")
    try table.check(isStored ? byteCount == rawByteCount : byteCount < rawByteCount, "X3")
    try table.check(base.count <= rawByteCount && rawByteCount <= base.count * 255, "X3")
    try table.check(changes.count <= rawByteCount && rawByteCount <= changes.count * 255, "X3")
    try table.check(recipe.filters.isEmpty || !isStored, "X3")
    try table.check(recipe.baseFilters.isEmpty || base.count < rawByteCount, "X3")
    let raw = Int(rawByteCount)
    let numbers = PlainFilter.sum(
      of: undone(recipe.differenceFilters, try expanded(changes, raw, isCompressed: true)),
      and: undone(recipe.baseFilters.filter { $0.number != 4 }, try expanded(base, raw)), width: recipe.width)
    guard Bytes(hash128(numbers).prefix(8)) == hash else { throw table.refuse("X8") }
    return PlainMadeBlock(byteCount: byteCount, raw: numbers, filtersOfNumbers: recipe.filters)
  }

  private func undone(_ filters: [PlainFilter], _ bytes: Bytes) -> Bytes {
    filters.reversed().reduce(bytes) { $1.undone($0) }
  }

  private func filters(_ table: inout PlainBytes) throws -> [PlainFilter] {
    var filters: [PlainFilter] = []
    let count = try table.byte()
    try table.check(count <= 4, "X3")
    for index in 0..<count {
      let filter = PlainFilter(
        number: try table.byte(), width: try table.byte(), reserved: try table.number(UInt16.self),
        parameter: try table.number(UInt32.self), argument: try table.number(UInt64.self))
      try table.check(filter.isValid && filter.number != 5 && (filter.number != 4 || index == 0), "X3")
      filters.append(filter)
    }
    return filters
  }

  /// Bytes of the file that a block is made of.
  private func run(
    _ table: inout PlainBytes, _ tableStart: UInt64, _ own: inout UInt64, _ used: inout [Range<UInt64>]
  ) throws -> Bytes {
    let (byteCount, distance) = (try table.varint(), try table.varint())
    try table.check(byteCount > 0, "X3")
    var place = own
    if distance == 0 {
      try table.check(own <= tableStart && byteCount <= tableStart - own, "X3")
      own += byteCount
    } else {
      try table.check(distance <= UInt64(start) - 64 && byteCount <= distance, "X4")
      place = UInt64(start) - distance
    }
    used.append(place..<(place + byteCount))
    return Bytes(bytes[Int(place)..<Int(place + byteCount)])
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

  private func expanded(_ stored: Bytes, _ rawByteCount: Int, isCompressed: Bool = false) throws -> Bytes {
    guard isCompressed || stored.count < rawByteCount else { return stored }
    var raw = Bytes(repeating: 0, count: rawByteCount)
    let status = raw.withUnsafeMutableBufferPointer { raw in
      stored.withUnsafeBufferPointer {
        gca_block_expand(raw.baseAddress, raw.count, $0.baseAddress, $0.count, GCA_CODEC_LZ4)
      }
    }
    guard status == GCA_OK else { throw Refusal(rule: "X8", place: start) }
    return raw
  }
}

/// A block that is made of another one.
struct PlainMadeBlock {
  /// Bytes that the archive is said to have of it.
  let byteCount: Int
  /// The block before its filters are undone, or its numbers.
  let raw: Bytes
  /// The filters that numbers are meant for; nil for other bytes.
  var filtersOfNumbers: [PlainFilter]?

  var rawByteCount: Int { raw.count }

  /// What the array has.
  ///
  /// - Parameter filters: those of the segment; none for a block that the archive has as it is.
  func values(_ filters: [PlainFilter], at place: Int) throws -> Bytes {
    guard let filtersOfNumbers else { return filters.reversed().reduce(raw) { $1.undone($0) } }
    guard filters.filter({ $0.number != 5 }).map(\.bytes) == filtersOfNumbers.map(\.bytes) else {
      throw Refusal(rule: "X8", place: place)
    }
    return filtersOfNumbers.filter { $0.number == 4 }.reduce(raw) { $1.undone($0) }
  }
}
