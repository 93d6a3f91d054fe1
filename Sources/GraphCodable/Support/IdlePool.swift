import CGraphArchive

/// Coders that have done their work and wait for more: a small message takes less time than a new coder.
///
/// A thread finds the one that it has put there itself, as a rule; no thread ever waits for another.
struct IdlePool<Coder: AnyObject>: @unchecked Sendable {
  /// Each holds a retained coder or nil, and is read and written by `gca_exchange` alone.
  private let places: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  private static var placeBits: UInt { 4 }

  init() {
    places = .allocate(capacity: 1 << Self.placeBits)
    places.initialize(repeating: nil, count: 1 << Self.placeBits)
  }

  /// The place for what the calling thread does, which it may share with other threads and other work.
  ///
  /// - Parameter mark: tells kinds of work apart that need coders of their own.
  private func place(_ mark: UInt) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    // Threads have different stacks, so the product's top bits differ as a rule.
    let hash = (UInt(gca_stack_bottom()) ^ mark) &* 0x9E37_79B9_7F4A_7C15
    return places + Int(hash >> (UInt(UInt.bitWidth) - Self.placeBits))
  }

  func take(_ mark: UInt = 0) -> Coder? {
    gca_exchange(place(mark), nil).map { Unmanaged<Coder>.fromOpaque($0).takeRetainedValue() }
  }

  func put(_ coder: Coder, _ mark: UInt = 0) {
    let other = gca_exchange(place(mark), Unmanaged.passRetained(coder).toOpaque())
    if let other { Unmanaged<Coder>.fromOpaque(other).release() }
  }
}
