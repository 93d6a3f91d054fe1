import GraphCodable

/// A number of an archive, as a `Double` and exactly.
struct StoredNumber {
  /// The number, rounded where it is an integer of more than 53 bits.
  let value: Double
  /// Ascends as the numbers of one type do, and differs wherever their bits do.
  let order: UInt64

  init(_ value: Double) {
    self.value = value
    let bits = value.bitPattern
    order = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  init(_ value: Int64) { (self.value, order) = (Double(value), UInt64(bitPattern: value) ^ 1 << 63) }

  init(_ value: UInt64) { (self.value, order) = (Double(value), value) }
}

/// How numbers of a type are read from bytes and written as text.
enum NumberType {
  case signed(PackedFormat.Scalar)
  case unsigned(PackedFormat.Scalar)
  case real(PackedFormat.Scalar)

  /// - Returns: nil for scalars that are not numbers of up to 64 bits.
  init?(_ scalar: PackedFormat.Scalar) {
    switch scalar {
    case .int8, .int16, .int32, .int64: self = .signed(scalar)
    case .uint8, .uint16, .uint32, .uint64, .byte, .bool: self = .unsigned(scalar)
    case .float16, .float32, .float64, .date, .bfloat16, .float8e4m3, .float8e5m2: self = .real(scalar)
    case .int128, .uint128, .uuid, .duration, .continuousInstant, .suspendingInstant, .decimal128: return nil
    }
  }

  /// The number whose bytes begin at `offset`.
  func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> StoredNumber {
    func bits<Bits: FixedWidthInteger>(_ type: Bits.Type) -> Bits {
      // Safe because a load checks that its bytes are in the buffer.
      Bits(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
    switch self {
    case .signed(.int8): return StoredNumber(Int64(bits(Int8.self)))
    case .signed(.int16): return StoredNumber(Int64(bits(Int16.self)))
    case .signed(.int32): return StoredNumber(Int64(bits(Int32.self)))
    case .signed: return StoredNumber(bits(Int64.self))
    case .unsigned(.uint16): return StoredNumber(UInt64(bits(UInt16.self)))
    case .unsigned(.uint32): return StoredNumber(UInt64(bits(UInt32.self)))
    case .unsigned(.uint64): return StoredNumber(bits(UInt64.self))
    case .unsigned: return StoredNumber(UInt64(bits(UInt8.self)))
    case .real(.float64), .real(.date): return StoredNumber(Double(bitPattern: bits(UInt64.self)))
    case .real(.float32): return StoredNumber(Double(Float(bitPattern: bits(UInt32.self))))
    case .real(let scalar):
      let small = scalar.byteCount == 1 ? UInt16(bits(UInt8.self)) : bits(UInt16.self)
      if scalar != .float16 { return StoredNumber(Double(scalar.smallFloat(small) ?? .nan)) }
      #if os(macOS) && arch(x86_64)
        return StoredNumber(.nan)
      #else
        return StoredNumber(Double(Float16(bitPattern: small)))
      #endif
    }
  }

  /// The text of the number with a place in the order of its type.
  func text(ofOrder order: UInt64) -> String {
    switch self {
    case .signed: "\(Int64(bitPattern: order ^ 1 << 63))"
    case .unsigned: "\(order)"
    case .real(let scalar):
      scalar == .float64 || scalar == .date
        ? shortest(Self.value(ofOrder: order)) : shortestSmall(Self.value(ofOrder: order))
    }
  }

  private static func value(ofOrder order: UInt64) -> Double {
    Double(bitPattern: order >> 63 == 1 ? order ^ 1 << 63 : ~order)
  }

  /// In the fewest digits that no other binary32 has.
  private func shortestSmall(_ value: Double) -> String {
    let text = "\(Float(value))"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
