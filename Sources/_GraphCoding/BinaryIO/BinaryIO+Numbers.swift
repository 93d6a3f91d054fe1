import _GraphSupport

// Numbers are written as their own bytes, little-endian; `Int` and `UInt` as 64 bits on every platform.

extension BinaryWriteBuffer {
  fileprivate mutating func write(_ value: some FixedWidthInteger & BitwiseCopyable) {
    append(value.littleEndian)
  }
}

extension BinaryReadBuffer {
  fileprivate mutating func read<Value: FixedWidthInteger & BitwiseCopyable>() throws -> Value {
    Value(littleEndian: try take(Value.self))
  }
}

extension BinaryOType where Self: FixedWidthInteger & BitwiseCopyable {
  /// Writes the integer's own bytes, little-endian.
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(self) }
}

extension BinaryIType where Self: FixedWidthInteger & BitwiseCopyable {
  /// Reads the integer's own bytes, little-endian.
  public init(from rbuffer: inout BinaryReadBuffer) throws { self = try rbuffer.read() }
}

extension Int8: BinaryIOType {}
extension Int16: BinaryIOType {}
extension Int32: BinaryIOType {}
extension Int64: BinaryIOType {}
extension UInt8: BinaryIOType {}
extension UInt16: BinaryIOType {}
extension UInt32: BinaryIOType {}
extension UInt64: BinaryIOType {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(Int64(self)) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let value: Int64 = try rbuffer.read()
    guard let fitting = Int(exactly: value) else { throw BinaryIOError.invalid(Int.self, value) }
    self = fitting
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(UInt64(self)) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let value: UInt64 = try rbuffer.read()
    guard let fitting = UInt(exactly: value) else { throw BinaryIOError.invalid(UInt.self, value) }
    self = fitting
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Float: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(bitPattern) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(bitPattern: try rbuffer.read() as UInt32)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(bitPattern) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(bitPattern: try rbuffer.read() as UInt64)
  }
}

#if !(os(macOS) && arch(x86_64))
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension Float16: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(bitPattern) }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init(bitPattern: try rbuffer.read() as UInt16)
    }
  }
#endif

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: BinaryIOType {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: BinaryIOType {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Bool: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.write(self ? 1 : 0 as UInt8) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let byte: UInt8 = try rbuffer.read()
    guard byte <= 1 else { throw BinaryIOError.invalid(Bool.self, byte) }
    self = byte == 1
  }
}

/// Errors that standard types share.
enum BinaryIOError {
  @inline(never)
  static func invalid(_ type: Any.Type, _ value: Any) -> GCodableError {
    GCodableError(
      .invalidValue, "\(value) is not a value of the type", typeName: _typeName(type, qualified: true))
  }

  /// Bounds are not in the message, because `Date` traps on printing an invalid date.
  @inline(never)
  static func badBounds(_ type: Any.Type) -> GCodableError {
    invalid(type, "a range whose bounds are in the wrong order, or not numbers,")
  }
}
