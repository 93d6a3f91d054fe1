import CGraphArchive
import GraphCodable

/// A segment, by its header in the contents.
struct PlainSegment {
  let kind: UInt8
  let codec: UInt8
  /// Of numbers, with codec 2; otherwise 0.
  let width: Int
  let format: UInt16
  let rawByteCount: Int
  let blockByteCount: Int
  let elementByteCount: Int
  /// A power of two.
  private let alignment: Int
  /// What compressed blocks need beyond this version; nil for nothing.
  private(set) var unknown: String?
  private let filters: [PlainFilter]
  private let blocks: [(stored: Int, hash: UInt64)]
  private let header: Bytes
  /// Where what stands in front of it ends, and where it begins.
  private(set) var front = 0
  private(set) var start = 0

  /// Blocks that are made of others, by their offsets.
  private var made: [Int: PlainMadeBlock] = [:]

  var blockCount: Int { blocks.count }

  init(_ input: inout PlainBytes) throws {
    let from = input.place
    let magic = Bytes(try input.take(4))
    (kind, codec, format) = (try input.byte(), try input.byte(), try input.number(UInt16.self))
    let raw = try input.number(UInt64.self)
    let (perBlock, perElement) = (try input.number(UInt32.self), try input.number(UInt32.self))
    let (blockCount, filterCount) = (try input.number(UInt32.self), try input.byte())
    let (exponent, flags) = (try input.byte(), try input.number(UInt16.self))
    let (parameter, _) = (try input.number(UInt32.self), try input.number(UInt32.self))
    try input.check(magic == Bytes("GSEG".utf8) && kind <= 2, "S1")
    try input.check(
      perElement > 0 && perBlock > 0 && perBlock <= 1 << 22 && perBlock % perElement == 0 && raw > 0
        && raw <= 1 << 56 && raw % UInt64(perElement) == 0 && (kind == 2 || perElement == 1), "S2")
    let isKnown = PlainFormat(UInt64(format)).map { $0.byteCount == Int(perElement) } ?? false
    try input.check(format == 0 || (kind == 2 && isKnown), "S3")
    try input.check(filterCount <= 4 && exponent <= 20, "S4")
    try input.check(UInt64(blockCount) == (raw - 1) / UInt64(perBlock) + 1, "S5")
    (rawByteCount, blockByteCount, elementByteCount) = (Int(raw), Int(perBlock), Int(perElement))
    alignment = 1 << Int(exponent)
    width = codec == 2 ? Int(parameter) : 0
    if codec > 2 {
      unknown = "codec"
    } else if codec == 2 ? ![1, 2, 4, 8].contains(parameter) : parameter != 0 {
      unknown = "parameter"
    }
    if flags & 0xFF != 0 { unknown = "flags" }
    var filters: [PlainFilter] = []
    for index in 0..<Int(filterCount) {
      let filter = PlainFilter(
        number: try input.byte(), width: try input.byte(), reserved: try input.number(UInt16.self),
        parameter: try input.number(UInt32.self), argument: try input.number(UInt64.self))
      try input.check(filter.number > 0, "S4")
      if filter.isKnown {
        try input.check(filter.isValid && (codec != 0 || filter.number == 5), "S4")
        try input.check(filter.number < 4 || index == 0, "S4")
      } else {
        unknown = "filter"
      }
      filters.append(filter)
    }
    self.filters = filters
    var blocks: [(Int, UInt64)] = []
    for index in 0..<Int(blockCount) {
      let stored = Int(try input.number(UInt32.self))
      let raw = min(blockByteCount, rawByteCount - index * blockByteCount)
      try input.check(
        stored > 0 && stored <= raw && (codec != 0 || stored == raw)
          && (!(1...2).contains(codec) || raw <= 255 * stored),
        "S6")
      blocks.append((stored, try input.number(UInt64.self)))
    }
    self.blocks = blocks
    let hashed = Bytes(input.bytes[from..<input.place])
    try input.check(input.number(UInt64.self) == hashNumber(hashed), "S7")
    header = Bytes(input.bytes[from..<input.place])
  }

  private func aligned(_ place: Int) -> Int { (place + alignment - 1) / alignment * alignment }

  private var blocksStart: Int { aligned(start + header.count) }

  /// Where it ends, behind what ends at a place.
  mutating func place(behind end: Int) -> Int {
    (front, start) = (end, aligned(end))
    return blocks.reduce(blocksStart) { $0 + $1.stored }
  }

  /// Its bytes in the archive.
  var byteCount: Int { blocks.reduce(aligned(header.count)) { $0 + $1.stored } }

  /// Checks that it stands where the contents say, with its padding.
  func checkPlace(in archive: Bytes) throws {
    guard archive[front..<start].allSatisfy({ $0 == 0 }), archive[start...].starts(with: header),
      archive[(start + header.count)..<blocksStart].allSatisfy({ $0 == 0 })
    else { throw Refusal(rule: "S10", place: start) }
  }

  /// Takes those of some blocks that are its own.
  mutating func take(_ others: inout [Int: PlainMadeBlock]) {
    var (place, left) = (blocksStart, rawByteCount)
    for block in blocks {
      let raw = min(blockByteCount, left)
      if let other = others[place], (other.byteCount, other.rawByteCount) == (block.stored, raw) {
        made[place] = others.removeValue(forKey: place)
      }
      (place, left) = (place + block.stored, left - raw)
    }
  }

  /// The bytes before compression.
  func expanded(_ archive: Bytes) throws -> Bytes {
    var (result, place) = (Bytes(), blocksStart)
    for block in blocks {
      if made[place] != nil {
        place += block.stored
        continue
      }
      guard hashNumber(Bytes(archive[place..<(place + block.stored)])) == block.hash else {
        throw Refusal(rule: "S11", place: place)
      }
      place += block.stored
    }
    place = blocksStart
    for block in blocks {
      let stored = Bytes(archive[place..<(place + block.stored)])
      let raw = min(blockByteCount, rawByteCount - result.count)
      if let made = made[place] {
        if let unknown, raw != stored.count { throw Unknown(what: unknown) }
        result += try made.values(raw == stored.count ? [] : filters, at: place)
      } else {
        result += raw == stored.count ? stored : try expanded(stored, raw, place)
      }
      place += stored.count
    }
    return result
  }

  private func expanded(_ stored: Bytes, _ rawByteCount: Int, _ place: Int) throws -> Bytes {
    if let unknown { throw Unknown(what: unknown) }
    var (raw, memory) = (Bytes(repeating: 0, count: rawByteCount), gca_numbers_memory())
    defer { gca_numbers_forget(&memory) }
    let status = raw.withUnsafeMutableBufferPointer { raw in
      stored.withUnsafeBufferPointer { stored in
        width > 0
          ? gca_numbers_expand(
            raw.baseAddress, raw.count, stored.baseAddress, stored.count, width, &memory)
          : gca_block_expand(raw.baseAddress, raw.count, stored.baseAddress, stored.count, GCA_CODEC_LZ4)
      }
    }
    guard status == GCA_OK else { throw Refusal(rule: "S12", place: place) }
    return filters.reversed().reduce(raw) { $1.undone($0) }
  }
}

/// What version 1 has no meaning for.
struct Unknown: Error { let what: String }

/// Undoes a byte shuffle.
func unshuffled(_ bytes: Bytes, _ groupByteCount: Int) -> Bytes {
  let groupCount = bytes.count / groupByteCount
  var result = bytes
  for group in 0..<groupCount {
    for byte in 0..<groupByteCount {
      result[group * groupByteCount + byte] = bytes[byte * groupCount + group]
    }
  }
  return result
}
