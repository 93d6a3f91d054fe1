import GraphCodable

extension ValidCase {
  /// Single values.
  static let values: [ValidCase] = [
    ValidCase("bool-true", [Kind.bool, 1]),
    ValidCase("bool-false", [Kind.bool, 0]),
    ValidCase("int8", [Kind.int8, 0x80]),
    ValidCase("int16", join([Kind.int16], zigzag(-32_768))),
    ValidCase("int32", join([Kind.int32], zigzag(-2_147_483_648))),
    ValidCase("int64", join([Kind.int64], zigzag(.min))),
    ValidCase("uint8", [Kind.uint8, 255]),
    ValidCase("uint16", join([Kind.uint16], varint(65_535))),
    ValidCase("uint32", join([Kind.uint32], varint(4_294_967_295))),
    ValidCase("uint64", join([Kind.uint64], varint(.max))),
    ValidCase("float16", join([Kind.float16], little(0x3E00 as UInt16))),
    ValidCase("float32", join([Kind.float32], float32(.pi))),
    ValidCase("float64", join([Kind.float64], float64(0.1))),
    ValidCase(
      "floats-unusual",
      record: [
        ("minus zero", Kind.float64, float64(-0.0)), ("infinity", Kind.float64, float64(.infinity)),
        ("NaN with payload", Kind.float64, little(0x7FF8_0000_0000_0123 as UInt64)),
        ("signaling NaN", Kind.float32, little(0x7FA0_0001 as UInt32)),
        ("subnormal", Kind.float64, little(1 as UInt64)), ("half subnormal", Kind.float16, [1, 0]),
        ("half minus infinity", Kind.float16, [0x00, 0xFC]),
      ]),
    ValidCase(
      "integers-varints",
      record: integers),
    ValidCase("string", join([Kind.string], text("Stra\u{DF}e \u{1F30D}"))),
    ValidCase("string-empty", join([Kind.string], text(""))),
    ValidCase("string-nul-and-newlines", join([Kind.string], text("a\u{0}b\r\n\"c\"\\\u{7F}"))),
    ValidCase(
      "string-normalization",
      record: [
        ("composed", Kind.string, text("\u{E9}")), ("decomposed", Kind.string, text("e\u{301}")),
      ]),
    ValidCase("nil", [Kind.tagged, Kind.null]),
    ValidCase("some", join([Kind.tagged, Kind.int64], zigzag(7))),
    ValidCase("some-nil", [Kind.tagged, Kind.tagged, Kind.null]),
    ValidCase("tagged-if-present-as-root", join([Kind.taggedIfPresent, Kind.string], text("x"))),
    ValidCase(
      "tagged-kinds",
      record: [
        ("optional nil", Kind.tagged, [Kind.null]), ("optional", Kind.tagged, [Kind.bool, 1]),
        ("left out", Kind.taggedIfPresent, [Kind.absent]), ("present", Kind.taggedIfPresent, [Kind.bool, 0]),
        ("without identity", Kind.taggedIdentity, join([Kind.int8], [5])),
        ("conditional nil", Kind.taggedConditional, [Kind.null]),
        ("conditional without identity", Kind.taggedConditional, [Kind.uint8, 6]),
        ("nested tags", Kind.tagged, [Kind.taggedIdentity, Kind.tagged, Kind.uint8, 7]),
      ]),
    ValidCase("binary", join([Kind.binary], varint(0), counted([1, 2, 3]))),
    ValidCase("binary-empty", join([Kind.binary], varint(0), counted([]))),
    ValidCase(
      "binary-types",
      record: [
        ("Decimal 1.5", Kind.binary, unit(4, [0xFF, 0x21, 0, 0, 15, 0] + Bytes(repeating: 0, count: 14))),
        ("DateInterval", Kind.binary, unit(8, float64(1000) + float64(2.5))),
        ("AffineTransform", Kind.binary, unit(12, joined([1, 0, 0, 1, 3, 4].map(float64)))),
        ("DispatchTimeInterval", Kind.binary, unit(16, [1] + little(250 as UInt64))),
        ("list", Kind.binary, unit(1, little(2 as UInt64) + [7, 8])),
        ("set", Kind.binary, unit(2, little(1 as UInt64) + [9])),
        ("pairs", Kind.binary, unit(3, little(1 as UInt64) + [1, 2])),
        ("of a later version", Kind.binary, unit(4004, [1])),
      ]),
    ValidCase("opaque", join([Kind.opaque], varint(77), counted([0xDE, 0xAD]))),
    ValidCase(
      "opaque-between-others",
      record: [
        ("before", Kind.uint8, [1]), ("opaque", Kind.opaque, unit(0, [])), ("behind", Kind.uint8, [2]),
      ]),
    ValidCase(
      "fixed-scalars",
      record: (1...20 as ClosedRange<UInt16>).map { scalar -> Field in
        let format = format(scalar)
        return ("scalar \(scalar)", Kind.fixed, join(varint(UInt64(format)), sample(format, 1)))
      }),
    ValidCase(
      "fixed-lanes",
      record: (0...7 as ClosedRange<UInt16>).map { lanes -> Field in
        let format = format(2, lanes: lanes)
        return ("lane code \(lanes)", Kind.fixed, join(varint(UInt64(format)), sample(format, 1)))
      }),
    // The meaning is one of packed arrays; elsewhere it is a byte.
    ValidCase("fixed-character-set", join([Kind.fixed], varint(UInt64(format(17, meaning: 11))), [7])),
    ValidCase("fixed-bool-lanes", join([Kind.fixed], varint(UInt64(format(12, lanes: 3))), [1, 0, 0, 1])),
    ValidCase(
      "fixed-meanings",
      record: meanings.map { format -> Field in
        ("meaning \(format >> 8)", Kind.fixed, join(varint(UInt64(format)), sample(format, 1)))
      }),
  ]

  /// Numbers around those that need another byte.
  private static let integers: [Field] = {
    let numbers: [Int64] = [0, 1, 63, 64, 127, 128, 16_383, 16_384, 2_097_151]
    let large: [Int64] = [28, 35, 42, 49, 55].map { 1 << $0 }
    return (numbers + large).flatMap { number -> [Field] in
      [
        ("u\(number)", Kind.uint64, varint(UInt64(number))), ("s\(number)", Kind.int64, zigzag(-number)),
      ]
    }
  }()

  /// A data unit.
  private static func unit(_ what: UInt64, _ bytes: Bytes) -> Bytes { join(varint(what), counted(bytes)) }

  /// A format for each meaning but that of a character set.
  static let meanings: [UInt16] = [
    format(8, lanes: 1, meaning: 1), format(2, lanes: 1, meaning: 2), format(11, meaning: 3),
    format(16, meaning: 4), format(6, meaning: 5), format(4, lanes: 1, meaning: 6),
    format(11, lanes: 1, meaning: 7), format(11, lanes: 1, meaning: 8), format(11, lanes: 3, meaning: 9),
    format(11, lanes: 1, meaning: 10),
  ]

  /// Elements of a format, which are small numbers.
  static func sample(_ format: UInt16, _ count: Int) -> Bytes {
    guard let known = PlainFormat(UInt64(format)) else { return [] }
    return joined(
      (0..<(count * known.laneCount)).map { index in
        switch known.scalar {
        case "float16": return little(0x3C00 + UInt16(index))
        case "float32": return float32(Float(index) + 0.5)
        case "float64", "date": return float64(Double(index) - 0.25)
        case "bool": return [UInt8(index % 2)]
        case "uuid": return (0..<16).map { UInt8($0 * 16 + index) }
        default:
          return [UInt8(index % 100 + 1)] + Bytes(repeating: 0, count: known.byteCountOfScalar - 1)
        }
      })
  }
}
