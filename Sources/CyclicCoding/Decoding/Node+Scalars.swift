import Foundation

extension Node {
  var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  /// The node as a value of a basic type, or `Data`; nil for other types.
  ///
  /// Numbers are converted as `JSONDecoder` converts them: to an integer if that is exact, to a floating-point number
  /// with rounding. When specialized for a type, one line of this remains.
  ///
  /// - Parameter place: Makes the decoder whose path an error gives.
  @inline(__always)
  func scalar<Value>(_ place: () -> NodeDecoder) throws -> Value? {
    // Safe because the types are the same.
    @inline(__always)
    func same<Other>(_ value: Other) -> Value { unsafe unsafeBitCast(value, to: Value.self) }

    if Value.self == Int.self {
      return same(try integer(Int.self, place))
    } else if Value.self == Double.self {
      return same(try double(place))
    } else if Value.self == String.self {
      guard case .string(let value) = self else { throw mismatch(String.self, at: place()) }
      return same(value)
    } else if Value.self == Bool.self {
      guard case .bool(let value) = self else { throw mismatch(Bool.self, at: place()) }
      return same(value)
    } else if Value.self == Float.self {
      return same(try float(place))
    } else if Value.self == Data.self {
      guard case .data(let value) = self else { throw mismatch(Data.self, at: place()) }
      return same(value)
    } else if Value.self == Int8.self {
      return same(try integer(Int8.self, place))
    } else if Value.self == Int16.self {
      return same(try integer(Int16.self, place))
    } else if Value.self == Int32.self {
      return same(try integer(Int32.self, place))
    } else if Value.self == Int64.self {
      return same(try integer(Int64.self, place))
    } else if Value.self == UInt8.self {
      return same(try integer(UInt8.self, place))
    } else if Value.self == UInt16.self {
      return same(try integer(UInt16.self, place))
    } else if Value.self == UInt32.self {
      return same(try integer(UInt32.self, place))
    } else if Value.self == UInt64.self {
      return same(try integer(UInt64.self, place))
    } else if Value.self == UInt.self {
      return same(try integer(UInt.self, place))
    } else if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      if Value.self == Int128.self {
        return same(try integer(Int128.self, place))
      } else if Value.self == UInt128.self {
        return same(try integer(UInt128.self, place))
      }
    }
    return nil
  }

  private func integer<Value: FixedWidthInteger>(
    _ type: Value.Type, _ place: () -> NodeDecoder
  ) throws -> Value {
    let value: Value? =
      switch self {
      case .int(let int): Value(exactly: int)
      case .uint(let uint): Value(exactly: uint)
      case .wideInteger(let digits): Value(digits)
      case .double(let double): Value(exactly: double)
      case .float(let float): Value(exactly: float)
      default: throw mismatch(type, at: place())
      }
    guard let value else { throw doesNotFit(type, place) }
    return value
  }

  private func double(_ place: () -> NodeDecoder) throws -> Double {
    switch self {
    case .double(let double): double
    case .float(let float): Double(float)
    case .int(let int): Double(int)
    case .uint(let uint): Double(uint)
    case .wideInteger(let digits): try rounded(digits, place)
    default: throw mismatch(Double.self, at: place())
    }
  }

  private func float(_ place: () -> NodeDecoder) throws -> Float {
    switch self {
    case .float(let float): return float
    case .double(let double):
      let float = Float(double)
      guard float.isFinite || !double.isFinite else { throw doesNotFit(Float.self, place) }
      return float
    // Not through a `Double`: rounding twice may give another number.
    case .int(let int): return Float(int)
    case .uint(let uint): return Float(uint)
    case .wideInteger(let digits): return try rounded(digits, place)
    default: throw mismatch(Float.self, at: place())
    }
  }

  private func rounded<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ digits: String, _ place: () -> NodeDecoder
  ) throws -> Value {
    let unsigned = digits.utf8.drop { $0 == UInt8(ascii: "-") }
    // A forged container may have other text here, such as "nan".
    guard unsigned.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let value = Value(digits),
      value.isFinite
    else { throw doesNotFit(Value.self, place) }
    return value
  }

  /// The error for a node of another kind than `type`.
  func mismatch(_ type: Any.Type, at place: NodeDecoder) -> DecodingError {
    let context = place.errorContext("Expected to decode \(type) but found \(kindName).")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func doesNotFit(_ type: Any.Type, _ place: () -> NodeDecoder) -> DecodingError {
    .dataCorrupted(place().errorContext("The number \(numberText) does not fit in \(type)."))
  }

  private var numberText: String {
    switch self {
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .wideInteger(let digits): digits
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    default: ""
    }
  }

  private var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "a Bool"
    case .int, .uint, .wideInteger: "an integer"
    case .float, .double: "a floating-point number"
    case .string: "a string"
    case .data: "data"
    case .unkeyed: "a list"
    case .keyed: "a value with keys"
    case .object: "a reference"
    }
  }
}
