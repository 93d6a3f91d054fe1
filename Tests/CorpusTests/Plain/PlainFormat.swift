/// A packed format by the tables of the document.
struct PlainFormat {
  let scalar: String
  let byteCountOfScalar: Int
  let laneCount: Int
  let meaning: String

  private static let scalars = [
    ("", 0), ("int8", 1), ("int16", 2), ("int32", 4), ("int64", 8), ("uint8", 1), ("uint16", 2),
    ("uint32", 4),
    ("uint64", 8), ("float16", 2), ("float32", 4), ("float64", 8), ("bool", 1), ("int128", 16),
    ("uint128", 16),
    ("uuid", 16), ("date", 8), ("byte", 1), ("duration", 16), ("continuousInstant", 16),
    ("suspendingInstant", 16), ("bfloat16", 2), ("float8e4m3", 1), ("float8e5m2", 1), ("decimal128", 16),
    ("25", 1), ("26", 2), ("27", 4), ("28", 8), ("29", 16), ("30", 16), ("31", 32),
  ]
  private static let lanes = [1, 2, 3, 4, 8, 16, 32, 64]
  /// Name, number of lanes and scalar.
  private static let meanings: [(String, Int?, String?)] = [
    ("none", nil, nil), ("range", 2, nil), ("closedRange", 2, nil), ("partialRangeFrom", 1, nil),
    ("partialRangeUpTo", 1, nil), ("partialRangeThrough", 1, nil), ("locationAndLength", 2, "int64"),
    ("point", 2, "float64"), ("size", 2, "float64"), ("rectangle", 4, "float64"),
    ("planeVector", 2, "float64"), ("characterSet", 1, "byte"), ("complex", 2, nil),
    ("unixSeconds", 1, "int64"), ("unixMilliseconds", 1, "int64"), ("unixMicroseconds", 1, "int64"),
    ("unixNanoseconds", 1, "int64"), ("spanSeconds", 1, "int64"), ("spanMilliseconds", 1, "int64"),
    ("spanMicroseconds", 1, "int64"), ("spanNanoseconds", 1, "int64"), ("utf8", 1, "byte"),
  ]

  /// nil for a number that no format has.
  init?(_ number: UInt64) {
    let (scalar, meaning) = (Int(number & 31), number >> 8)
    guard (1..<Self.scalars.count).contains(scalar), meaning < 256 else { return nil }
    (self.scalar, byteCountOfScalar) = Self.scalars[scalar]
    laneCount = Self.lanes[Int(number >> 5 & 7)]
    guard meaning < UInt64(Self.meanings.count) else {
      self.meaning = "\(meaning)"
      return
    }
    let (name, lanes, itsScalar) = Self.meanings[Int(meaning)]
    guard lanes ?? laneCount == laneCount, itsScalar ?? self.scalar == self.scalar,
      name != "complex" || ["float16", "float32", "float64"].contains(self.scalar)
    else { return nil }
    self.meaning = name
  }

  /// Whether it is that of `Data`.
  var isByte: Bool { scalar == "byte" && laneCount == 1 && meaning == "none" }

  /// Whether the innermost arrays of its elements are strings.
  var isText: Bool { meaning == "utf8" }

  var byteCount: Int { byteCountOfScalar * laneCount }

  var json: JSON {
    .object(
      [("scalar", .string(scalar)), ("lanes", .number("\(laneCount)"))]
        + (meaning == "none" ? [] : [("meaning", .string(meaning))]))
  }

  /// The scalars of some elements.
  func scalars(_ bytes: ArraySlice<UInt8>) -> [JSON] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: byteCountOfScalar).map {
      scalarJSON(bytes[$0..<($0 + byteCountOfScalar)])
    }
  }

  private func scalarJSON(_ bytes: ArraySlice<UInt8>) -> JSON {
    func bits<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type) -> Value {
      bytes.reversed().reduce(0) { $0 << 8 | Value($1) }
    }
    switch scalar {
    case "int8": return .integer(Int8(bitPattern: bits(UInt8.self)))
    case "int16": return .integer(Int16(bitPattern: bits(UInt16.self)))
    case "int32": return .integer(Int32(bitPattern: bits(UInt32.self)))
    case "int64": return .integer(Int64(bitPattern: bits(UInt64.self)))
    case "uint8", "uint16", "uint32", "uint64": return .integer(bits(UInt64.self))
    case "float16", "float32", "float64", "date": return PlainFloat.json(bits(UInt64.self), bytes.count)
    case "bool": return .bool(bytes.first == 1)
    default: return .hex(bytes)
    }
  }

  /// Whether all bools among the scalars are 0 or 1.
  func hasRightBools(_ element: ArraySlice<UInt8>) -> Bool {
    scalar != "bool" || element.allSatisfy { $0 <= 1 }
  }
}

/// Floating-point numbers as JSON: their bits, and a number where there is one.
enum PlainFloat {
  static func json(_ bits: UInt64, _ byteCount: Int) -> JSON {
    let digits = String(bits, radix: 16)
    let hex = JSON.string(String(repeating: "0", count: 2 * byteCount - digits.count) + digits)
    let text: String
    switch byteCount {
    case 2: text = "\(half(UInt16(bits)))"
    case 4: text = "\(Float(bitPattern: UInt32(bits)))"
    default: text = "\(Double(bitPattern: bits))"
    }
    let isNumber = text.allSatisfy { "0123456789+-.e".contains($0) }
    return .object([("bits", hex)] + (isNumber ? [("number", .number(text))] : []))
  }

  /// A binary16, which not every platform has.
  private static func half(_ bits: UInt16) -> Double {
    let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
    let magnitude: Double
    switch exponent {
    case 0: magnitude = fraction * 0x1p-24
    case 31: magnitude = fraction == 0 ? .infinity : .nan
    default: magnitude = Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
    }
    return bits >> 15 == 1 ? -magnitude : magnitude
  }
}
