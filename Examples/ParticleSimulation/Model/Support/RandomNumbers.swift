import Foundation

/// A small repeatable source of random numbers (SplitMix64).
///
/// It is used to set up a system only; the motion itself needs no chance, so no generator is part of the state.
struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0 ..< 1 with all 53 bits of a `Double` used.
  mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number from the normal distribution of mean 0 and variance 1 (Box–Muller).
  mutating func normal() -> Double {
    let radius = (-2 * Foundation.log(1 - uniform())).squareRoot()
    return radius * Foundation.cos(2 * Double.pi * uniform())
  }
}
