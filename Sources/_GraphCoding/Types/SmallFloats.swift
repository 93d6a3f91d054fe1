import _GraphFiles

extension PackedFormat.Scalar {
  /// The number that a float of 8 or 16 bits stands for, which Swift has no type for; nil for other scalars.
  ///
  /// All NaNs are one. bfloat16 is the upper half of a binary32. The two of 8 bits are those of the OCP 8-bit Floating Point
  /// Specification: `float8e5m2` is the upper half of a binary16, `float8e4m3` has no infinities and one NaN.
  public func smallFloat(_ bits: UInt16) -> Float? {
    switch self {
    case .bfloat16: bits & 0x7FFF > 0x7F80 ? .nan : Float(bitPattern: UInt32(bits) << 16)
    case .float8e4m3: bits & 0x7F == 0x7F ? .nan : Self.float(bits, mantissaBitCount: 3, bias: 7)
    case .float8e5m2:
      bits & 0x7C == 0x7C
        ? bits & 3 != 0 ? .nan : bits & 0x80 == 0 ? .infinity : -.infinity
        : Self.float(bits, mantissaBitCount: 2, bias: 15)
    default: nil
    }
  }

  /// The finite number of a sign, an exponent and a mantissa in 8 bits.
  private static func float(_ bits: UInt16, mantissaBitCount: Int, bias: Int) -> Float {
    let exponent = Int(bits & 0x7F) >> mantissaBitCount
    let fraction = Float(bits & (1 << UInt16(mantissaBitCount) - 1)) / Float(1 << mantissaBitCount)
    // Subnormal numbers have no leading one.
    let significand = exponent == 0 ? fraction : 1 + fraction
    let size = Float(sign: .plus, exponent: max(exponent, 1) - bias, significand: significand)
    return bits & 0x80 == 0 ? size : -size
  }
}
