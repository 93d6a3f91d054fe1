import GraphCodable

extension InvalidCase {
  private static let elements = ValidCase.sample(format(11), 20)

  /// An archive of a bulk segment of 20 numbers.
  private static func bulk(
    _ rule: String, _ name: String, _ reason: String, _ form: DraftSegment.Form = .blocks(64),
    _ change: (inout DraftSegment.Form) -> Void
  ) -> InvalidCase {
    InvalidCase(rule, name, reason, root: join([Kind.packed], packedArray(format(11), count: 20, segment: 0)))
    {
      $0.segments = [.bulk(elements, format: format(11), elements: 8, form.changed(change))]
    }
  }

  /// As `bulk`, with other bytes at a place of the segment's header.
  private static func header(
    _ rule: String, _ name: String, _ reason: String, _ place: Int, _ bytes: Bytes,
    _ form: DraftSegment.Form = .blocks(64)
  ) -> InvalidCase {
    bulk(rule, name, reason, form) { form in
      form.changeHeader = { $0.replaceSubrange(place..<(place + bytes.count), with: bytes) }
    }
  }

  /// As `bulk`, with filters.
  private static func filters(_ name: String, _ reason: String, _ filters: PlainFilter...) -> InvalidCase {
    bulk("S4", name, reason, .lz4.changed { $0.blockByteCount = 64 }) { $0.filters = filters }
  }

  private static func stream(
    _ rule: String, _ name: String, _ reason: String, _ change: @escaping (inout Bytes) -> Void
  ) -> InvalidCase {
    InvalidCase(rule, name, reason) {
      $0.root = join([Kind.string], text("in a segment"))
      $0.streamForm = DraftSegment.Form.stored.changed { $0.changeHeader = change }
    }
  }

  static let segmentHeaders: [InvalidCase] = [
    header("S1", "magic", "another magic", 0, utf8("gseg")),
    header("S1", "kind-3", "an unknown kind", 4, [3]),
    header("S2", "no-bytes", "a segment of no bytes", 8, little(0 as UInt64)),
    header("S2", "parts-of-elements", "19 elements and a half", 8, little(156 as UInt64)),
    header("S2", "too-many-bytes", "2^56 + 8 bytes", 8, little((1 as UInt64) << 56 + 8)),
    header("S2", "blocks-of-no-bytes", "0 bytes per block", 16, little(0 as UInt32)),
    header("S2", "blocks-too-large", "2^22 + 8 bytes per block", 16, little((1 as UInt32) << 22 + 8)),
    header("S2", "blocks-of-parts", "60 bytes per block, and 8 per element", 16, little(60 as UInt32)),
    header("S2", "elements-of-no-bytes", "0 bytes per element", 20, little(0 as UInt32)),
    stream("S2", "elements-in-the-stream", "2 bytes per element in the graph stream") {
      $0.replaceSubrange(20..<24, with: little(2 as UInt32))
    },
    header("S3", "unknown-format", "a scalar of 4 bytes that is not known", 6, little(format(27))),
    header("S3", "format-of-other-size", "float32 and 8 bytes per element", 6, little(format(10))),
    stream("S3", "format-in-the-stream", "a packed format in the graph stream") {
      $0.replaceSubrange(6..<8, with: little(format(5)))
    },
    header("S4", "alignment", "an alignment of 2^21", 29, [21]),
    bulk("S4", "five-filters", "five filters", .shuffled(8)) {
      $0.changeHeader = { $0[28] = 5 }
    },
    bulk("S4", "filter-without-codec", "a filter with codec 0", .shuffled(8)) { $0.codec = 0 },
    filters("filter-0", "filter 0", .init(number: 0, parameter: 8)),
    filters("shuffle-of-a-width", "a shuffle with a width", .init(number: 1, width: 8, parameter: 8)),
    filters("shuffle-argument", "a shuffle with an argument", .init(number: 1, parameter: 8, argument: 1)),
    filters("parameter-1", "a shuffle by 1", .shuffle(1)),
    filters("parameter-256", "a shuffle by 256", .shuffle(256)),
    filters("bit-shuffle-0", "a bit shuffle by 0", .bits(0)),
    filters("bit-shuffle-256", "a bit shuffle by 256", .bits(256)),
    filters("bit-shuffle-of-a-width", "a bit shuffle with a width", .init(number: 2, width: 1, parameter: 8)),
    filters(
      "bit-shuffle-argument", "a bit shuffle with an argument", .init(number: 2, parameter: 8, argument: 8)),
    filters("delta-width-0", "differences of 0 bytes", .delta(0, lag: 1)),
    filters("delta-width-3", "differences of 3 bytes", .delta(3, lag: 1)),
    filters("delta-width-16", "differences of 16 bytes", .delta(16, lag: 1)),
    filters("delta-lag-0", "a lag of 0", .delta(8, lag: 0)),
    filters("delta-lag-too-large", "a lag of 2^20 + 1", .delta(8, lag: 1 << 20 + 1)),
    filters("delta-start-lag", "a lag at first that is the lag", .delta(8, lag: 3, first: 3)),
    filters("delta-start-lag-too-large", "a lag at first of 2^32 + 1", .delta(8, lag: 3, first: 1 << 32 + 1)),
    filters("quantised-width-2", "quantised numbers of 2 bytes", .quantised(2, bits: 8, bound: 0.5)),
    filters("quantised-bits-0", "quantised to 2^0 steps", .quantised(8, bits: 0, bound: 0.5)),
    filters("quantised-bits-45", "quantised to 2^45 steps", .quantised(8, bits: 45, bound: 0.5)),
    filters("quantised-bits-18", "4 bytes quantised to 2^18 steps", .quantised(4, bits: 18, bound: 0.5)),
    filters("quantised-bits-257", "quantised to 2^257 steps", .quantised(8, bits: 257, bound: 0.5)),
    filters("quantised-bound-0", "a bound of 0", .quantised(8, bits: 8, bound: 0)),
    filters("quantised-bound-negative", "a bound of -0.5", .quantised(8, bits: 8, bound: -0.5)),
    filters("quantised-bound-infinite", "an infinite bound", .quantised(8, bits: 8, bound: .infinity)),
    filters("quantised-bound-nan", "a bound that is NaN", .quantised(8, bits: 8, bound: .nan)),
    filters("quantised-step-subnormal", "a step below 2^-1022", .quantised(8, bits: 8, bound: 0x1p-1023)),
    filters("quantised-step-too-large", "a step above 2^1000", .quantised(8, bits: 8, bound: 0x1p1001)),
    filters(
      "quantised-threshold-too-large", "2^17 steps above 2^110", .quantised(4, bits: 17, bound: 0x1p110)
    ),
    filters(
      "quantised-threshold-too-small", "2 steps of less than 2^-127", .quantised(4, bits: 1, bound: 0x1p-128)),
    filters(
      "quantised-behind-a-note", "two precisions", .rounded(1, 0.5.bitPattern),
      .quantised(8, bits: 8, bound: 0.5)),
    filters("quantised-behind-a-shuffle", "quantised bytes", .shuffle(8), .quantised(8, bits: 8, bound: 0.5)),
    filters(
      "quantised-twice", "quantised integers", .quantised(8, bits: 8, bound: 0.5),
      .quantised(8, bits: 8, bound: 0.5)),
    filters("rounded-width", "a note with a width", .init(number: 5, width: 8, parameter: 3, argument: 8)),
    filters("rounded-mode-0", "an unknown mode", .rounded(0, 8)),
    filters("rounded-mode-4", "an unknown mode", .rounded(4, 8)),
    filters("rounded-to-0-bits", "0 bits", .rounded(3, 0)),
    filters("rounded-to-53-bits", "53 bits", .rounded(3, 53)),
    filters("rounded-bound-0", "a bound of 0", .rounded(1, 0)),
    filters("rounded-bound-negative", "a bound of -1", .rounded(1, (-1.0).bitPattern)),
    filters("rounded-bound-infinite", "an infinite bound", .rounded(2, Double.infinity.bitPattern)),
    filters("rounded-bound-nan", "a bound that is NaN", .rounded(2, Double.nan.bitPattern)),
    filters("rounded-behind-a-shuffle", "a note that is not first", .shuffle(8), .rounded(3, 8)),
    filters("rounded-twice", "two notes", .rounded(3, 8), .rounded(3, 8)),
    bulk("S4", "note-and-filter-without-codec", "a filter behind a note, with codec 0", .shuffled(8)) {
      ($0.codec, $0.filters) = (0, [.rounded(3, 8), .shuffle(8)])
    },
    header("S5", "one-block-more", "4 blocks for 160 bytes by 64", 24, little(4 as UInt32)),
    header("S5", "one-block-less", "2 blocks for 160 bytes by 64", 24, little(2 as UInt32)),
    header("S5", "no-blocks", "no block", 24, little(0 as UInt32)),
    header(
      "S5", "more-blocks-than-bytes", "2^32 - 1 blocks, whose entries the contents cannot have", 24,
      little(UInt32.max)),
    header("S6", "block-too-large", "65 stored bytes of 64", 40, little(65 as UInt32), .blocks(64, codec: 1)),
    header("S6", "last-block-too-large", "64 stored bytes of 32", 40 + 24, little(64 as UInt32)),
    header("S6", "block-too-small", "0 stored bytes of 64", 40, little(0 as UInt32), .blocks(64, codec: 1)),
    InvalidCase(
      "S6", "more-than-255-fold", "one stored byte of 256",
      root: join([Kind.packed], packedArray(format(5), count: 256, segment: 0))
    ) {
      $0.segments = [
        .bulk(
          Bytes(repeating: 0, count: 256), format: format(5), elements: 1,
          DraftSegment.Form.lz4.changed { $0.changeBlocks = { $0[0] = [0] } })
      ]
    },
    header("S6", "stored-with-fewer", "63 stored bytes of 64, with codec 0", 40, little(63 as UInt32)),
    bulk("S7", "hash", "another hash") { $0.changeCopy = { $0[$0.count - 1] ^= 1 } },
    bulk("S7", "changed-byte", "a changed hash of a block") { $0.changeCopy = { $0[48] ^= 1 } },
  ]

  static let segmentPlaces: [InvalidCase] = [
    InvalidCase("S8", "bulk-before-stream", "a graph stream behind a bulk segment") {
      $0.segments = [
        .bulk([1], format: format(5), elements: 1), DraftSegment(kind: 0, [Kind.bool, 1], .stored),
      ]
    },
    InvalidCase("S8", "two-streams", "two graph streams") {
      $0.segments = [
        DraftSegment(kind: 0, [Kind.bool, 1], .stored), DraftSegment(kind: 0, [Kind.bool, 1], .stored),
      ]
    },
    InvalidCase(
      "S8", "index-before-bulk", "a bulk segment behind the object index", root: [Kind.reference, 1]
    ) {
      $0.shapes = [DraftShape()]
      $0.objects = [[3]]
      $0.segments = [DraftSegment(kind: 1, [5], .stored), .bulk([1], format: format(5), elements: 1)]
    },
    InvalidCase("S8", "two-indexes", "two object indexes", root: [Kind.reference, 1]) {
      $0.shapes = [DraftShape()]
      $0.objects = [[3]]
      $0.segments = [DraftSegment(kind: 1, [5], .stored), DraftSegment(kind: 1, [5], .stored)]
    },
    InvalidCase("S8", "index-without-objects", "an object index, and no objects") {
      $0.segments = [DraftSegment(kind: 1, [5], .stored)]
    },
    InvalidCase("S9", "stray-bytes", "a byte between the header and the contents") { $0.stray = [0] },
    bulkArchive("S9", "stray-bytes-behind-a-segment", "bytes behind the last segment") {
      $0.stray = Bytes(repeating: 0, count: 64)
    },
    bulk("S9", "blocks-missing", "a segment that reaches into the contents") {
      $0.changeStored = { $0.removeLast() }
    },
    bulk("S10", "header-changed", "a changed byte in the header in front of the blocks") {
      $0.changeFront = { $0[34] ^= 1 }
    },
    bulk("S10", "header-zero", "zeros in place of the header in front of the blocks") {
      $0.changeFront = { $0 = Bytes(repeating: 0, count: $0.count) }
    },
    bulk("S10", "padding-in-front", "a byte in front of the segment") { $0.padding = 1 },
    bulk("S10", "padding-behind-the-header", "a byte behind the header of the segment") {
      $0.innerPadding = 1
    },
    bulk("S11", "first-block", "a changed bit of the first block") { $0.changeStored = { $0[0][0] ^= 1 } },
    bulk("S11", "last-block", "a changed bit of the last block") { $0.changeStored = { $0[2][31] ^= 0x80 } },
    bulk("S11", "swapped-blocks", "two blocks in each other's places") {
      $0.changeStored = { $0.swapAt(0, 1) }
    },
    InvalidCase("S11", "stream", "a changed bit of the graph stream", root: join([Kind.string], text("text")))
    {
      $0.streamForm = DraftSegment.Form.stored.changed { $0.changeStored = { $0[0][3] ^= 1 } }
    },
    block("not-lz4", "bytes that are not LZ4", [0xF0, 1, 2]),
    block("too-short", "59 bytes of 64", [0x10, 0] + lz4Run(54) + [0x40, 0, 0, 0, 0]),
    block("too-long", "65 bytes of 64", [0x1F, 0, 1, 0, 40] + [0x50, 0, 0, 0, 0, 0]),
    block(
      "match-before-the-block", "a match of bytes in front of the block",
      [0x1F, 0, 2, 0, 39, 0x50, 0, 0, 0, 0, 0]),
    block("cut", "the last literals are cut", [0x1F, 0, 1, 0, 39, 0x50, 0, 0]),
  ]

  /// A match of some bytes behind a literal.
  private static func lz4Run(_ count: Int) -> Bytes { [1, 0] + Bytes(repeating: 0x40, count: count / 27) }

  private static func bulkArchive(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout Draft) -> Void
  ) -> InvalidCase {
    InvalidCase(rule, name, reason, root: join([Kind.packed], packedArray(format(11), count: 20, segment: 0)))
    {
      $0.segments = [.bulk(elements, format: format(11), elements: 8, .stored)]
      change(&$0)
    }
  }

  /// A segment of 64 zeros whose only block is stored as something else.
  private static func block(
    _ name: String, _ reason: String, _ stored: Bytes, _ form: DraftSegment.Form = .lz4
  ) -> InvalidCase {
    InvalidCase("S12", name, reason, root: join([Kind.packed], packedArray(format(5), count: 64, segment: 0)))
    {
      $0.segments = [
        .bulk(
          Bytes(repeating: 0, count: 64), format: format(5), elements: 1,
          form.changed { $0.changeBlocks = { $0[0] = stored } })
      ]
    }
  }

  private static let eight = Bytes(repeating: 0, count: 8)
  /// 64 zeros, of which a match begins 11 bytes before the end.
  private static let late = LZ4.block([
    (eight, (8, 45)), ([], (8, 6)), (Bytes(repeating: 0, count: 5), nil),
  ])
  /// 64 zeros, of which a match ends 4 bytes before the end.
  private static let long = LZ4.block([(eight, (8, 52)), (Bytes(repeating: 0, count: 4), nil)])

  /// Blocks that break the rules of LZ4 for the end of a block, for both of this library's expanders.
  static let blockEnds: [InvalidCase] = [
    block("match-that-begins-too-late", "a match that begins 11 bytes before the end of a block", late),
    block("match-that-ends-too-late", "a match that ends 4 bytes before the end of a block", long),
    block("bits-match-that-begins-too-late", "the same, of bits", late, .filtered(.bits(1))),
    block("bits-match-that-ends-too-late", "the same, of bits", long, .filtered(.bits(1))),
    block("match-at-the-end", "a block that ends with a match", LZ4.block([(eight, (8, 56)), ([], nil)])),
  ]
}
