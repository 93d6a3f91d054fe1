import _GraphSupport

/// The precision to which floating-point numbers are stored.
///
///     try encoder.encode(positions, for: Key.positions, precision: .absolute(0.005))
///
/// Numbers that need not be exact compress to a fraction. The bound holds for each number; infinities, NaN with their
/// payload, the sign of zero, and numbers whose neighbours are farther away than the bound come back exactly. Encoding
/// decoded numbers to the same precision again changes none of them.
public struct GPrecision: Sendable, Hashable {
  /// The permitted error of a number.
  enum Mode: Hashable {
    case absolute(Double)
    case relative(Double)
    case bits(Int)
  }

  let mode: Mode

  /// Each number within `error` of what it was.
  ///
  /// Numbers of arrays become multiples of nearly twice the error; fields of packed structs, of a power of two.
  ///
  /// - Parameter error: positive and finite, in the unit of the numbers.
  public static func absolute(_ error: Double) -> Self { Self(mode: .absolute(error)) }

  /// Each number within `error` times its own magnitude; subnormal numbers are exact.
  ///
  /// - Parameter error: more than 0 and less than 1.
  public static func relative(_ error: Double) -> Self { Self(mode: .relative(error)) }

  /// The upper `count` bits of the mantissa, rounded to the nearest, ties to even; subnormal numbers are exact.
  ///
  /// - Parameter count: 1 to 52. A `Float` has 23 and a `Float16` 10: with as many or more, it is stored exactly.
  public static func bits(_ count: Int) -> Self { Self(mode: .bits(count)) }

  /// - Throws: `invalidValue` for a precision that no number can have.
  package func check() throws {
    let isValid =
      switch mode {
      case .absolute(let error): error > 0 && error.isFinite
      case .relative(let error): error > 0 && error < 1
      case .bits(let count): (1...52).contains(count)
      }
    guard isValid else { throw GCodableError(.invalidValue, "\(self) is not a precision: \(requirement)") }
  }

  private var requirement: String {
    switch mode {
    case .absolute: "an absolute error is positive and finite"
    case .relative: "a relative error is more than 0 and less than 1"
    case .bits: "a mantissa has 1 to 52 bits"
    }
  }
}

extension GPrecision: CustomStringConvertible {
  /// The precision as written in Swift: `absolute(0.005)`.
  public var description: String {
    switch mode {
    case .absolute(let error): "absolute(\(error))"
    case .relative(let error): "relative(\(error))"
    case .bits(let count): "bits(\(count))"
    }
  }
}
