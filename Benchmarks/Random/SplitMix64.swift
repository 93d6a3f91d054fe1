/// A small random generator whose numbers are the same on every platform and in every Swift version.
///
/// The standard library's `Int.random(in:using:)` and its relatives may change how they draw from a
/// generator, so the helpers below do it themselves: the workloads must stay the same bytes from one year to
/// the next.
struct SplitMix64 {
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

  /// An integer in `0..<bound`, by Lemire's multiplication; its bias is below 2⁻³² for the bounds used here.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A double in `0..<1` with 53 random bits.
  mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A double in `-bound..<bound`.
  mutating func symmetric(_ bound: Double) -> Double {
    (unit() * 2 - 1) * bound
  }

  mutating func flag() -> Bool {
    next() >> 63 == 1
  }

  /// A word of lower-case ASCII letters.
  mutating func word(length: Int) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      for index in 0..<length {
        buffer[index] = UInt8(ascii: "a") + UInt8(below(26))
      }
      return length
    }
  }
}
