import _GraphFiles

// A duration is its attoseconds as an int128: the two words that it is in memory.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Duration: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.duration) }
  public static var _graphZero: Duration { .zero }
}

// An instant is the duration since the start of its clock. Clocks start when the machine does, so an instant
// is meaningful only to processes on the same machine until it restarts. No interface available on all
// supported systems gives that duration, so it is taken from memory; `unsafeBitCast` checks the size.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContinuousClock.Instant: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.continuousInstant) }
  public static var _graphZero: Self { unsafe unsafeBitCast(Duration.zero, to: Self.self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SuspendingClock.Instant: _GraphFixed {
  public static var _graphPacked: PackedFormat { .init(.suspendingInstant) }
  public static var _graphZero: Self { unsafe unsafeBitCast(Duration.zero, to: Self.self) }
}
