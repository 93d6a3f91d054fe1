import Foundation
import GraphCodable

// Blocks with the codec for numbers.

extension ValidCase {
  static let numbersCodec: [ValidCase] = [
    integers("numbers-of-one-byte", 1, Int8.self),
    integers("numbers-of-two-bytes", 2, Int16.self),
    integers("numbers-of-four-bytes", 3, Int32.self),
    integers("numbers-of-eight-bytes", 4, Int64.self),
    array("numbers-unsigned", 8, joined(walk.map { little(UInt64(bitPattern: Int64($0)) &- 6) })),
    array("numbers-of-floats", 10, joined(specials.map { little(Float($0).bitPattern) })),
    array("numbers-of-doubles", 11, joined(specials.map(float64))),
    array("numbers-that-are-decimals", 11, joined(walk.map { float64(Double($0) * 0.01) } + [float64(.nan)])),
    array(
      "numbers-that-are-decimal-floats", 10, joined(walk.map { little((Float($0) * 0.25).bitPattern) })),
    array("numbers-that-are-quotients", 11, joined(walk.map { float64(Double($0 * 37) / 1000) })),
    array(
      "numbers-in-blocks", 3, joined(walk.map { little(Int32($0)) } + noise), .numbers(4, blocks: 400)),
    array(
      "numbers-behind-filters", 11, joined(walk.map { float64(Double($0) * 0.03) }),
      .numbers(8, .quantised(8, bits: 44, bound: 0.01), .delta(8, lag: 1))),
    array("numbers-of-other-width", 5, joined(walk.map { little(Int32($0)) }), .numbers(4)),
    array(
      "numbers-and-a-rest", 5, Bytes(repeating: 0, count: 66),
      .numbers(8, stored: [DraftNumbers.block(rest: [1, 2], wide)])),
    array("numbers-all-equal", 4, repeated(little(7 as Int64), 900), .numbers(8)),
    array("numbers-of-several-models", 5, Bytes(repeating: 0, count: 600), .numbers(1, stored: [models])),
    array(
      "numbers-of-low-bits", 5, Bytes(repeating: 0, count: 128),
      .numbers(
        1,
        stored: [
          DraftNumbers.block(
            lowBits: 3, ramp,
            DraftNumbers(
              tables: [DraftNumbers.table((3, 128, 1))], bits: Bytes(UInt8(1)...48)))
        ])),
    array(
      "numbers-ordered-with-low-bits", 9, Bytes(repeating: 0, count: 512),
      .numbers(
        2,
        stored: [
          DraftNumbers.block(
            transform: 1, lowBits: 10,
            DraftNumbers(
              tables: [DraftNumbers.table((6, 1 << 15 - 32, 1))],
              bits: [7] + Bytes(repeating: 0xA5, count: 190) + [3]),
            DraftNumbers(tables: [DraftNumbers.table((0, 1 << 15 + 5, 1))]))
        ])),
    ValidCase(series: "numbers-in-a-series", NumbersSeries.bytes()),
  ]

  /// Steps of a random walk.
  private static let walk: [Int] = {
    var (state, place): (UInt32, Int) = (1, -3)
    return (0..<300).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      place += Int(state >> 24) % 7 - 3
      return place
    }
  }()

  private static let noise: [Bytes] = {
    var state: UInt32 = 1
    return (0..<100).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return little(state ^ state << 13)
    }
  }()

  private static let specials: [Double] =
    walk.map { Double($0) * 1.001 }
    + [0.0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, -1e38, 1e38, 1]

  /// Of one byte each: every integer is 3 more than the one before.
  static let ramp = DraftNumbers(
    predictors: [DraftNumbers.predictor(0, (1, 1))], tables: [DraftNumbers.table((0, 131, 1))])

  /// Of eight bytes each, all 0.
  private static let wide = DraftNumbers(tables: [DraftNumbers.table((0, 1 << 63, 1))])

  /// Three pages of two models, with shifts, negative factors and lags beyond the start.
  private static let models = DraftNumbers.block(
    DraftNumbers(
      predictors: [
        DraftNumbers.predictor(0, (1, 1)), DraftNumbers.predictor(1, (1, 3), (2, -1)),
        DraftNumbers.predictor(
          15, (3, -32_768), (1 << 22, 32_767), (1, 77), (2, 1), (5, 2), (256, 1_000), (7, 9), (4, 5)),
      ],
      tables: [DraftNumbers.table((0, 131, 1)), DraftNumbers.table((2, 127, 1))],
      models: [[1, 0, 0], [3, 1, 1, 2, 0, 0, 1]], pages: [0, 1, 0],
      // Two for each of 170 integers of the second page.
      skipped: 4, bits: Bytes((0..<43).map { UInt8($0 * 37 % 256) })))

  private static func integers<Number: FixedWidthInteger>(
    _ name: String, _ scalar: UInt16, _ type: Number.Type
  ) -> ValidCase {
    let numbers = walk.map { Number(truncatingIfNeeded: $0) } + [.min, .max, 0, -1, .min, .max]
    return array(name, scalar, joined(numbers.map { little($0) }))
  }

  private static func array(
    _ name: String, _ scalar: UInt16, _ raw: Bytes, _ form: DraftSegment.Form? = nil
  ) -> ValidCase {
    let size = [1: 1, 2: 2, 3: 4, 4: 8, 5: 1, 8: 8, 9: 2, 10: 4, 11: 8][scalar] ?? 1
    let number = format(scalar)
    return ValidCase(
      name, join([Kind.packed], packedArray(number, count: UInt64(raw.count / size), segment: 0))
    ) {
      $0.segments = [.bulk(raw, format: number, elements: UInt32(size), form ?? .numbers(UInt8(size)))]
    }
  }
}

/// Entries of an array in two blocks with the codec for numbers, of which the second has the first block of the first.
private enum NumbersSeries {
  private static func block(_ seed: Int32) -> Bytes {
    joined((0..<80).map { little(seed + $0 * 5 + $0 % 3) })
  }

  private static func size(_ block: Bytes) -> Int {
    DraftNumbers.compressed(block, width: 4, areFloats: false).count
  }

  /// Where the first block begins in an archive: behind its header and that of the segment.
  private static let offset = 40 + 40 + 2 * 12 + 8
  /// Where it lies in the file, for the first entry.
  static let blockPlace = 64 + 64 + offset

  static func bytes(_ change: (inout DraftSeries) -> Void = { _ in }) -> Bytes {
    let entries = [[block(7), block(1_000)], [block(7), block(-900)]].enumerated().map { number, blocks in
      let archive = Draft(join([Kind.packed], packedArray(format(3), count: 160, segment: 0))) {
        $0.segments = [.bulk(joined(blocks), format: format(3), elements: 4, .numbers(4, blocks: 320))]
      }.bytes
      var entry = DraftSeries.Entry(archive: archive, step: Int64(number))
      let shared = size(blocks[0])
      entry.pieces = DraftPieces(
        number == 0
          ? [(archive.count, nil)]
          : [(offset, nil), (shared, blockPlace), (archive.count - offset - shared, nil)],
        blocks: blocks)
      return entry
    }
    return DraftSeries(entries, change).bytes
  }
}

extension InvalidCase {
  static let numbersCodec: [InvalidCase] = [
    InvalidCase(
      "S11", "numbers-in-a-series-damaged", "a changed bit in a block of numbers that another entry shares",
      NumbersSeries.bytes { $0.changeSeries = { $0[NumbersSeries.blockPlace + 3] ^= 1 } }, isSeries: true),
    InvalidCase(
      "S6", "numbers-more-than-255-fold", "28 stored bytes of 7,141",
      root: join([Kind.packed], packedArray(format(5), count: 7_141, segment: 0))
    ) {
      $0.segments = [
        .bulk(
          Bytes(repeating: 0, count: 7_141), format: format(5), elements: 1,
          .numbers(1, stored: [DraftNumbers.block(DraftNumbers())]))
      ]
    },
    block("transform", "transform 4", transform: 4),
    block("order-of-bytes", "transform 1 of one byte", transform: 1),
    block("multiples-of-bytes", "transform 2 of one byte", transform: 2, base: 1),
    block("quotients-of-bytes", "transform 3 of one byte", transform: 3, base: 1),
    block("low-bits", "8 low bits of 8", lowBits: 8),
    block("no-second-series", "low bits without a second series", lowBits: 1),
    block("page-of-252", "pages of 252 integers") { $0.page = 252 },
    block("page-of-258", "pages of 258 integers") { $0.page = 258 },
    block("page-too-large", "pages of 2^22 + 4 integers") { $0.page = 1 << 22 + 4 },
    block("slots", "2^13 slots") { ($0.log, $0.tables) = (13, [DraftNumbers.table((0, 128, 8192))]) },
    block("slots-of-few", "8 tables of 2^12 slots for 64 integers") {
      ($0.log, $0.tables) = (12, repeating(DraftNumbers.table((0, 128, 4096)), 8))
    },
    block("no-predictor", "no predictor") { $0.predictors = [] },
    block("predictors", "33 predictors") { $0.predictors = repeating([0, 0], 33) },
    block("shift", "a shift of 16") { $0.predictors = [[16, 0]] },
    block("taps", "nine taps") { $0.predictors = [[0, 9] + repeating([3, 1, 0], 9).joined()] },
    block("lag-0", "a lag of 0") { $0.predictors = [DraftNumbers.predictor(0, (0, 1))] },
    block("lag", "a lag of 2^22 + 1") { $0.predictors = [DraftNumbers.predictor(0, (1 << 22 + 1, 1))] },
    block("no-table", "no table") { $0.tables = [] },
    block("tables", "33 tables") { $0.tables = repeating(DraftNumbers.table((0, 128, 1)), 33) },
    block("weights-left", "weights of 1 for two slots") { $0.log = 1 },
    block("weights-beyond", "weights of 2 for one slot") { $0.tables = [DraftNumbers.table((0, 128, 2))] },
    block("bins-without-weight", "a bin behind the last slot") {
      $0.tables = [DraftNumbers.table((0, 128, 1), (0, 0, 1))]
    },
    block("bin-of-9-bits", "a bin of 9 bits of 8") { $0.tables = [DraftNumbers.table((9, 0, 1))] },
    block("bin-beyond", "a bin that begins behind the largest integer") {
      $0.tables = [DraftNumbers.table((0, 256, 1))]
    },
    block("bin-that-ends-beyond", "a bin that ends behind the largest integer") {
      $0.tables = [DraftNumbers.table((1, 255, 1))]
    },
    block("no-model", "no model") { $0.models = [] },
    block("models", "17 models") { $0.models = repeating([1, 0, 0], 17) },
    block("period-0", "a period of 0") { $0.models = [[0]] },
    block("period", "a period of 49") { $0.models = [[49] + Bytes(repeating: 0, count: 98)] },
    block("predictor-of-a-model", "a predictor that is not there") { $0.models = [[1, 1, 0]] },
    block("table-of-a-model", "a table that is not there") { $0.models = [[1, 0, 1]] },
    block("model-of-a-page", "a model that is not there") {
      ($0.models, $0.pages) = ([[1, 0, 0], [1, 0, 0]], [2])
    },
    block("state", "a state that is no slot") { $0.states[1] = 1 },
    block("unused-bits", "8 unused bits") { ($0.skipped, $0.bits) = (8, [0]) },
    block("unused-bits-of-nothing", "unused bits, and no bytes") { $0.skipped = 1 },
    block("bits-left", "bits that nobody takes") { $0.bits = [0] },
    block("bits-missing", "fewer bits than the integers take") {
      ($0.tables, $0.bits) = ([DraftNumbers.table((1, 128, 1))], Bytes(repeating: 0, count: 7))
    },
    block("state-at-the-end", "a state that does not end at 0") {
      ($0.log, $0.tables, $0.states) = (1, [DraftNumbers.table((0, 128, 2))], [0, 0, 1, 0])
    },
    block("bytes-behind", "a byte behind the last one", rest: [0]),
    block("cut", "the last byte is missing") {
      $0.bits = []
    } change: {
      $0.removeLast()
    },
  ]

  private static func repeating(_ bytes: Bytes, _ count: Int) -> [Bytes] {
    Array(repeating: bytes, count: count)
  }

  /// A segment of 64 bytes whose only block has the codec for numbers, and is none.
  private static func block(
    _ name: String, _ reason: String, transform: UInt8 = 0, lowBits: UInt8 = 0, base: Double? = nil,
    rest: Bytes = [], _ spoil: (inout DraftNumbers) -> Void = { _ in },
    change: (inout Bytes) -> Void = { _ in }
  ) -> InvalidCase {
    var series = DraftNumbers()
    spoil(&series)
    var stored = DraftNumbers.block(transform: transform, lowBits: lowBits, base: base, rest: rest, series)
    change(&stored)
    return InvalidCase(
      "S12", "numbers-" + name, reason,
      root: join([Kind.packed], packedArray(format(5), count: 600, segment: 0))
    ) {
      $0.segments = [
        .bulk(Bytes(repeating: 0, count: 600), format: format(5), elements: 1, .numbers(1, stored: [stored]))
      ]
    }
  }
}
