import GraphCodable

/// Entries of an array in two blocks of 320 bytes, which are stored as they are.
enum SharedEntries {
  /// Where the first block begins in an archive: behind its header and that of the segment.
  static let blockOffset = 192
  /// Where it lies in the file, for the first entry.
  static let blockPlace = 64 + 64 + blockOffset

  private static func block(_ number: UInt8) -> Bytes {
    (0..<320).map { UInt8(truncatingIfNeeded: $0 * 7) ^ number }
  }

  private static func archive(_ blocks: [Bytes]) -> Bytes {
    Draft(join([Kind.packed], packedArray(format(5), count: 640, segment: 0))) {
      $0.segments = [.bulk(joined(blocks), format: format(5), elements: 1, .blocks(320))]
    }.bytes
  }

  /// An entry that stores all of its archive.
  static var first: DraftSeries.Entry { entry([block(0), block(1)]) { [($0, nil)] } }

  /// One whose first block is that of the first entry.
  static var second: DraftSeries.Entry {
    entry([block(0), block(2)]) { count in
      [(blockOffset, nil), (320, blockPlace), (count - blockOffset - 320, nil)]
    }
  }

  /// One whose blocks are those of the first entry and of the second.
  static var third: DraftSeries.Entry {
    entry([block(0), block(2)]) { count in
      let place = DraftSeries([first]).bytes.count + 64 + blockOffset
      return [(blockOffset, nil), (320, blockPlace), (320, place), (count - blockOffset - 640, nil)]
    }
  }

  /// One that shares a part of a block, so that zeros stand between its own bytes.
  static var part: DraftSeries.Entry {
    entry([block(0), block(2)]) { count in
      [(blockOffset, nil), (300, blockPlace), (count - blockOffset - 300, nil)]
    }
  }

  /// One whose first block is that of the first entry with other bytes.
  static var overlaid: DraftSeries.Entry {
    made(by: [.own(overlay(3, 1))], block(0).replacing(3, with: 1))
  }

  /// One with the same overlay, and another one.
  static var overlaidTwice: DraftSeries.Entry {
    made(
      by: [
        .shared(byteCount: 3, from: DraftSeries([first]).bytes.count + 64 + blockOffset),
        .own(overlay(319, 2)),
      ],
      block(0).replacing(3, with: 1).replacing(319, with: 2))
  }

  /// One whose blocks are a little larger everywhere than those of the first entry.
  static var moved: DraftSeries.Entry {
    let (first, second) = (block(0), block(1))
    func moved(_ block: Bytes) -> Bytes {
      Bytes(block.enumerated().map { $1 &+ ($0.isMultiple(of: 4) ? 3 : 0) })
    }
    var entry = entry([moved(first), moved(second)]) { count in
      [(blockOffset, nil), (320, nil), (320, nil), (count - blockOffset - 640, nil)]
    }
    func differences(_ block: Bytes, at place: Int, repeats: Bool) -> DraftPieces.Differences {
      .init(
        moved(block), to: block, at: .shared(byteCount: 320, from: place), width: 4,
        [.delta(4, lag: 1), .shuffle(4)], repeats: repeats)
    }
    entry.pieces?.differences = [
      1: differences(first, at: blockPlace, repeats: false),
      2: differences(second, at: blockPlace + 320, repeats: true),
    ]
    return entry
  }

  /// Two entries of an array in two LZ4 blocks, of which the second has one byte of each replaced, at several levels of LZ4.
  ///
  /// The stored sizes and hashes of the second are those of a compressor that nobody else has.
  static var overlaidAtLevels: [DraftSeries.Entry] {
    let blocks = (1...2).map { number in Bytes((0..<320).map { UInt8($0 / 20 * number) }) }
    let changed = [blocks[0].replacing(3, with: 9), blocks[1].replacing(319, with: 9)]
    func made(_ level: UInt8, _ index: Int, at place: Int) -> DraftPieces.Overlaid {
      let base = DraftPieces.Run.shared(byteCount: LZ4.compressed(blocks[index]).count, from: place)
      var made = DraftPieces.Overlaid(changed[index], base, [.own(overlay(index == 0 ? 3 : 319, 9))])
      made.level = level
      return made
    }
    let sizes = (blocks + changed).map { LZ4.compressed($0).count }
    return lz4(
      [blocks, changed], [],
      overlaid: { offset in
        [1: made(9, 0, at: 128 + offset), 2: made(0, 1, at: 128 + offset + sizes[0])]
      })
  }

  /// The same with differences of filtered numbers.
  ///
  /// - Parameter notes: filters of the segment that no list of an extent has.
  static func movedAtLevels(
    notes: [PlainFilter] = [], _ change: (inout DraftPieces.Differences) -> Void = { _ in }
  ) -> [DraftSeries.Entry] {
    let filters: [PlainFilter] = [.delta(4, lag: 1), .shuffle(4)]
    let blocks = (1...2).map { number in joined((0..<80).map { little(UInt32($0 * 50 * number)) }) }
    let moved = (1...2).map { number in joined((0..<80).map { little(UInt32($0 * 50 * number + $0 % 3)) }) }
    let sizes = blocks.map { block in LZ4.compressed(filters.reduce(block) { $1.applied($0) }).count }
    func made(_ level: UInt8, _ index: Int, at place: Int) -> DraftPieces.Differences {
      var made = DraftPieces.Differences(
        moved[index], to: blocks[index], at: .shared(byteCount: sizes[index], from: place), width: 4,
        [.shuffle(4)],
        repeats: index == 1)
      (made.level, made.filters, made.baseFilters) = (level, filters, filters)
      if index == 0 { change(&made) }
      return made
    }
    return lz4(
      [blocks, moved], notes + filters,
      differences: { offset in
        [1: made(12, 0, at: 128 + offset), 2: made(0, 1, at: 128 + offset + sizes[0])]
      })
  }

  /// Entries of an array in two blocks of 320 bytes that are compressed with LZ4, of which the blocks of the second are made.
  private static func lz4(
    _ blocks: [[Bytes]], _ filters: [PlainFilter],
    differences: (Int) -> [Int: DraftPieces.Differences] = { _ in [:] },
    overlaid: (Int) -> [Int: DraftPieces.Overlaid] = { _ in [:] }
  ) -> [DraftSeries.Entry] {
    // Behind the headers of the archive and the segment.
    let offset = 40 + 40 + 16 * filters.count + 2 * 12 + 8
    return blocks.enumerated().map { number, blocks in
      let archive = Draft(join([Kind.packed], packedArray(format(5), count: 640, segment: 0))) {
        $0.segments = [
          .bulk(
            joined(blocks), format: format(5), elements: 1,
            DraftSegment.Form(blockByteCount: 320, codec: 1, filters: filters))
        ]
      }.bytes
      let sizes = blocks.map { block in LZ4.compressed(filters.reduce(block) { $1.applied($0) }).count }
      var entry = DraftSeries.Entry(archive: archive, step: Int64(number))
      let rest = archive.count - offset - sizes[0] - sizes[1]
      entry.pieces = DraftPieces(
        number == 0
          ? [(archive.count, nil)] : [(offset, nil), (sizes[0], nil), (sizes[1], nil), (rest, nil)],
        blocks: blocks)
      if number == 1 {
        entry.pieces?.overlaid = overlaid(offset)
        entry.pieces?.differences = differences(offset)
      }
      return entry
    }
  }

  /// Replaces one byte.
  static func overlay(_ place: Int, _ byte: UInt8) -> Bytes { varint(UInt64(place)) + varint(1) + [byte] }

  private static func made(
    by overlays: [DraftPieces.Run], _ first: Bytes
  ) -> DraftSeries.Entry {
    var entry = entry([first, block(2)]) { count in
      [(blockOffset, nil), (320, nil), (count - blockOffset - 320, nil)]
    }
    entry.pieces?.overlaid = [1: .init(first, .shared(byteCount: 320, from: blockPlace), overlays)]
    return entry
  }

  private static func entry(
    _ blocks: [Bytes], _ extents: (Int) -> [(byteCount: Int, from: Int?)]
  ) -> DraftSeries.Entry {
    var entry = DraftSeries.Entry(archive: archive(blocks), step: 1)
    entry.pieces = DraftPieces(extents(entry.archive.count), blocks: blocks)
    return entry
  }
}

extension Bytes {
  fileprivate func replacing(_ place: Int, with byte: UInt8) -> Bytes {
    var bytes = self
    bytes[place] = byte
    return bytes
  }
}

extension ValidCase {
  static let shared: [ValidCase] = [
    ValidCase(series: "series-in-pieces", DraftSeries([SharedEntries.first]).bytes),
    ValidCase(
      series: "series-with-shared-blocks",
      DraftSeries([SharedEntries.first, SharedEntries.second, SharedEntries.third]).bytes),
    ValidCase(
      series: "series-with-a-shared-part", DraftSeries([SharedEntries.first, SharedEntries.part]).bytes),
    ValidCase(
      series: "series-with-unknown-blocks",
      DraftSeries([SharedEntries.first, SharedEntries.second]) {
        // All zero where nobody has looked into a block.
        $0.entries[1].pieces?.changeTable = {
          $0.replaceSubrange(($0.count - 32)..., with: Bytes(repeating: 0, count: 32))
        }
      }.bytes),
    ValidCase(
      series: "series-with-overlays",
      DraftSeries([SharedEntries.first, SharedEntries.overlaid, SharedEntries.overlaidTwice]).bytes),
    ValidCase(series: "series-with-overlays-at-levels", DraftSeries(SharedEntries.overlaidAtLevels).bytes),
    ValidCase(series: "series-with-differences-at-levels", DraftSeries(SharedEntries.movedAtLevels()).bytes),
    ValidCase(
      series: "series-with-differences-of-noted-blocks",
      DraftSeries(SharedEntries.movedAtLevels(notes: [.rounded(3, 10)])).bytes),
    ValidCase(
      series: "series-with-differences", DraftSeries([SharedEntries.first, SharedEntries.moved]).bytes),
    ValidCase(
      series: "series-in-pieces-with-features",
      DraftSeries([SharedEntries.first]) { $0.entries[0].pieces?.features = 0x0100 }.bytes),
  ]
}

extension InvalidCase {
  /// A series of two entries, of which the second shares a block with the first and is stored in another way.
  private static func changed(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout DraftPieces) -> Void
  ) -> InvalidCase {
    var second = SharedEntries.second
    second.pieces.map { pieces in
      var pieces = pieces
      change(&pieces)
      second.pieces = pieces
    }
    return InvalidCase(rule, name, reason, DraftSeries([SharedEntries.first, second]).bytes, isSeries: true)
  }

  private static func overlaid(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout DraftPieces.Overlaid) -> Void
  ) -> InvalidCase {
    var second = SharedEntries.overlaid
    if var overlaid = second.pieces?.overlaid[1] {
      change(&overlaid)
      second.pieces?.overlaid[1] = overlaid
    }
    return InvalidCase(rule, name, reason, DraftSeries([SharedEntries.first, second]).bytes, isSeries: true)
  }

  private static func hidden(_ name: String, _ reason: String, _ entry: DraftSeries.Entry) -> InvalidCase {
    var second = entry
    second.pieces?.hidesKinds = true
    return InvalidCase("X3", name, reason, DraftSeries([SharedEntries.first, second]).bytes, isSeries: true)
  }

  private static func differences(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout DraftPieces.Differences) -> Void
  ) -> InvalidCase {
    var second = SharedEntries.moved
    if var differences = second.pieces?.differences[1] {
      change(&differences)
      second.pieces?.differences[1] = differences
    }
    return InvalidCase(rule, name, reason, DraftSeries([SharedEntries.first, second]).bytes, isSeries: true)
  }

  private static func levels(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout DraftPieces.Differences) -> Void
  ) -> InvalidCase {
    InvalidCase(
      rule, name, reason, DraftSeries(SharedEntries.movedAtLevels(change)).bytes, isSeries: true)
  }

  private static var ownHash: InvalidCase {
    var second = SharedEntries.second
    let hash = second.archive[32..<40]
    second.changeRecord = { $0.replaceSubrange(40..<48, with: hash) }
    return InvalidCase(
      "R3", "record-of-the-hash-in-the-pieces",
      "the hash of the whole archive's header in a record of one in pieces",
      DraftSeries([SharedEntries.first, second]).bytes, isSeries: true)
  }

  private static func extents(
    _ rule: String, _ name: String, _ reason: String, _ extents: (Int) -> [(byteCount: Int, from: Int?)]
  ) -> InvalidCase {
    let count = SharedEntries.second.archive.count
    return changed(rule, name, reason) { $0.extents = extents(count) }
  }

  private static var noBlock: InvalidCase {
    var second = SharedEntries.overlaid
    second.pieces?.extents[0].byteCount -= 1
    second.pieces?.extents[2].byteCount += 1
    return InvalidCase(
      "X8", "overlaid-no-block", "an overlaid extent that begins a byte before a block",
      DraftSeries([SharedEntries.first, second]).bytes, isSeries: true)
  }

  private static let (offset, place) = (SharedEntries.blockOffset, SharedEntries.blockPlace)

  static let shared: [InvalidCase] = [
    overlaid("X3", "overlaid-level-13", "level 13 of LZ4") { $0.level = 13 },
    overlaid("X3", "overlaid-stored-at-a-level", "level 9 of a block of as many bytes as before LZ4") {
      $0.level = 9
    },
    levels("X3", "differences-compressed-as-stored", "level 255 of a block of fewer bytes than before LZ4") {
      ($0.level, $0.filters) = (255, [])
    },
    levels("X3", "differences-of-a-noted-block", "a note among the filters of a block") {
      $0.filters.insert(.rounded(3, 10), at: 0)
    },
    levels("X3", "differences-to-a-noted-block", "a note among the filters of another block") {
      $0.baseFilters.insert(.rounded(3, 10), at: 0)
    },
    ownHash,
    overlaid("X3", "overlaid-no-bytes", "a block of no bytes that is made of another one") {
      $0.rawByteCount = 0
    },
    overlaid("X3", "overlaid-other-size", "a block of other size than the archive has") {
      $0.rawByteCount = 321
    },
    overlaid("X3", "overlay-of-no-bytes", "an overlay of no bytes") { $0.overlays = [.own([])] },
    overlaid("X3", "too-many-overlays", "33 overlays") {
      $0.overlays = Array(repeating: .own(SharedEntries.overlay(3, 1)), count: 33)
    },
    overlaid("X4", "base-in-front-of-the-entries", "a base that begins in the header of the series") {
      $0.base = .shared(byteCount: 320, from: 60)
    },
    overlaid("X8", "base-does-not-expand", "a base of 319 bytes that is no LZ4 block") {
      $0.base = .shared(byteCount: 319, from: place)
    },
    overlaid("X8", "overlay-too-long", "an overlay that goes beyond its block") {
      $0.overlays = [.own(SharedEntries.overlay(320, 1))]
    },
    overlaid("X8", "overlay-ends-early", "an overlay without its last byte") {
      $0.overlays = [.own(Bytes(SharedEntries.overlay(3, 1).dropLast()))]
    },
    overlaid("X8", "overlaid-hash", "another hash of a block that is made of another one") {
      $0.rawHash[0] ^= 1
    },
    hidden(
      "overlaid-not-mentioned", "an overlaid extent that the features do not mention", SharedEntries.overlaid),
    hidden("differences-not-mentioned", "differences that the features do not mention", SharedEntries.moved),
    differences("X3", "differences-level-13", "level 13 of LZ4 of differences") { $0.level = 13 },
    differences("X3", "differences-other-size", "differences of other size than the archive has") {
      $0.rawByteCount = 319
    },
    differences("X3", "differences-width-3", "differences of numbers of three bytes") { $0.width = 3 },
    differences(
      "X3", "differences-without-width", "differences that are as those before, of which there are none"
    ) {
      $0.width = nil
    },
    differences("X3", "differences-five-filters", "five filters of differences") {
      $0.differenceFilters = Array(repeating: .shuffle(4), count: 5)
    },
    differences("X3", "differences-filter-6", "a filter of differences that is not known") {
      $0.differenceFilters = [PlainFilter(number: 6, parameter: 4)]
    },
    differences("X3", "differences-quantised", "differences that are quantised") {
      $0.differenceFilters = [.quantised(4, bits: 17, bound: 0.01)]
    },
    differences("X3", "differences-rounded", "a note among the filters of differences") {
      $0.differenceFilters = [.rounded(3, 10)]
    },
    differences("X3", "differences-filtered", "filters of a block that is stored as it is") {
      $0.filters = [.shuffle(4)]
    },
    differences("X3", "differences-base-filtered", "filters of another block that is stored as it is") {
      $0.baseFilters = [.shuffle(4)]
    },
    differences("X3", "differences-base-quantised", "another block that is quantised alone") {
      $0.base = .shared(byteCount: 300, from: place)
      $0.baseFilters = [.quantised(4, bits: 17, bound: 0.01)]
    },
    differences("X3", "differences-too-short", "differences that would expand to more than 255 times") {
      $0.changes = .own([0])
    },
    differences("X3", "differences-too-long", "differences of more bytes than the block") {
      $0.changes = .own(Bytes(repeating: 0, count: 321))
    },
    overlaid("X3", "overlay-longer-than-the-block", "an overlay of more bytes than the block") {
      $0.overlays = [.own(Bytes(repeating: 0, count: 321))]
    },
    differences("X4", "differences-in-front-of-the-entries", "a base that begins in the header of the series")
    {
      $0.base = .shared(byteCount: 320, from: 60)
    },
    differences("X8", "differences-base-does-not-expand", "a base of 319 bytes that is no LZ4 block") {
      $0.base = .shared(byteCount: 319, from: place)
    },
    differences("X8", "differences-do-not-expand", "differences that are no LZ4 block") {
      $0.changes = .own([0x40, 1, 2, 3])
    },
    levels(
      "X8", "differences-of-other-filters", "differences of numbers of other filters than the segment has"
    ) {
      $0.filters = [.shuffle(4)]
    },
    InvalidCase(
      "R3", "header-destroyed-in-front-of-pieces", "64 bytes of 7 in place of the header, in front of pieces",
      DraftSeries([SharedEntries.first]) {
        $0.changeSeries = { $0.replaceSubrange(0..<64, with: Bytes(repeating: 7, count: 64)) }
      }.bytes, isSeries: true),
    noBlock,
    differences("X8", "differences-hash", "another hash of a block of differences") { $0.hash[0] ^= 1 },
    changed("X1", "version-2", "version 2 of what is stored in pieces") { $0.version = 2 },
    changed("X1", "feature-0", "a feature that must be understood") { $0.features = 1 },
    changed("X1", "no-table", "a table of no bytes") { pieces in
      pieces.changeTable = { $0 = [] }
    },
    changed("X1", "table-too-long", "a table that is longer than what is stored") {
      $0.changeHeader = { $0[14] = 1 }
    },
    changed("R3", "pieces-of-other-size", "a record of an archive of other size") {
      $0.changeHeader = { $0[24] ^= 1 }
    },
    changed("X2", "table", "a changed bit in a table") { $0.changeStored = { $0[$0.count - 1] ^= 1 } },
    changed("X3", "table-ends-early", "a table without its last byte") {
      $0.changeTable = { $0.removeLast() }
    },
    changed("X3", "table-goes-on", "a byte behind a table") { $0.changeTable = { $0.append(0) } },
    changed("X3", "unknown-kind", "an extent of kind 4") { $0.changeTable = { $0[3] = 4 } },
    extents("X3", "no-extents", "a table without extents") { _ in [] },
    extents("X3", "extent-of-no-bytes", "an extent of no bytes") { count in
      [(offset, nil), (0, place), (320, place), (count - offset - 320, nil)]
    },
    extents("X3", "less-than-the-archive", "extents that cover less than the archive") { count in
      [(offset, nil), (320, place), (count - offset - 321, nil)]
    },
    extents("X3", "more-than-the-archive", "extents that cover more than the archive") { count in
      [(offset, nil), (320, place), (count - offset - 320, nil), (1, place - 64)]
    },
    extents("X4", "in-front-of-the-entries", "an extent that begins in the header of the series") { count in
      [(offset, nil), (320, 60), (count - offset - 320, nil)]
    },
    extents("X4", "into-the-entry", "an extent that ends in its own entry") { count in
      let start = DraftSeries([SharedEntries.first]).bytes.count
      return [(offset, nil), (320, start - 319), (count - offset - 320, nil)]
    },
    extents("X5", "overlap", "two extents with bytes in common") { count in
      [(offset, nil), (320, place), (10, place + 319), (count - offset - 330, nil)]
    },
    changed("X6", "another-archive", "another hash of the archive's header") {
      $0.changeHeader = { $0[40] ^= 1 }
    },
    changed("X7", "too-few-blocks", "the hash of one block for two") { $0.blocks.removeLast() },
    InvalidCase(
      "R2", "gap", "a byte between those of an archive",
      DraftSeries([SharedEntries.first, SharedEntries.part]) { $0.entries[1].pieces?.gap = 1 }.bytes,
      isSeries: true),
  ]
}
