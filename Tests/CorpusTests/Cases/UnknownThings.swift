import GraphCodable

extension ValidCase {
  /// What later versions may add, one each, beside values that version 1 knows.
  static let unknown: [ValidCase] = [
    segment("unknown-codec") { ($0.codec, $0.changeBlocks) = (3, { $0 = [[1, 2, 3], $0[1], $0[2]] }) },
    segment("unknown-codec-parameter", .lz4) { $0.changeHeader = { $0[32] = 1 } },
    segment("numbers-of-unknown-width") {
      ($0.codec, $0.width, $0.changeBlocks) = (2, 3, { $0 = [[1, 2, 3], $0[1], $0[2]] })
    },
    segment("unknown-filter", .lz4) { $0.filters = [.init(number: 6, width: 3, parameter: 9, argument: 1)] },
    segment("unknown-flag-of-a-filter", .lz4) { $0.filters = [.init(number: 1, reserved: 1, parameter: 8)] },
    segment("unknown-flag-of-a-segment", .lz4) { $0.changeHeader = { $0[30] = 1 } },
    segment("ignorable-flag-of-a-segment", .lz4) { $0.changeHeader = { $0[31] = 0x80 } },
    segment("reserved-bytes-of-a-segment", .lz4) { $0.changeHeader = { $0[39] = 1 } },
    segment("alignment-of-4096-bytes") { $0.alignment = 12 },
    segment("alignment-of-compressed-blocks", .lz4) { $0.alignment = 3 },
    value("unknown-kind", 0x80, join(varint(3), counted([1, 2, 3]))),
    value("kind-of-private-use", 0xFF, join(varint(1 << 40), counted([]))),
    value("unknown-scalar", Kind.packed, packedArray(format(27, lanes: 1), count: 2, sequence(16))),
    value("unknown-fixed-scalar", Kind.fixed, join(varint(UInt64(format(31))), sequence(32))),
    value("unknown-meaning", Kind.packed, packedArray(format(4, meaning: 200), count: 2, sequence(16))),
    value(
      "unknown-format-in-a-layout", Kind.packedStructs, join(varint(1), varint(2 << 1), sequence(12))
    ) { $0.layouts = [[(0, format(26)), (1, format(27))]] },
    value("bfloat16", Kind.packed, packedArray(format(21), count: 3, [0x80, 0x3F, 0x80, 0xFF, 0xC1, 0x7F])),
    value("float8", Kind.packed, packedArray(format(22, lanes: 1), count: 1, [0x38, 0x7F])),
    value("complex", Kind.packed, packedArray(format(10, lanes: 1, meaning: 12), count: 1, sequence(8))),
    value("times", Kind.packed, packedArray(format(4, meaning: 14), count: 1, sequence(8))),
    value("decimal128", Kind.fixed, join(varint(UInt64(format(24))), sequence(16))),
    ValidCase(
      series: "series-with-reserved-bytes",
      DraftSeries([.init(archive: Draft([Kind.uint8, 7]).bytes)]) {
        ($0.features, $0.reserved[43]) = (0xFF00, 1)
      }.bytes),
  ]

  /// Whether an array cannot be expanded.
  var isUnknownInside: Bool {
    !isSeries && (try? GraphArchive(bytes).info.segments.contains { $0.unknown != nil }) == true
  }

  private static func sequence(_ count: UInt8) -> Bytes { Bytes(1...count) }

  /// A record of a number, what is unknown, and a string.
  private static func value(
    _ name: String, _ kind: UInt8, _ bytes: Bytes, _ change: (inout Draft) -> Void = { _ in }
  ) -> ValidCase {
    var draft = Draft(record: [
      ("before", Kind.uint8, [7]), ("later", kind, bytes), ("behind", Kind.string, text("known")),
    ])
    change(&draft)
    return ValidCase(name, bytes: draft.bytes)
  }

  /// A record of two arrays in segments, of which the first one is changed.
  private static func segment(
    _ name: String, _ form: DraftSegment.Form = .stored, _ change: (inout DraftSegment.Form) -> Void
  ) -> ValidCase {
    var draft = Draft(record: [
      ("later", Kind.packed, packedArray(format(11), count: 24, segment: 0)),
      ("known", Kind.packed, packedArray(format(5), count: 20, segment: 1)),
    ])
    draft.segments = [
      .bulk(
        repeated([1, 2, 3, 4, 5, 6, 7, 8], 24), format: format(11), elements: 8,
        form.changed {
          $0.blockByteCount = 64
          change(&$0)
        }),
      .bulk(sequence(20), format: format(5), elements: 1),
    ]
    return ValidCase(name, bytes: draft.bytes)
  }
}
