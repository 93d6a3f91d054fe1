/// A repeatable source of random numbers: the same seed gives the same numbers on every platform.
///
/// SplitMix64 by Sebastiano Vigna (https://prng.di.unimi.it/splitmix64.c).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number below `bound`, which is positive.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True once in `times`, on average.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }
}
