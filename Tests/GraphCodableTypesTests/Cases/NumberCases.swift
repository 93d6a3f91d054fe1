import Foundation
import GraphCodable

/// Numbers, `Bool` and what is made of them.
enum NumberCases {
  static let all: [TypeCase] =
    integers + floats + [
      TypeCase("Bool", [false, true], golden: [true]),
      TypeCase("Duration", durations, golden: [.seconds(-1)]),
      TypeCase(
        "ContinuousClock.Instant", durations.map { continuousZero.advanced(by: $0) },
        golden: [continuousZero.advanced(by: .nanoseconds(1))]),
      TypeCase(
        "SuspendingClock.Instant", durations.map { suspendingZero.advanced(by: $0) },
        golden: [suspendingZero.advanced(by: .nanoseconds(1))]),
      TypeCase("Decimal", decimals, golden: [Decimal(string: "-12.5")!]),
      TypeCase("enum with raw values", [Side.left, .right], golden: [.right]),
      TypeCase(
        "OptionSet", [Sides(), .left, [.left, .right], Sides(rawValue: .max)], golden: [[.left, .right]]),
    ]

  private static let integers: [TypeCase] = [
    integer("Int", Int.self), integer("Int8", Int8.self),
    integer("Int16", Int16.self), integer("Int32", Int32.self),
    integer("Int64", Int64.self), integer("UInt", UInt.self),
    integer("UInt8", UInt8.self), integer("UInt16", UInt16.self),
    integer("UInt32", UInt32.self), integer("UInt64", UInt64.self),
    integer("Int128", Int128.self), integer("UInt128", UInt128.self),
  ]

  private static func integer<Value: FixedWidthInteger & GCodable & BinaryIOType & Sendable>(
    _ name: String, _ type: Value.Type
  ) -> TypeCase {
    let powers = (0..<Value.bitWidth).flatMap { bit in [Value(1) << bit, ~(Value(1) << bit)] }
    return TypeCase(
      name, [0, 1, .min, .max, 100] + powers, golden: [Value(truncatingIfNeeded: 100)])
  }

  private static let floats: [TypeCase] = [
    TypeCase(
      "Float16", [0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude, Float16(bitPattern: 0x7E01)],
      golden: [1.5]),
    TypeCase(
      "Float", [0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude, Float(bitPattern: 0x7FC0_0001)],
      golden: [1.5]),
    TypeCase("Double", doubles, golden: [1.5]),
    TypeCase("CGFloat", doubles.map { CGFloat($0) }, golden: [1.5]),
  ]

  /// Zeros of both signs, extremes, and NaNs with payload.
  static let doubles: [Double] = [
    1.5, 0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan, -.nan,
    Double(bitPattern: 0x7FF8_0000_DEAD_BEEF), Double(bitPattern: 0x7FF0_0000_0000_0001),
  ]

  static let durations: [Duration] = [
    .zero, .seconds(1), .nanoseconds(-1), Duration(secondsComponent: 7, attosecondsComponent: 1),
    .seconds(Int64.max), .seconds(Int64.min),
  ]

  /// The start of the clocks, which no interface gives on all platforms.
  private static let continuousZero: ContinuousClock.Instant = {
    let now = ContinuousClock.now
    return now.advanced(by: .zero - unsafeBitCast(now, to: Duration.self))
  }()
  private static let suspendingZero: SuspendingClock.Instant = {
    let now = SuspendingClock.now
    return now.advanced(by: .zero - unsafeBitCast(now, to: Duration.self))
  }()

  private static let decimals: [Decimal] = [
    0, 1, -1, .nan, .pi, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude,
    Decimal(string: "1.50")!, Decimal(sign: .plus, exponent: -2, significand: 150),
    Decimal(sign: .minus, exponent: 127, significand: 3), Decimal(0.1) + Decimal(0.2), Decimal(1) / 3,
  ]
}

enum Side: UInt8, GCodable, BinaryIOType { case left = 1, right = 2 }

struct Sides: OptionSet, GCodable, BinaryIOType {
  let rawValue: UInt16
  static let left = Sides(rawValue: 1)
  static let right = Sides(rawValue: 2)
}
