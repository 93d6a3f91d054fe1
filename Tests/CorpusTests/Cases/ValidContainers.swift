import GraphCodable

extension ValidCase {
  /// Arrays, sets and dictionaries.
  static let containers: [ValidCase] = [
    ValidCase("array", join([Kind.array, Kind.string], varint(2), text("a"), text("b"))),
    ValidCase("array-empty", join([Kind.array, Kind.int64], varint(0))),
    ValidCase(
      "array-of-arrays",
      join([Kind.array, Kind.array], varint(2), [Kind.uint8], varint(1), [7], [Kind.bool], varint(0))),
    ValidCase(
      "array-of-optionals",
      join(
        [Kind.array, Kind.tagged], varint(4), [Kind.null, Kind.absent, Kind.uint8, 7, Kind.tagged, Kind.null])
    ),
    ValidCase("set", join([Kind.set, Kind.int16], varint(3), zigzag(1), zigzag(-2), zigzag(3))),
    ValidCase(
      "dictionary",
      join(
        [Kind.dictionary, Kind.string, Kind.int64], varint(2), text("a"), zigzag(1), text("b"), zigzag(-1))),
    ValidCase("dictionary-empty", join([Kind.dictionary, Kind.string, Kind.tagged], varint(0))),
    ValidCase(
      "dictionary-of-records",
      join(
        [Kind.dictionary, Kind.record, Kind.array], varint(1), varint(1), [1, 2], [Kind.bool], varint(1), [1])
    ) { draft in
      draft.keys = [Bytes("x".utf8), Bytes("y".utf8)]
      draft.shapes = [.new(Kind.uint8, Kind.int8)]
    },
    ValidCase(
      "dictionary-of-two-normalizations",
      join([Kind.dictionary, Kind.string, Kind.uint8], varint(2), text("a"), [1], text("\u{E9}"), [2])),
    ValidCase("nested-40-deep", join([Kind.array], deepArrays(40))),
  ]

  /// Arrays in each other, the outermost without its kind.
  static func deepArrays(_ depth: Int) -> Bytes {
    join(repeated(join([Kind.array], varint(1)), depth - 1), [Kind.bool], varint(1), [1])
  }

  /// Packed arrays, and packed structs, in the graph stream.
  static let packedArrays: [ValidCase] = [
    ValidCase(
      "packed-scalars",
      record: (1...20 as ClosedRange<UInt16>).map { scalar -> Field in
        let format = format(scalar)
        return ("scalar \(scalar)", Kind.packed, packedArray(format, count: 2, sample(format, 2)))
      }),
    ValidCase(
      "packed-lanes",
      record: (0...7 as ClosedRange<UInt16>).map { lanes -> Field in
        let format = format(10, lanes: lanes)
        return ("lane code \(lanes)", Kind.packed, packedArray(format, count: 3, sample(format, 3)))
      }),
    ValidCase(
      "packed-meanings",
      record: meanings.map { format -> Field in
        ("meaning \(format >> 8)", Kind.packed, packedArray(format, count: 2, sample(format, 2)))
      }),
    ValidCase("packed-empty", join([Kind.packed], packedArray(format(11), count: 0, []))),
    ValidCase(
      "packed-character-set",
      join([Kind.packed], packedArray(format(17, meaning: 11), count: 16_385, segment: 0))
    ) { $0.segments = [.bulk(characterSet, format: format(17, meaning: 11), elements: 1, .lz4)] },
    ValidCase("packed-structs", structs) {
      $0.layouts = [[(0, format(11)), (0, format(12)), (0, format(2))]]
    },
    ValidCase("packed-structs-with-keys", structs) { draft in
      draft.keys = [Bytes("mass".utf8), Bytes("fixed".utf8)]
      draft.layouts = [[(1, format(11)), (2, format(12)), (0, format(2))]]
    },
    ValidCase(
      "packed-structs-empty-and-of-vectors",
      join(
        [Kind.array, Kind.packedStructs], varint(2), varint(1), varint(0), varint(2), varint(1 << 1),
        sample(format(10, lanes: 2), 1), [5])
    ) { $0.layouts = [[(0, format(1))], [(0, format(10, lanes: 2)), (0, format(5))]] },
  ]

  private static let structs = join(
    [Kind.packedStructs], varint(1), varint(2 << 1), float64(1.5), [1], [2, 0], float64(-1.5), [0], [3, 0])

  /// U+0041, and U+10000 in the plane behind the first.
  private static let characterSet: Bytes = {
    var bytes = Bytes(repeating: 0, count: 16_385)
    bytes[8] = 2
    bytes[8192] = 1
    bytes[8193] = 1
    return bytes
  }()
}
