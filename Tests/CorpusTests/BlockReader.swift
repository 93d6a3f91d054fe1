import CGraphArchive

/// Reads one block of an archive by three reads, without knowing the rest of the format.
struct BlockReader {
  /// Some bytes of the archive.
  let read: (_ offset: Int, _ count: Int) -> [UInt8]

  /// A block of the bulk segment with a number, as it was before compression; nil if it is damaged or not there.
  func block(_ wanted: Int, ofBulkSegment bulk: Int) -> [UInt8]? {
    let header = read(0, 40)
    let (contentsCount, count) = (number(header, 12, 4), number(header, 16, 8))
    let contents = read(count - contentsCount, contentsCount)
    guard contents[0] & 1 == 1 else { return nil }
    var (place, end, bulkLeft) = (1 + contents[1].trailingZeroBitCount + 1, 40, bulk)
    for _ in 0..<(number(contents, 1, place - 1) >> (place - 1)) {
      let (raw, perBlock) = (number(contents, place + 8, 8), number(contents, place + 16, 4))
      let (blocks, filters) = (number(contents, place + 24, 4), number(contents, place + 28, 1))
      let (entries, unit) = (place + 40 + 16 * filters, 1 << number(contents, place + 29, 1))
      var offset = aligned(aligned(end, unit) + entries - place + 12 * blocks + 8, unit)
      for block in 0..<blocks {
        let stored = number(contents, entries + 12 * block, 4)
        if contents[place + 4] == 2, bulkLeft == 0, block == wanted {
          let bytes = read(offset, stored)
          let hash = UInt64(truncatingIfNeeded: number(contents, entries + 12 * block + 4, 8))
          guard gca_hash64_bytes(bytes, stored) == hash else { return nil }
          let list = (0..<filters).map { filter(contents, place + 40 + 16 * $0) }
          return expand(bytes, min(perBlock, raw - block * perBlock), list, number(contents, place + 32, 4))
        }
        offset += stored
      }
      if contents[place + 4] == 2 { bulkLeft -= 1 }
      (end, place) = (offset, entries + 12 * blocks + 8)
    }
    return nil
  }

  private func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func filter(_ bytes: [UInt8], _ place: Int) -> PlainFilter {
    let argument = bytes[(place + 8)..<(place + 16)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return PlainFilter(
      number: bytes[place], width: bytes[place + 1], parameter: UInt32(number(bytes, place + 4, 4)),
      argument: argument)
  }

  private func aligned(_ offset: Int, _ unit: Int) -> Int { (offset + unit - 1) / unit * unit }

  private func expand(_ stored: [UInt8], _ count: Int, _ list: [PlainFilter], _ width: Int) -> [UInt8]? {
    if stored.count == count { return stored }
    var (bytes, memory) = ([UInt8](repeating: 0, count: count), gca_numbers_memory())
    defer { gca_numbers_forget(&memory) }
    let status =
      width > 0
      ? gca_numbers_expand(&bytes, count, stored, stored.count, width, &memory)
      : gca_block_expand(&bytes, count, stored, stored.count, GCA_CODEC_LZ4)
    return status != GCA_OK ? nil : list.reversed().reduce(bytes) { $1.undone($0) }
  }
}
