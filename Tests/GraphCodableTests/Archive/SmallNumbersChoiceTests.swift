import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// `compression = .small` takes LZ4 where that is smaller: for arrays that recur, from near or from far.
@Suite("Small numbers: LZ4 or numbers") struct SmallNumbersChoiceTests {
  /// Arrays that repeat a row of numbers: noise, a wave, a ramp of random steps, or a wave with noise.
  private struct Recurring {
    let row: [Int64]
    let count: Int

    init(_ random: inout SplitMix64) {
      let (period, bits) = (random.below(40_000) + 50, random.below(40) + 8)
      let (kind, amplitude) = (random.below(4), Double(sign: .plus, exponent: bits, significand: 1))
      row = (0..<period).map { place in
        let wave = Int64(sin(2 * .pi * Double(place) / Double(period)) * amplitude)
        switch kind {
        case 0: return Int64(random.next() >> UInt64(64 - bits))
        case 1: return wave
        case 2: return Int64(place * (random.below(16) + 1))
        default: return wave + Int64(random.below(256))
        }
      }
      count = random.below(300_000) + 1_000
    }

    func array<Number>(_ number: (Int64) -> Number) -> [Number] {
      let numbers = row.map(number)
      return (0..<count).map { numbers[$0 % numbers.count] }
    }
  }

  @Test(arguments: 0..<80 as Range<UInt64>) func whatRecursIsNoLargerThanWithLZ4(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let recurring = Recurring(&random)
    switch seed % 4 {
    case 0: try check(recurring.array { $0 })
    case 1: try check(recurring.array { Int32(truncatingIfNeeded: $0) })
    case 2: try check(recurring.array { Double($0) / 1000 })
    default: try check(recurring.array { Float($0) })
    }
  }

  private func check(_ array: some GCodable) throws {
    try #expect(encoded(array, compression: .small).count <= encoded(array).count)
  }
}
