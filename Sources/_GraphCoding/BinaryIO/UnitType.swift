import Foundation

/// What a data unit is, for readers without its type; the numbers are part of the format.
@usableFromInline
struct UnitType: Equatable {
  /// Four times the number of the type of the values, and how many there are.
  @usableFromInline let rawValue: UInt64

  /// How many values a data unit has.
  @usableFromInline
  enum Count: UInt64 {
    case one = 0
    /// A count, then that many elements.
    case list
    /// As a list; no two elements are equal.
    case set
    /// A count of pairs, then the key and value of each; the number of the type is 0.
    case pairs
  }

  /// The unit of values of a type that writes its own bytes.
  @usableFromInline
  init(_ type: Any.Type, _ count: Count = .one) {
    rawValue = Self.number(of: type) << 2 | count.rawValue
  }

  /// The unit of a container about which nothing is known.
  @usableFromInline
  init(_ count: Count) { rawValue = count.rawValue }

  /// Whether a stored unit can be read as this one: a set has the bytes of a list.
  func reads(_ stored: UInt64) -> Bool {
    func asList(_ value: UInt64) -> UInt64 { value & 3 == Count.set.rawValue ? value - 1 : value }
    return asList(rawValue) == asList(stored)
  }

  /// 0 for the user's types, which only the types themselves can read.
  private static func number(of type: Any.Type) -> UInt64 {
    if type == Decimal.self { return 1 }
    if type == DateInterval.self { return 2 }
    if type == AffineTransform.self { return 3 }
    if type == DispatchTimeInterval.self { return 4 }
    return 0
  }
}
