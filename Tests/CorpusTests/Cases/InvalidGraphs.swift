import GraphCodable

extension InvalidCase {
  /// An archive of an object of a byte behind a reference, with another index.
  private static func index(
    _ rule: String, _ name: String, _ reason: String, _ index: Bytes, stored: UInt64? = nil
  )
    -> InvalidCase
  {
    InvalidCase(rule, name, reason, root: [Kind.array, Kind.reference, 5, 1, 3]) {
      $0.shapes = [.unkeyed(Kind.uint8)]
      $0.objects = [[3, 7], [3, 8]]
      $0.index = index
      $0.storedCount = stored
    }
  }

  static let objectIndexes: [InvalidCase] = [
    index("I1", "first-at-0", "an object in place of the root", [1, 15]),
    index("I1", "two-at-one-place", "an object in place of another", [11, 1]),
    index("I1", "behind-the-stream", "an object where the stream ends", [11, varint(4)[0]]),
    index("I1", "far-behind-the-stream", "an object far behind the stream", join(varint(5), varint(1 << 60))),
    index("I1", "overflow", "a sum of more than 64 bits", join(varint(5), varint(.max))),
    index(
      "I2", "number-too-high", "object 2 of 2", join(varint(5), varint(2), varint(0), varint(2)), stored: 2),
    index(
      "I2", "number-twice", "object 0 twice", join(varint(5), varint(2), varint(0), varint(0)), stored: 2),
    index(
      "I2", "huge-number", "object 2^40", join(varint(5), varint(2), varint(0), varint(1 << 40)), stored: 2),
    index("I3", "cut", "an index that ends inside a varint", join(varint(5), [2])),
    index("I3", "goes-on", "an index that goes on behind its end", join(varint(5), varint(2), varint(1))),
    index(
      "I3", "goes-on-behind-numbers", "an index that goes on behind the numbers",
      join(varint(5), varint(2), varint(1), varint(0), varint(0)), stored: 2),
  ]

  /// Values that end too early or too late.
  static let ends: [InvalidCase] = [
    InvalidCase("G1", "kind-alone", "an int64 without its bytes", root: [Kind.int64]),
    InvalidCase("G1", "varint", "a varint that is cut", root: [Kind.uint64, 0, 1, 2]),
    InvalidCase("G1", "float64", "seven bytes of a float64", root: [Kind.float64, 1, 2, 3, 4, 5, 6, 7]),
    InvalidCase(
      "G1", "string", "a string of 5 bytes, of which 4 are there",
      root: join([Kind.string], varint(5), utf8("text"))),
    InvalidCase(
      "G1", "string-huge", "a string of 2^64 - 1 bytes", root: join([Kind.string], varint(.max), utf8("text"))
    ),
    InvalidCase(
      "G1", "binary", "a data unit that is cut", root: join([Kind.binary], varint(0), varint(3), [1, 2])),
    InvalidCase(
      "G1", "opaque", "an opaque value that is cut", root: join([Kind.opaque], varint(0), varint(3), [1])),
    InvalidCase("G1", "tag-alone", "a tag without a kind", root: [Kind.tagged]),
    InvalidCase(
      "G1", "fixed", "15 bytes of a UUID",
      root: join([Kind.fixed], varint(15), Bytes(repeating: 1, count: 15))),
    InvalidCase(
      "G1", "packed", "an array of two float32, of which one is there",
      root: join([Kind.packed], packedArray(format(10), count: 2, float32(1)))),
    InvalidCase("G1", "record", "a record without its last field", root: [Kind.record, 3, 7]) {
      $0.shapes = [.unkeyed(Kind.uint8, Kind.uint8)]
    },
    InvalidCase(
      "G1", "elements", "the second element is cut", root: join([Kind.array, Kind.int64], varint(2), [1, 2])),
    InvalidCase(
      "G1", "overflow-head", "the head of overflow fields is cut", root: [Kind.record, 3, 0, 0, 0, 0]
    ) {
      $0.shapes = [DraftShape(flags: 2)]
    },
    InvalidCase("G2", "behind-the-root", "a byte behind the root", root: [Kind.bool, 1, 0]),
    InvalidCase(
      "G2", "root-too-long", "a root that goes on in an object", root: [Kind.array, Kind.reference, 3, 1]
    ) {
      $0.shapes = [.unkeyed(Kind.uint8)]
      $0.objects = [[3, 7]]
      $0.index = varint(3)
    },
    InvalidCase("G2", "behind-an-object", "a byte behind an object", root: [Kind.reference, 1]) {
      $0.shapes = [.unkeyed(Kind.uint8)]
      $0.objects = [[3, 7, 0]]
    },
    InvalidCase(
      "G2", "object-in-object", "an object that goes on in the next one",
      root: [Kind.array, Kind.reference, 5, 1, 3]
    ) {
      $0.shapes = [.unkeyed(Kind.uint8)]
      $0.objects = [[3, 3], [8]]
      $0.index = join(varint(5), varint(1))
    },
    InvalidCase("G2", "object-alone", "an object that nobody refers to, with a byte behind it") {
      $0.shapes = [.unkeyed(Kind.uint8)]
      $0.objects = [[3, 7, 0]]
    },
  ]

  /// Numbers of shapes and objects.
  static let references: [InvalidCase] = [
    InvalidCase("G3", "shape-0", "shape 0", root: [Kind.record, 1]) { $0.shapes = [DraftShape()] },
    InvalidCase("G3", "shape-2", "shape 2 of 1", root: [Kind.record, 5]) { $0.shapes = [DraftShape()] },
    InvalidCase("G3", "no-shapes", "shape 1 of none", root: [Kind.record, 3]),
    InvalidCase("G3", "shape-of-an-object", "shape 2 of 1", root: [Kind.reference, 1]) {
      $0.shapes = [DraftShape()]
      $0.objects = [[5]]
    },
    InvalidCase("G4", "no-objects", "object 0 of none", root: [Kind.reference, 1]),
    InvalidCase("G4", "object-1", "object 1 of 1", root: [Kind.array, Kind.reference, 5, 1, 3]) {
      $0.shapes = [DraftShape()]
      $0.objects = [[3]]
    },
    InvalidCase("G4", "conditional", "a conditional reference to object 1 of 1", root: [Kind.conditional, 3])
    {
      $0.objects = [nil]
      $0.index = []
    },
    InvalidCase("G4", "not-stored", "a reference to an object that is not stored", root: [Kind.reference, 1])
    {
      $0.objects = [nil]
      $0.index = []
    },
    InvalidCase(
      "G4", "optional-not-stored", "an optional reference to an object that is not stored",
      root: [Kind.tagged, Kind.reference, 1]
    ) {
      $0.objects = [nil]
      $0.index = []
    },
    InvalidCase("G4", "box-of-itself", "a box of a reference to itself", root: [Kind.reference, 1]) {
      $0.shapes = [.boxed]
      $0.objects = [[3, Kind.reference, 1]]
    },
    InvalidCase(
      "G4", "boxes-of-each-other", "three boxes of references to each other", root: [Kind.reference, 1]
    ) {
      $0.shapes = [.boxed]
      $0.objects = [[3, Kind.reference, 3], [3, Kind.tagged, Kind.reference, 5], [3, Kind.reference, 1]]
    },
    InvalidCase(
      "G4", "conditional-box-of-itself", "a box of a conditional reference to itself",
      root: [Kind.reference, 1]
    ) {
      $0.shapes = [.boxed]
      $0.objects = [[3, Kind.conditional, 1]]
    },
  ]

  /// Kinds where they must not stand.
  static let kinds: [InvalidCase] = [
    InvalidCase("G5", "root-nil", "a root of kind nil", root: [Kind.null]),
    InvalidCase("G5", "root-absent", "a root of kind absent", root: [Kind.absent]),
    InvalidCase("G5", "root-1e", "a root of an unknown kind", root: [0x1E, 1]),
    InvalidCase("G5", "root-1d", "a root of an unknown kind", root: [0x1D, 1]),
    InvalidCase("G5", "root-63", "a root of an unknown kind", root: [0x63, 3, 0x61]),
    InvalidCase("G5", "behind-a-tag", "an unknown kind behind a tag", root: [Kind.tagged, 0x1E]),
    InvalidCase(
      "G5", "elements-nil", "elements of kind nil", root: join([Kind.array, Kind.null], varint(1), [1])),
    InvalidCase(
      "G5", "elements-nil-none", "no elements, of kind nil", root: join([Kind.array, Kind.null], varint(0))),
    InvalidCase(
      "G5", "elements-absent-none", "no elements, of kind absent",
      root: join([Kind.set, Kind.absent], varint(0))),
    InvalidCase(
      "G5", "elements-unknown-none", "no elements, of an unknown kind",
      root: join([Kind.array, 0x1F], varint(0))),
    InvalidCase(
      "G5", "keys-nil", "keys of kind nil", root: join([Kind.dictionary, Kind.null, Kind.bool], varint(0))),
    InvalidCase(
      "G5", "values-absent", "values of kind absent",
      root: join([Kind.dictionary, Kind.string, Kind.absent], varint(0))),
    InvalidCase(
      "G5", "values-unknown", "values of an unknown kind",
      root: join([Kind.dictionary, Kind.string, 0x7F], varint(0))),
    InvalidCase("G5", "boxed-nil", "a box of kind nil", root: [Kind.reference, 1]) {
      $0.shapes = [.boxed]
      $0.objects = [[3, Kind.null]]
    },
    InvalidCase(
      "G5", "overflow-nil", "an overflow field of kind nil",
      root: join([Kind.record, 3], overflow([[Kind.null, 1]], unkeyed: 1))
    ) {
      $0.shapes = [DraftShape(flags: 2)]
    },
  ]

  /// Containers and overflow fields.
  static let containers: [InvalidCase] = [
    InvalidCase(
      "G6", "array", "3 elements in 2 bytes", root: join([Kind.array, Kind.bool], varint(3), [1, 1])),
    InvalidCase(
      "G6", "array-huge", "2^64 - 1 elements", root: join([Kind.array, Kind.bool], varint(.max), [1, 1])),
    InvalidCase("G6", "set", "2 elements in no bytes", root: join([Kind.set, Kind.bool], varint(2))),
    InvalidCase(
      "G6", "dictionary", "2 pairs in 3 bytes",
      root: join([Kind.dictionary, Kind.bool, Kind.bool], varint(2), [0, 1, 1])),
    open(
      "longer-than-the-stream", "more bytes than the stream has",
      overflow([[Kind.bool, 1, 1]], unkeyed: 1, byteCount: 4)),
    open("huge", "2^64 - 1 bytes", overflow([[Kind.bool, 1, 1]], unkeyed: 1, byteCount: .max)),
    open("more-than-half", "2 fields in 3 bytes", overflow([[Kind.bool, 1, 1]], unkeyed: 2, count: 2)),
    open(
      "too-few-bytes", "a field that ends behind the last byte",
      overflow([join([Kind.string, 1], text("x"))], unkeyed: 1, byteCount: 3)),
    open(
      "too-many-bytes", "a byte behind the last field",
      overflow([[Kind.bool, 1, 1], [0]], unkeyed: 1, count: 1)),
    open("unkeyed-too-few", "0 fields without key, of 1", overflow([[Kind.bool, 1, 1]], unkeyed: 0)),
    open("unkeyed-too-many", "2 fields without key, of 1", overflow([[Kind.bool, 1, 1]], unkeyed: 2)),
    open("key-not-there", "key 0 of none", overflow([[Kind.bool, 3, 1]], unkeyed: 0)),
  ]

  private static func open(_ name: String, _ reason: String, _ fields: Bytes) -> InvalidCase {
    InvalidCase("G7", name, reason, root: join([Kind.record, 3], fields)) {
      $0.shapes = [DraftShape(flags: 2)]
    }
  }

  /// Numbers, bools and strings.
  static let numbers: [InvalidCase] = [
    InvalidCase("G8", "int16", "32,768", root: join([Kind.int16], zigzag(32_768))),
    InvalidCase("G8", "int16-negative", "-32,769", root: join([Kind.int16], zigzag(-32_769))),
    InvalidCase("G8", "int32", "2^31", root: join([Kind.int32], zigzag(1 << 31))),
    InvalidCase("G8", "uint16", "65,536", root: join([Kind.uint16], varint(65_536))),
    InvalidCase("G8", "uint32", "2^32", root: join([Kind.uint32], varint(1 << 32))),
    InvalidCase(
      "G8", "uint32-in-an-array", "2^63", root: join([Kind.array, Kind.uint32], varint(1), varint(1 << 63))),
    InvalidCase("G9", "bool", "a bool of 2", root: [Kind.bool, 2]),
    InvalidCase(
      "G9", "bool-in-an-array", "a bool of 255", root: join([Kind.array, Kind.bool], varint(2), [1, 255])),
    InvalidCase("G9", "fixed", "a fixed bool of 2", root: join([Kind.fixed], varint(12), [2])),
    InvalidCase(
      "G9", "fixed-lanes", "the last of four fixed bools",
      root: join([Kind.fixed], varint(UInt64(format(12, lanes: 3))), [0, 1, 1, 3])),
    InvalidCase(
      "G9", "packed", "a packed bool of 2",
      root: join([Kind.packed], packedArray(format(12), count: 3, [0, 1, 2]))),
    InvalidCase(
      "G9", "structs", "a bool in a struct",
      root: join([Kind.packedStructs], varint(1), varint(2 << 1), [7, 1, 7, 7])
    ) {
      $0.layouts = [[(0, format(5)), (0, format(12))]]
    },
    InvalidCase(
      "G9", "bulk", "a bool in a bulk segment",
      root: join([Kind.packed], packedArray(format(12), count: 100, segment: 0))
    ) {
      let bools = Bytes(repeating: 1, count: 99) + [2]
      $0.segments = [.bulk(bools, format: format(12), elements: 1, .blocks(64))]
    },
    InvalidCase(
      "G11", "string", "a byte that UTF-8 has not", root: join([Kind.string], counted([0x61, 0xFF]))),
    InvalidCase("G11", "overlong", "an overlong NUL", root: join([Kind.string], counted([0xC0, 0x80]))),
    InvalidCase(
      "G11", "surrogates", "two surrogates in UTF-8",
      root: join([Kind.string], counted([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]))),
    InvalidCase(
      "G11", "too-high", "a number behind U+10FFFF",
      root: join([Kind.string], counted([0xF4, 0x90, 0x80, 0x80]))),
    InvalidCase(
      "G11", "in-a-long-string", "the last byte of a long string",
      root: join([Kind.string], counted(Bytes(repeating: 0x61, count: 40) + [0xC3]))),
    InvalidCase(
      "G11", "dictionary-key", "the key of a dictionary",
      root: join([Kind.dictionary, Kind.string, Kind.bool], varint(1), counted([0x80]), [1])),
  ]

  /// Packed arrays, structs and bulk segments.
  static let packed: [InvalidCase] = [
    InvalidCase("G10", "format-0", "an array of format 0", root: join([Kind.packed], varint(0), varint(0))),
    InvalidCase(
      "G10", "format-32", "an array without scalar", root: join([Kind.packed], varint(32), varint(0))),
    InvalidCase(
      "G10", "format-huge", "a format of 64 bits", root: join([Kind.packed], varint(.max), varint(0))),
    InvalidCase(
      "G10", "fixed", "a fixed time of 8 bits",
      root: join([Kind.fixed], varint(UInt64(format(5, meaning: 13))), [1])),
    InvalidCase("G10", "layout-0", "layout 0", root: join([Kind.packedStructs], varint(0), varint(0))) {
      $0.layouts = [[(0, format(5))]]
    },
    InvalidCase("G10", "layout-2", "layout 2 of 1", root: join([Kind.packedStructs], varint(2), varint(0))) {
      $0.layouts = [[(0, format(5))]]
    },
    InvalidCase(
      "G10", "too-many-bytes", "2^63 bytes",
      root: join([Kind.packed], packedArray(format(11), count: 1 << 60, []))),
    InvalidCase(
      "G10", "overflow", "more than 2^64 bytes",
      root: join([Kind.packed], packedArray(format(11), count: 1 << 62, []))),
    bulk("segment-1", "segment 1 of 1", [packedArray(format(5), count: 64, segment: 1)]),
    bulk(
      "segment-of-other-size", "63 elements, and 64 in the segment",
      [packedArray(format(5), count: 63, segment: 0)]),
    bulk(
      "segment-of-other-format", "uint16, and uint8 in the segment",
      [packedArray(format(6), count: 32, segment: 0)]),
    bulk(
      "segment-of-other-sign", "int8, and uint8 in the segment",
      [packedArray(format(1), count: 64, segment: 0)]),
    bulk(
      "segment-twice", "two arrays in a segment",
      [packedArray(format(5), count: 64, segment: 0), packedArray(format(5), count: 64, segment: 0)]),
    bulk(
      "segment-of-structs", "structs, and uint8 in the segment",
      [join(varint(1), varint(64 << 1 | 1), varint(0))], Kind.packedStructs),
    InvalidCase(
      "G10", "segment-without-format", "uint8, and structs in the segment",
      root: join([Kind.packed], packedArray(format(5), count: 64, segment: 0))
    ) {
      $0.segments = [.bulk(Bytes(repeating: 1, count: 64), format: 0, elements: 1)]
    },
    InvalidCase(
      "G10", "segment-of-other-elements", "structs of 2 bytes, and of 4 in the segment",
      root: join([Kind.packedStructs], varint(1), varint(32 << 1 | 1), varint(0))
    ) {
      $0.layouts = [[(0, format(6))]]
      $0.segments = [.bulk(Bytes(repeating: 1, count: 64), format: 0, elements: 4)]
    },
  ]

  /// Arrays in a segment of 64 bytes.
  private static func bulk(_ name: String, _ reason: String, _ arrays: [Bytes], _ kind: UInt8 = Kind.packed)
    -> InvalidCase
  {
    InvalidCase(
      "G10", name, reason, root: join([Kind.array, kind], varint(UInt64(arrays.count)), joined(arrays))
    ) {
      $0.layouts = [[(0, format(5))]]
      $0.segments = [.bulk(Bytes(repeating: 1, count: 64), format: format(5), elements: 1)]
    }
  }

  /// Values in each other, one more than is allowed.
  static let depth: [InvalidCase] = [
    InvalidCase(
      "G12", "arrays", "131,073 arrays in each other", root: join([Kind.array], ValidCase.deepArrays(131_073))
    ) {
      $0.streamForm = .lz4
    },
    InvalidCase(
      "G12", "records", "131,073 records in each other",
      root: join([Kind.record], Bytes(repeating: 3, count: 131_072), [5])
    ) {
      $0.shapes = [.unkeyed(Kind.record), DraftShape()]
      $0.streamForm = .lz4
    },
    InvalidCase(
      "G12", "object", "an object of 131,073 optional records in each other", root: [Kind.reference, 1]
    ) {
      $0.shapes = [.unkeyed(Kind.tagged)]
      $0.objects = [join(repeated([3, Kind.record], 131_072), [3, Kind.null])]
      $0.streamForm = .lz4
    },
  ]
}
