import Foundation

extension Node {
  var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  /// The node as a value of a basic type, or `Data`; nil for other types.
  ///
  /// Numbers are converted where the value stays the same, and to a `Float` where it is rounded. For a known type
  /// the compiler leaves one line of this.
  ///
  /// - Parameter place: makes the decoder whose path an error names.
  @inline(__always)
  func scalar<Value>(_ place: () -> NodeDecoder) throws -> Value? {
    // Safe because the types are the same.
    @inline(__always)
    func same<Other>(_ value: Other) -> Value { unsafeBitCast(value, to: Value.self) }

    if Value.self == Int.self {
      return same(try integer(Int.self, place))
    } else if Value.self == Double.self {
      return same(try double(place))
    } else if Value.self == String.self {
      guard case .string(let value) = self else { throw mismatch(String.self, at: place().codingPath) }
      return same(value)
    } else if Value.self == Bool.self {
      guard case .bool(let value) = self else { throw mismatch(Bool.self, at: place().codingPath) }
      return same(value)
    } else if Value.self == Float.self {
      return same(try float(place))
    } else if Value.self == Data.self {
      guard case .data(let value) = self else { throw mismatch(Data.self, at: place().codingPath) }
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
    if case .int(let int) = self, let value = Value(exactly: int) { return value }
    return try otherInteger(type, place)
  }

  // One function for all types: the compiler would make two for each.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  private func otherInteger<Value: FixedWidthInteger>(
    _ type: Value.Type, _ place: () -> NodeDecoder
  ) throws -> Value {
    let value: Value? =
      switch self {
      case .int(let int): Value(exactly: int)
      case .uint(let uint): Value(exactly: uint)
      case .wideInteger(let digits): Value(digits)
      case .double(let double): Value(exactly: double)
      case .float(let float): Value(exactly: float)
      default: throw mismatch(type, at: place().codingPath)
      }
    guard let value else { throw doesNotFit(type, place) }
    return value
  }

  private func double(_ place: () -> NodeDecoder) throws -> Double {
    let value: Double? =
      switch self {
      case .double(let double): double
      case .float(let float): Double(float)
      case .int(let int): Double(exactly: int)
      case .uint(let uint): Double(exactly: uint)
      default: throw mismatch(Double.self, at: place().codingPath)
      }
    guard let value else { throw doesNotFit(Double.self, place) }
    return value
  }

  private func float(_ place: () -> NodeDecoder) throws -> Float {
    if case .float(let float) = self { return float }
    guard case .double(let double) = self else { return Float(try self.double(place)) }
    let float = Float(double)
    guard float.isFinite || !double.isFinite else { throw doesNotFit(Float.self, place) }
    return float
  }

  /// The error where this node is asked for as another type.
  @inline(never)
  func mismatch(_ type: Any.Type, at path: [any CodingKey]) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: path, debugDescription: "A value of type \(type) was expected; there is \(kindName).")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  @inline(never)
  private func doesNotFit(_ type: Any.Type, _ place: () -> NodeDecoder) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: place().codingPath, debugDescription: "The number \(self) does not fit in a \(type).")
    )
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
