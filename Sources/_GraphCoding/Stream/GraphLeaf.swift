import CGraphArchive
import _GraphFiles
import _GraphSupport

/// A value without parts, as determined by its kind alone.
@safe  // Its bytes lie in the stream, and it is used while that is there.
package enum GraphLeaf {
  case bool(Bool)
  case signed(Int64)
  case unsigned(UInt64)
  /// The bits of a binary16, which not every platform has.
  case float16(UInt16)
  case float32(Float)
  case float64(Double)
  /// UTF-8, which has not been checked.
  case string(UnsafeRawBufferPointer)
  /// Bytes that only their type can read.
  case binary(UnsafeRawBufferPointer)
  /// A value unknown to this version of the format: its number and its bytes.
  case opaque(UInt64, UnsafeRawBufferPointer)
  case fixed(PackedFormat, UnsafeRawBufferPointer)
}

extension GraphKind {
  /// Whether the first byte gives the length of most values of the kind: see `GraphStream.skipShort`.
  fileprivate var isShort: Bool {
    @inline(__always) get { rawValue < 0x20 && Self.short & Self.bit(rawValue) != 0 }
  }

  private static var short: UInt32 {
    @inline(__always) get {
      bit(tagged.rawValue) | bit(reference.rawValue) | bit(string.rawValue) | bit(int64.rawValue)
        | bit(uint64.rawValue) | bit(float64.rawValue)
    }
  }

  @inline(__always)
  private static func bit(_ value: UInt8) -> UInt32 { 1 &<< UInt32(value) }
}

extension GraphStream {
  /// Reads a value without parts.
  ///
  /// - Throws: `malformed` for a kind of values with parts, or of none; for a number that its kind cannot hold.
  @inline(__always)
  mutating func readLeaf(_ kind: GraphKind) throws -> GraphLeaf {
    switch kind {
    case .string: return unsafe .string(try readBytes(try takeVarint()))
    case .int64: return .signed(gca_unzigzag(try takeVarint()))
    case .uint64: return .unsigned(try takeVarint())
    case .float64: return .float64(Double(bitPattern: try readUInt64()))
    case .float32: return .float32(Float(bitPattern: try readUInt32()))
    case .bool:
      let byte = try readByte()
      guard byte <= 1 else { throw malformed("a bool is neither 0 nor 1") }
      return .bool(byte == 1)
    default: return try readRareLeaf(kind)
    }
  }

  /// Moves past a number, string, reference or nil that is complete.
  ///
  /// - Returns: false for another kind, near the end, or for malformed bytes; the cursor then stays, and reading the value
  ///   reports the error.
  @inline(__always)
  mutating func skipShort(_ kind: GraphKind) -> Bool {
    guard kind.isShort, input.isFast else { return false }
    let start = input.cursor
    let inner = kind == .tagged ? GraphKind(rawValue: input.takeByte()).plain : kind
    if inner == .null || inner == .absent { return true }
    if input.isFast {
      switch inner {
      case .int64, .uint64:
        _ = input.takeVarint()
        return true
      case .float64:
        _ = input.takeUInt64()
        return true
      case .reference: if input.takeVarint() < objectCount { return true }
      case .string: if unsafe input.nextBytes(Int(clamping: input.takeVarint())) != nil { return true }
      default: break
      }
    }
    input.cursor = start
    return false
  }

  @inline(never)
  private mutating func readRareLeaf(_ kind: GraphKind) throws -> GraphLeaf {
    switch kind {
    case .int8: return .signed(Int64(Int8(bitPattern: try readByte())))
    case .int16: return .signed(try readSigned(bitCount: 16))
    case .int32: return .signed(try readSigned(bitCount: 32))
    case .uint8: return .unsigned(UInt64(try readByte()))
    case .uint16: return .unsigned(try readUnsigned(bitCount: 16))
    case .uint32: return .unsigned(try readUnsigned(bitCount: 32))
    case .float16: return unsafe .float16(try readBytes(2).loadUnaligned(as: UInt16.self))
    case .binary:
      _ = try readVarint()  // What it is makes no difference to a reader that skips it.
      return unsafe .binary(try readBytes(try readVarint()))
    case .opaque: return unsafe .opaque(try readVarint(), try readBytes(try readVarint()))
    case .fixed:
      let format = try readFormat()
      let bytes = try unsafe readBytes(UInt64(format.byteCount))
      if format.scalar == .bool { try unsafe checkBools(bytes) }
      return unsafe .fixed(format, bytes)
    default: throw malformed("\(kind) is not known")
    }
  }

  /// - Throws: `malformed` for bytes other than 0 and 1.
  @inline(never)
  package func checkBools(_ bytes: UnsafeRawBufferPointer) throws {
    guard unsafe bytes.allSatisfy({ $0 <= 1 }) else { throw malformed("a bool is neither 0 nor 1") }
  }

  private mutating func readSigned(bitCount: Int) throws -> Int64 {
    let number = gca_unzigzag(try takeVarint())
    let sign = number >> (bitCount - 1)
    guard sign == 0 || sign == -1 else { throw malformed("\(number) has more than \(bitCount) bits") }
    return number
  }

  private mutating func readUnsigned(bitCount: Int) throws -> UInt64 {
    let number = try takeVarint()
    guard number >> bitCount == 0 else { throw malformed("\(number) has more than \(bitCount) bits") }
    return number
  }
}
