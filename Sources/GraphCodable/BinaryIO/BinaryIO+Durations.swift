// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Durations and instants are 16 bytes, the attoseconds as a little-endian int128; see Types/Durations.swift.

extension Duration: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.append(self) }
  public init(from rbuffer: inout BinaryReadBuffer) throws { self = try rbuffer.take(Duration.self) }
}

extension ContinuousClock.Instant: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafeBitCast(self, to: Duration.self).write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = unsafeBitCast(try Duration(from: &rbuffer), to: Self.self)
  }
}

extension SuspendingClock.Instant: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafeBitCast(self, to: Duration.self).write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = unsafeBitCast(try Duration(from: &rbuffer), to: Self.self)
  }
}
