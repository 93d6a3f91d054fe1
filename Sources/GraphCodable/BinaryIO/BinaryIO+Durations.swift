// Durations and instants are 16 bytes, the attoseconds as a little-endian int128; see Types/Durations.swift.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Duration: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.append(self) }
  public init(from rbuffer: inout BinaryReadBuffer) throws { self = try rbuffer.take(Duration.self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContinuousClock.Instant: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafeBitCast(self, to: Duration.self).write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = unsafeBitCast(try Duration(from: &rbuffer), to: Self.self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SuspendingClock.Instant: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafeBitCast(self, to: Duration.self).write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = unsafeBitCast(try Duration(from: &rbuffer), to: Self.self)
  }
}
