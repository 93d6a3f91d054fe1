// Durations and instants are 16 bytes, the attoseconds as a little-endian int128; see Types/Durations.swift.
// An instant of a clock is its duration since the clock's start and nothing else.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Duration: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.append(self) }
  public init(from rbuffer: inout BinaryReadBuffer) throws { self = try rbuffer.take(Duration.self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContinuousClock.Instant: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafe unsafeBitCast(self, to: Duration.self).write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = unsafe unsafeBitCast(try Duration(from: &rbuffer), to: Self.self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SuspendingClock.Instant: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafe unsafeBitCast(self, to: Duration.self).write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = unsafe unsafeBitCast(try Duration(from: &rbuffer), to: Self.self)
  }
}
