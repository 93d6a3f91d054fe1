import GraphCodable

extension ValidCase {
  /// Nested packed arrays.
  static let nestedArrays: [ValidCase] = [
    ValidCase("nested-regular", nestedArray(format(2), .all(2), .all(3), elements: sample(format(2), 6))),
    ValidCase(
      "nested-ragged", nestedArray(format(5), .all(3), .each([2, 0, 1]), elements: sample(format(5), 3))),
    ValidCase(
      "nested-equal-lengths-one-by-one",
      nestedArray(format(5), .each([2]), .each([1, 1]), elements: sample(format(5), 2))),
    ValidCase("nested-without-rows", nestedArray(format(11), .each([0]), .each([]), elements: [])),
    ValidCase("nested-without-rows-of-3", nestedArray(format(11), .each([0]), .all(3), elements: [])),
    ValidCase("nested-empty-rows", nestedArray(format(11), .all(3), .each([0, 0, 0]), elements: [])),
    ValidCase("nested-one-dimension", nestedArray(format(1), .all(4), elements: sample(format(1), 4))),
    ValidCase(
      "nested-8-dimensions",
      nestedArray(
        format(5), .all(1), .all(2), .all(1), .all(1), .each([1, 1]), .all(1), .all(2), .all(1),
        elements: sample(format(5), 4))),
    ValidCase(
      "nested-ragged-in-3-dimensions",
      nestedArray(
        format(5), .all(2), .each([1, 2]), .each([2, 0, 3]), elements: sample(format(5), 5))),
    ValidCase(
      "nested-vectors",
      nestedArray(format(10, lanes: 2), .all(1), .all(2), elements: sample(format(10, lanes: 2), 2))),
    ValidCase("nested-bools", nestedArray(format(12), .all(2), .all(2), elements: [0, 1, 1, 0])),
    ValidCase(
      "nested-structs",
      join(
        [Kind.nestedPacked], varint(0), varint(1), varint(2), varint(4), varint(1), varint(1), varint(0),
        varint(0), [7, 1])
    ) { $0.layouts = [[(0, format(5)), (0, format(12))]] },
    ValidCase(
      "optionals", optionals([0b101], Kind.packed, packedArray(format(2), count: 3, sample(format(2), 3)))),
    ValidCase("optionals-all-there", optionals([], Kind.packed, packedArray(format(5), count: 2, [1, 2]))),
    ValidCase("optionals-none", optionals([], Kind.packed, packedArray(format(5), count: 0, []))),
    ValidCase(
      "optionals-strings",
      optionals(
        [0b10], Kind.nestedPacked,
        Bytes(nestedArray(stringFormat, .all(2), .each([0, 1]), elements: Bytes("a".utf8)).dropFirst()))),
    ValidCase(
      "optionals-rows",
      optionals(
        [0b10], Kind.nestedPacked,
        Bytes(nestedArray(format(5), .all(2), .each([0, 3]), elements: [1, 2, 3]).dropFirst()))),
    ValidCase(
      "optionals-arrays-of-strings",
      optionals(
        [0b101], Kind.nestedPacked,
        Bytes(
          nestedArray(
            stringFormat, .all(3), .each([1, 0, 2]), .each([1, 2, 0]), elements: Bytes("abc".utf8)
          )
          .dropFirst()))),
    ValidCase(
      "optionals-structs", optionals([1], Kind.packedStructs, join(varint(1), varint(2 << 1), [7, 1, 0, 0]))
    ) { $0.layouts = [[(0, format(5)), (0, format(12))]] },
    ValidCase(
      "strings", nestedArray(stringFormat, .all(4), .each([2, 0, 4, 3]), elements: Bytes("é𝄞end".utf8))),
    ValidCase(
      "strings-of-one-length", nestedArray(stringFormat, .all(2), .all(3), elements: Bytes("onetwo".utf8))),
    ValidCase("strings-none", nestedArray(stringFormat, .each([0]), .each([]), elements: [])),
    ValidCase("strings-empty", nestedArray(stringFormat, .all(2), .each([0, 0]), elements: [])),
    ValidCase(
      "strings-in-arrays",
      nestedArray(stringFormat, .all(3), .each([1, 0, 2]), .each([1, 2, 0]), elements: Bytes("abc".utf8))),
    ValidCase(
      "strings-in-a-segment",
      join(
        [Kind.nestedPacked], varint(UInt64(stringFormat)), varint(2), Lengths.all(1000).bytes,
        Lengths.all(20).bytes,
        varint(1))
    ) {
      let text = (0..<1000).map { "string number 00\($0 + 1000)" }.joined()
      $0.segments = [.bulk(Bytes(text.utf8), format: stringFormat, elements: 1, .lz4)]
    },
    ValidCase(
      "nested-in-a-segment",
      join(
        [Kind.nestedPacked], varint(UInt64(format(3))), varint(2), Lengths.all(100).bytes,
        Lengths.all(50).bytes,
        varint(1))
    ) { $0.segments = [.bulk(sample(format(3), 5000), format: format(3), elements: 4, .lz4)] },
  ]
}

extension InvalidCase {
  private static func nested(
    _ rule: String, _ name: String, _ reason: String, _ root: Bytes,
    _ change: (inout Draft) -> Void = { _ in }
  ) -> InvalidCase {
    InvalidCase(rule, "nested-" + name, reason, root: root, change)
  }

  private static func optional(_ name: String, _ reason: String, _ root: Bytes) -> InvalidCase {
    InvalidCase("G14", "optionals-" + name, reason, root: root)
  }

  private static func strings(_ name: String, _ bytes: Bytes) -> InvalidCase {
    let root = nestedArray(stringFormat, .all(2), .each([1, UInt64(bytes.count - 1)]), elements: bytes)
    return InvalidCase("G11", "strings-" + name, "a string is not UTF-8", root: root)
  }

  private static func nested(_ name: String, _ reason: String, _ root: Bytes) -> InvalidCase {
    nested("G13", name, reason, root)
  }

  /// Nested packed arrays.
  static let nested: [InvalidCase] = [
    optional(
      "kind", "optionals of an array",
      [Kind.packedOptionals, Kind.array] + packedArray(format(17), count: 0, [])),
    optional(
      "bits-of-another-format", "bits that are not of the format byte",
      [Kind.packedOptionals, Kind.packed] + packedArray(format(5), count: 1, [1])
        + packedArray(format(5), count: 1, [1])),
    optional(
      "too-few-bits", "fewer bits than elements",
      optionals([1], Kind.packed, packedArray(format(5), count: 9, Bytes(repeating: 0, count: 9)))),
    optional(
      "too-many-bits", "more bytes of bits than elements need",
      optionals([1, 0], Kind.packed, packedArray(format(5), count: 8, Bytes(repeating: 0, count: 8)))),
    optional(
      "bit-behind-the-last", "a bit behind the last element",
      optionals([0b100], Kind.packed, packedArray(format(5), count: 2, [0, 0]))),
    nested(
      "strings-0-lengths", "0 in place of the number of strings",
      join(
        [Kind.nestedPacked], varint(UInt64(stringFormat)), varint(2), varint(0), varint(1), varint(0))),
    strings("not-utf8", [0x61, 0x62, 0xFF]),
    strings("cut-within-a-character", Bytes("éa".utf8)),
    nested("no-dimensions", "no dimensions", nestedArray(format(5), elements: [1])),
    nested(
      "dimensions-huge", "2^64 - 1 dimensions", join([Kind.nestedPacked], varint(5), varint(.max), varint(0))),
    nested(
      "length-0", "a length of 0 for all", nestedArray(format(5), .all(2), .all(0), elements: [])),
    nested(
      "odd-length", "3 in front of the lengths",
      join([Kind.nestedPacked], varint(5), varint(2), varint(4), varint(3), varint(0), [1, 2])),
    nested(
      "more-lengths-than-bytes", "5 lengths in 4 bytes",
      join([Kind.nestedPacked], varint(5), varint(2), varint(10), varint(1), [1, 1, 1, 1])),
    nested(
      "lengths-huge", "2^62 lengths",
      join([Kind.nestedPacked], varint(5), varint(2), varint(1 << 63), varint(1), [1, 1, 1, 1])),
    nested(
      "product-overflow", "2^62 arrays of 4",
      nestedArray(format(5), .all(1 << 62), .all(4), elements: [1])),
    nested(
      "sum-overflow", "lengths of 2^63 together",
      nestedArray(format(5), .all(2), .each([1 << 62, 1 << 62]), elements: [1])),
    nested(
      "length-of-64-bits", "a length of 2^64 - 1",
      nestedArray(format(5), .all(1), .each([.max]), elements: [1])),
    nested(
      "bytes-overflow", "2^62 elements of 8 bytes",
      nestedArray(format(11), .all(1 << 31), .all(1 << 31), elements: [])),
    nested(
      "G1", "too-few-elements", "5 elements of 6",
      nestedArray(format(5), .all(2), .all(3), elements: [1, 2, 3, 4, 5])),
    nested(
      "G1", "too-few-elements-ragged", "2 elements of 3",
      nestedArray(format(5), .all(2), .each([1, 2]), elements: [1, 2])),
    nested(
      "G2", "too-many-elements", "7 elements of 6",
      nestedArray(format(5), .all(2), .all(3), elements: [1, 2, 3, 4, 5, 6, 7])),
    nested("G9", "bool", "a bool of 2", nestedArray(format(12), .all(2), .all(2), elements: [0, 1, 2, 0])),
    nested("G10", "format", "a format without scalar", nestedArray(0x20, .all(1), .all(1), elements: [1])),
    nested(
      "G10", "layout", "layout 1 of none",
      join([Kind.nestedPacked], varint(0), varint(1), varint(1), varint(2), varint(0), [1])),
    nested(
      "G10", "segment-1", "segment 1 of 1",
      join([Kind.nestedPacked], varint(5), varint(2), varint(16), varint(16), varint(2))
    ) { $0.segments = [.bulk(Bytes(repeating: 1, count: 64), format: format(5), elements: 1)] },
    nested(
      "G10", "segment-of-other-size", "63 elements, and 64 in the segment",
      join([Kind.nestedPacked], varint(5), varint(2), varint(14), varint(18), varint(1))
    ) { $0.segments = [.bulk(Bytes(repeating: 1, count: 64), format: format(5), elements: 1)] },
    nested(
      "G10", "segment-twice", "two arrays in a segment",
      join(
        [Kind.array, Kind.nestedPacked], varint(2), varint(5), varint(2), varint(16), varint(16), varint(1),
        varint(5),
        varint(2), varint(8), varint(32), varint(1))
    ) { $0.segments = [.bulk(Bytes(repeating: 1, count: 64), format: format(5), elements: 1)] },
  ]
}
