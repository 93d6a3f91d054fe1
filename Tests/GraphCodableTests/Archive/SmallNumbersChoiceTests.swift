import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// `compression = .small` takes LZ4 where that is smaller: for arrays that recur, from near or from far.
@Suite("Small numbers: LZ4 or numbers") struct SmallNumbersChoiceTests {
  /// Arrays that repeat a row of numbers, or of steps from each number to the next.
  private struct Recurring {
    let row: [Int64]
    let count: Int
    let haveSteps: Bool

    init(_ random: inout SplitMix64) {
      let (period, bits) = (random.below(40_000) + 50, random.below(40) + 8)
      let (kind, amplitude) = (random.below(6), Double(sign: .plus, exponent: bits, significand: 1))
      row = (0..<period).map { place in
        let wave = Int64(sin(2 * .pi * Double(place) / Double(period)) * amplitude)
        switch kind {
        case 0: return Int64(random.next() >> UInt64(64 - bits))
        case 1: return wave
        case 2: return Int64(place * (random.below(16) + 1))
        case 3: return wave + Int64(random.below(256))
        // Of all magnitudes, and about the mean of several.
        case 4: return Int64(exp2(Double(bits) * random.unit())) * (random.below(2) == 0 ? 1 : -1)
        default: return Int64((random.unit() + random.unit() + random.unit() - 1.5) * amplitude)
        }
      }
      count = random.below(300_000) + 1_000
      haveSteps = random.below(4) == 0
    }

    func array<Number: Numeric>(_ number: (Int64) -> Number, add: (Number, Number) -> Number) -> [Number] {
      let numbers = row.map(number)
      var (sum, array) = (Number.zero, [Number]())
      for place in 0..<count {
        let next = numbers[place % numbers.count]
        sum = add(sum, next)
        array.append(haveSteps ? sum : next)
      }
      return array
    }
  }

  @Test(arguments: 0..<80 as Range<UInt64>) func whatRecursIsNoLargerThanWithLZ4(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let recurring = Recurring(&random)
    // Rows of a 64th of what recurs, or none.
    let row = seed % 3 == 0 ? recurring.row.count / 64 + 2 : nil
    switch seed % 4 {
    case 0: try check(recurring.array({ $0 }, add: &+), row)
    case 1: try check(recurring.array({ Int32(truncatingIfNeeded: $0) }, add: &+), row)
    case 2: try check(recurring.array({ Double($0) / 1000 }, add: +), row)
    default: try check(recurring.array({ Float($0) }, add: +), row)
    }
  }

  private func check<Number: GCodable & _GraphPackable>(_ numbers: [Number], _ row: Int?) throws {
    guard let row, numbers.count >= 2 * row else { return try checkSizes(numbers) }
    let array = GArray(Array(numbers.prefix(numbers.count / row * row)), shape: [numbers.count / row, row])
    try checkSizes(array)
  }

  private func checkSizes(_ array: some GEncodable) throws {
    let most = try encoded(array).count
    // Where both are as small, the blocks that are tried may be those that one of them makes smaller than the others.
    try #expect(encoded(array, compression: .small).count <= most + most / 256)
  }
}

extension SplitMix64 {
  /// From 0 to 1, without that.
  fileprivate mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
