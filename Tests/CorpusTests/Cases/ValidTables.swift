import GraphCodable

extension ValidCase {
  /// What stands in headers and contents.
  static let tables: [ValidCase] = [
    ValidCase("user-version", [Kind.bool, 1]) { $0.userVersion = 65_535 },
    ValidCase("metadata", [Kind.bool, 1]) {
      $0.metadata = [(utf8("author"), utf8("N.N.")), (utf8("empty"), []), (utf8("run"), utf8("7"))]
    },
    ValidCase("metadata-of-two-normalizations", [Kind.bool, 1]) {
      $0.metadata = [(utf8("e\u{301}"), utf8("decomposed")), (utf8("\u{E9}"), utf8("composed"))]
    },
    ValidCase("extensions", [Kind.bool, 1]) { $0.extensions = [(6, [1, 2, 3]), (1_000_000, []), (6, [])] },
    ValidCase("attributes", attributedRoot) { $0.attribute() },
    ValidCase("attributes-of-an-object", [Kind.reference, 1]) { draft in
      draft.shapes = [DraftShape(flags: 1)]
      draft.objects = [[3]]
      draft.extensions = [(2, join(varint(1), varint(0), varint(0), varint(1), varint(2), varint(0)))]
    },
    ValidCase("directory", listedRoot) { $0.list() },
    ValidCase("features-that-may-be-ignored", [Kind.bool, 1]) { $0.features = 0xFF00 },
    ValidCase("unused-entries", [Kind.bool, 1]) { draft in
      draft.keys = [utf8("a"), utf8("b")]
      draft.classes = [("3App4NodeC", "App.Node", 1)]
      draft.layouts = [[(0, format(11))]]
      draft.shapes = [.fields((1, Kind.uint8)), .boxed]
    },
    ValidCase("flags-of-empty-tables", [Kind.bool, 1]) { draft in
      // No segments, metadata, extensions, classes, layouts: a number of 0 for each.
      draft.flags = 1 | 8 | 32 | 64 | 128
      draft.changeContents = { $0 = [$0[0], 1, 1, 1, 1, 1, 1, 1, Kind.bool, 1] }
    },
    ValidCase("everything", bytes: everything),
    ValidCase("varints-longer-than-needed", bytes: varints),
    // 8 for each byte that is stored of the stream, with the padding behind the segment's header.
    ValidCase(
      "objects-that-padding-has-room-for", join([Kind.string], text(String(repeating: "a", count: 2_100)))
    ) { draft in
      draft.objects = Array(repeating: nil, count: 1_000)
      draft.streamForm = DraftSegment.Form.lz4.changed { $0.alignment = 7 }
    },
    ValidCase("index-that-is-embedded-in-9-bytes", [Kind.reference, 1]) { draft in
      draft.shapes = [DraftShape(flags: 1)]
      draft.objects = [[3]]
      draft.index = varint(2, in: 9)
    },
  ]

  private static let everything = Draft([Kind.record, 3]) { draft in
    draft.userVersion = 3
    draft.metadata = [(utf8("k"), utf8("v"))]
    draft.extensions = [(8, [9])]
    draft.keys = [utf8("object"), utf8("numbers"), utf8("structs"), utf8("x")]
    draft.classes = [("@corpus.node", "App.Node", 2)]
    draft.layouts = [[(4, format(5)), (0, format(6))]]
    draft.shapes = [
      .new(Kind.reference, Kind.packed, Kind.packedStructs),
      DraftShape(flags: 9, classNumber: 1, fields: [(4, Kind.uint8)]),
    ]
    draft.root = join(
      [Kind.record, 3], varint(0), packedArray(format(11), count: 16, segment: 0),
      join(varint(1), varint(20 << 1 | 1), varint(1)))
    draft.objects = [[5, 7]]
    draft.segments = [
      .bulk(sample(format(11), 16), format: format(11), elements: 8, .blocks(64)),
      .bulk(repeated([1, 2, 3], 20), format: 0, elements: 3, .shuffled(3)),
    ]
    draft.streamForm = .stored
    draft.indexForm = .stored
  }.bytes

  /// Every varint of contents and stream in more bytes than it needs.
  private static let varints = Draft { draft in
    draft.changeContents = { contents in
      contents = join(
        [2 | 4 | 8],  // Objects in order, classes.
        varint(1, in: 2), varint(1, in: 3), utf8("a"),  // One key.
        varint(1, in: 4), varint(1, in: 5), utf8("C"), varint(1, in: 6), utf8("D"), varint(0, in: 7),
        varint(1, in: 8), [9], varint(1, in: 9), varint(1, in: 2), varint(1, in: 3), [Kind.uint64],
        varint(1, in: 4), varint(3, in: 2), varint(4, in: 3),  // One object, and its index of three bytes.
        [Kind.reference], varint(0, in: 3), varint(1, in: 5), varint(5, in: 9))
    }
  }.bytes

  /// An LZ4 block whose last match begins 12 bytes before the end, and ends 5 bytes before it.
  private static var lateMatch: ValidCase {
    let letters = utf8("abcdefgh")
    let raw = repeated(letters, 6) + letters.prefix(4) + letters.suffix(4) + letters.prefix(3) + utf8("vwxyz")
    return ValidCase(
      "bulk-lz4-that-ends-as-late-as-it-may",
      join([Kind.packed], packedArray(format(5), count: 64, segment: 0))
    ) {
      let stored = LZ4.block([(letters, (8, 44)), ([], (8, 7)), (utf8("vwxyz"), nil)])
      $0.segments = [
        .bulk(
          raw, format: format(5), elements: 1,
          DraftSegment.Form.lz4.changed { $0.changeBlocks = { $0[0] = stored } })
      ]
    }
  }

  /// Segments of every kind.
  static let segments: [ValidCase] = [
    lateMatch,
    // The example of the document.
    ValidCase("example-filters", join([Kind.packed], packedArray(format(2), count: 32, segment: 0))) {
      $0.segments = [
        .bulk(
          joined((0..<32).map { little(Int16(1000 * $0)) }), format: format(2), elements: 2,
          .filtered(.delta(2, lag: 1), .shuffle(2)))
      ]
    },
    ValidCase("stream-stored", long) { $0.streamForm = .stored },
    ValidCase("stream-lz4", long) { $0.streamForm = .lz4 },
    ValidCase("stream-in-blocks", long) { $0.streamForm = .blocks(64) },
    ValidCase("stream-in-blocks-of-one-byte", join([Kind.string], text("bytes"))) {
      $0.streamForm = .blocks(1)
    },
    ValidCase("stream-in-lz4-blocks", long) { $0.streamForm = .blocks(256, codec: 1) },
    ValidCase("stream-shuffled", long) { $0.streamForm = .shuffled(2) },
    ValidCase("index-stored", list) { draft in
      addObjects(&draft)
      draft.indexForm = .stored
    },
    ValidCase("stream-and-index-lz4", list) { draft in
      addObjects(&draft)
      (draft.streamForm, draft.indexForm) = (.lz4, .blocks(50, codec: 1))
    },
    ValidCase("index-with-numbers-in-segment", list) { draft in
      addObjects(&draft)
      draft.order = Array((0..<100).reversed())
      draft.indexForm = .stored
    },
    bulk("bulk-stored", .stored),
    bulk("bulk-lz4", .lz4),
    bulk("bulk-shuffled", .shuffled(8)),
    bulk("bulk-in-blocks-of-64", .blocks(64)),
    bulk("bulk-in-blocks-with-a-short-last", .blocks(1000 - 1000 % 8)),
    bulk("bulk-shuffled-blocks", .shuffled(8, blocks: 512)),
    bulk("bulk-shuffled-twice", .shuffled(8, 3)),
    bulk("bulk-shuffled-four-times", .shuffled(2, 4, 8, 255)),
    bulk("bulk-shuffled-with-a-rest", .shuffled(7, blocks: 160)),
    bulk("bulk-bits-shuffled", .filtered(.bits(8), blocks: 1008)),
    bulk("bulk-bits-shuffled-with-a-rest", .filtered(.bits(7), blocks: 160)),
    bulk("bulk-differences", .filtered(.delta(8, lag: 1), .shuffle(8))),
    bulk("bulk-differences-of-bytes", .filtered(.delta(1, lag: 8), .delta(2, lag: 5, first: 2))),
    bulk("bulk-differences-of-rows", .filtered(.delta(8, lag: 10, first: 1), .bits(8), blocks: 800)),
    bulk("bulk-differences-of-nothing", .filtered(.delta(4, lag: 1 << 20, first: 3), .bits(4))),
    bulk("bulk-rounded-to-bits", .filtered(.rounded(3, 20), .shuffle(8))),
    bulk("bulk-rounded-and-stored", .stored.changed { $0.filters = [.rounded(2, 0.001.bitPattern)] }),
    quantised("bulk-quantised", 8, .quantised(8, bits: 44, bound: 0.01), .delta(8, lag: 1), .bits(8)),
    quantised("bulk-quantised-alone", 8, .quantised(8, bits: 3, bound: 0.5)),
    quantised("bulk-quantised-floats", 4, .quantised(4, bits: 17, bound: 0.01), .delta(4, lag: 20, first: 1)),
    quantised("bulk-quantised-to-few-steps", 4, .quantised(4, bits: 1, bound: 0x1.8p64), .shuffle(4)),
    ValidCase("bulk-stored-among-lz4", bytes: mixed),
    ValidCase("bulk-of-structs", join([Kind.packedStructs], varint(1), varint(100 << 1 | 1), varint(0))) {
      draft in
      draft.keys = [utf8("x"), utf8("y"), utf8("is on")]
      draft.layouts = [[(1, format(11)), (2, format(11)), (3, format(12))]]
      let elements = joined((0..<100).map { join(float64(Double($0)), float64(0.5), [UInt8($0 % 2)]) })
      draft.segments = [.bulk(elements, format: 0, elements: 17, .shuffled(17, blocks: 17 * 30))]
    },
    ValidCase("bulk-of-bools-and-vectors", [Kind.record, 3]) { draft in
      draft.root = join(
        [Kind.record, 3], packedArray(format(12), count: 200, segment: 0),
        packedArray(format(10, lanes: 2), count: 40, segment: 1))
      draft.shapes = [.unkeyed(Kind.packed, Kind.packed)]
      draft.segments = [
        .bulk(sample(format(12), 200), format: format(12), elements: 1, .lz4),
        .bulk(sample(format(10, lanes: 2), 40), format: format(10, lanes: 2), elements: 12, .shuffled(12)),
      ]
    },
    ValidCase("bulk-mentioned-out-of-order", [Kind.record, 3]) { draft in
      draft.root = join(
        [Kind.record, 3], packedArray(format(5), count: 70, segment: 1),
        packedArray(format(5), count: 80, segment: 0))
      draft.shapes = [.unkeyed(Kind.packed, Kind.packed)]
      draft.segments = [70, 80].reversed().map {
        .bulk(Bytes(repeating: UInt8($0), count: $0), format: format(5), elements: 1)
      }
    },
    ValidCase("bulk-nobody-mentions", [Kind.bool, 1]) {
      $0.segments = [.bulk([1, 2, 3], format: format(5), elements: 1)]
    },
    // Its values would be a text of megabytes.
    ValidCase("bulk-largest-block", [Kind.bool, 1]) {
      let zeros = Bytes(repeating: 0, count: 1 << 22)
      $0.segments = [.bulk(zeros, format: format(5), elements: 1, .blocks(1 << 22, codec: 1))]
    },
    ValidCase("bulk-without-format", join([Kind.packedStructs], varint(1), varint(3 << 1 | 1), varint(0))) {
      draft in
      draft.layouts = [[(0, format(6))]]
      draft.segments = [.bulk([1, 0, 2, 0, 3, 0], format: 0, elements: 2)]
    },
  ]

  /// A text that is worth a segment.
  private static let long = join([Kind.string], text(String(repeating: "the same again, ", count: 100)))

  /// A list of 100 objects.
  private static let list = join(
    [Kind.array, Kind.reference], varint(100), joined((0..<100).map { varint($0) }))

  private static func addObjects(_ draft: inout Draft) {
    draft.shapes = [.unkeyed(Kind.uint64, flags: 1)]
    draft.objects = (0..<100).map { join([3], varint($0 * 1_000)) }
  }

  /// 200 numbers in a bulk segment.
  private static func bulk(_ name: String, _ form: DraftSegment.Form) -> ValidCase {
    ValidCase(name, join([Kind.packed], packedArray(format(11), count: 200, segment: 0))) {
      $0.segments = [.bulk(sample(format(11), 200), format: format(11), elements: 8, form)]
    }
  }

  /// Small numbers, and those that a precision does not change.
  private static func quantised(_ name: String, _ width: Int, _ filters: PlainFilter...) -> ValidCase {
    let small = (0..<190).map { Double($0) * 0.3 - 20 }
    let numbers =
      small + [
        0.0, -0.0, 1e20, -1e30, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1309.99, -2e38,
      ]
    let elements = joined(numbers.map { width == 8 ? float64($0) : little(Float($0).bitPattern) })
    let number = format(width == 8 ? 11 : 10)
    return ValidCase(name, join([Kind.packed], packedArray(number, count: 200, segment: 0))) {
      $0.segments = [
        .bulk(
          elements, format: number, elements: UInt32(width),
          DraftSegment.Form(blockByteCount: 320, codec: 1, filters: filters))
      ]
    }
  }

  /// Blocks that LZ4 makes smaller, and others.
  private static let mixed = Draft(join([Kind.packed], packedArray(format(5), count: 900, segment: 0))) {
    draft in
    var state: UInt32 = 1
    let noise = (0..<300).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let zeros = Bytes(repeating: 0, count: 300)
    draft.segments = [.bulk(zeros + noise + zeros, format: format(5), elements: 1, .blocks(300, codec: 1))]
  }.bytes

  /// Series.
  static let series: [ValidCase] = [
    ValidCase(series: "series-empty", DraftSeries().bytes),
    ValidCase(series: "series-of-no-bytes", []),
    ValidCase(series: "series-not-begun", Bytes(DraftSeries().bytes.prefix(20))),
    ValidCase(
      series: "series-not-begun-with-features",
      Bytes(DraftSeries { ($0.features, $0.reserved[40]) = (0x0100, 7) }.bytes.prefix(60))),
    ValidCase(series: "series-of-zeros", Bytes(repeating: 0, count: 64)),
    ValidCase(series: "series-of-one", DraftSeries([entry(0)]).bytes),
    ValidCase(series: "series-of-many", DraftSeries((0..<12).map(entry)).bytes),
    ValidCase(series: "series-with-features", DraftSeries([entry(0)]) { $0.features = 0x0100 }.bytes),
    ValidCase(
      series: "series-with-gaps-in-numbers",
      DraftSeries(
        [entry(0), entry(1)].map { entry in
          var entry = entry
          entry.number = entry.step == -20 ? 5 : 17
          return entry
        }
      ).bytes),
    ValidCase(
      series: "series-with-an-index",
      DraftSeries(
        (0..<6).map { number in
          var entry = entry(number)
          entry.copyCount = number == 4 ? 4 : 0
          return entry
        }
      ).bytes),
    ValidCase(
      series: "series-with-an-unfinished-entry",
      DraftSeries([entry(0), entry(1)]) { $0.rest = Bytes(repeating: 0, count: 200) }.bytes),
    ValidCase(
      series: "series-that-was-cut",
      DraftSeries([entry(0), entry(1)]) { $0.rest = entry(2).archive + [0, 0, 0] }.bytes),
  ]

  private static func entry(_ number: Int) -> DraftSeries.Entry {
    DraftSeries.Entry(
      archive: Draft(join([Kind.string], text(String(repeating: "x", count: number * 11)))).bytes,
      step: Int64(number) * 10 - 20, time: Double(number) / 8,
      metadata: number % 3 == 0 ? [] : [(utf8("run"), utf8("\(number)")), (utf8("\u{E9}"), [])])
  }
}

// MARK: - Extensions

/// A list of a packed array of two float32, an optional string and a struct of a number.
let attributedRoot = join(
  [Kind.array, Kind.tagged], varint(3), [Kind.packed],
  packedArray(format(10), count: 2, little((1.5 as Float).bitPattern) + little((2 as Float).bitPattern)),
  [Kind.string], text("a"), [Kind.record], varint(1), [7])

extension Draft {
  /// Gives attributes of all kinds to the array and the string, and to the list.
  mutating func attribute(_ change: (inout Bytes) -> Void = { _ in }) {
    shapes = [.fields((0, Kind.uint8))]
    let first = join(
      varint(2), text("time"), text("x"), varint(7),
      text("bool"), [Kind.bool, 1], text("int"), [Kind.int64], zigzag(-3), text("list"),
      [Kind.array, Kind.string],
      varint(2), text("a"), text(""), text("none"), [Kind.array, Kind.bool, 1], text("number"),
      [Kind.float64],
      little((0.5 as Double).bitPattern), text("numbers"), [Kind.array, Kind.float64], varint(1),
      little((-0.0 as Double).bitPattern),
      text("units"), [Kind.string], text("nm"))
    var bytes = join(varint(3), first, varint(0), varint(0), varint(1), text("child"), varint(0), varint(4))
    // The list at 1, and its elements behind their kinds: the array at 4, the string at 15, the struct at 18.
    for (distance, number) in [(1, 2), (3, 0), (11, 0), (3, 1)] {
      bytes += varint(UInt64(distance)) + varint(UInt64(number))
    }
    change(&bytes)
    extensions = [(2, bytes)]
  }

  /// Attributes of a single value, which values have that begin at some distances from each other.
  static func attribute(_ value: Bytes, at distances: [UInt64] = [1], set: UInt64 = 0) -> (UInt64, Bytes) {
    let places = joined(distances.map { varint($0) + varint(set) })
    let sets = join(varint(1), varint(0), varint(1), text("a"), value)
    return (2, join(sets, varint(UInt64(distances.count)), places))
  }
}

/// A record of a number and a list of two arrays, of which the second is an optional one in a segment.
let listedRoot = join(
  [Kind.record], varint(1), [7], [Kind.tagged], varint(2), [Kind.packed],
  packedArray(format(5), count: 2, [1, 2]),
  [Kind.packed], packedArray(format(11), count: 20, segment: 0))

extension Draft {
  /// Adds a directory of the array in a segment.
  mutating func list(
    _ steps: Bytes = join(varint(2), varint(0), text("list"), varint(2)), offset: UInt64 = 11,
    count: UInt64 = 20,
    _ change: (inout Bytes) -> Void = { _ in }
  ) {
    keys = [utf8("number"), utf8("list")]
    shapes = [.new(Kind.uint8, Kind.array)]
    segments = [.bulk(ValidCase.sample(format(11), 20), format: format(11), elements: 8, .blocks(64))]
    let value = join([Kind.packed], packedArray(format(11), count: count, segment: 0))
    var bytes = join(varint(1), steps, varint(offset), varint(UInt64(value.count)), value)
    change(&bytes)
    extensions = [(4, bytes)]
  }
}
