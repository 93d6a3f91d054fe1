import CGraphArchive

/// Idle coders that wait for more work, because a small message takes less time than a new coder.
///
/// A thread finds the one that it has put there itself, as a rule; no thread ever waits for another.
@safe  // A place gives what it has to one thread alone, with the reference.
@usableFromInline
package struct IdlePool<Coder: AnyObject>: @unchecked Sendable {
  /// Each holds a retained coder or nil, and is read and written by `gca_exchange` alone.
  @usableFromInline let places: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  @inlinable static var placeBits: UInt { 4 }

  @inlinable package init() {
    unsafe places = .allocate(capacity: 1 << Self.placeBits)
    unsafe places.initialize(repeating: nil, count: 1 << Self.placeBits)
  }

  /// The place for what the calling thread does, which it may share with other threads and other work.
  ///
  /// - Parameter mark: tells kinds of work apart that need coders of their own.
  @inlinable func place(_ mark: UInt) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    // Threads have different stacks, so the product's top bits differ as a rule.
    let hash = (UInt(gca_stack_bottom()) ^ mark) &* 0x9E37_79B9_7F4A_7C15
    return unsafe places + Int(hash >> (UInt(UInt.bitWidth) - Self.placeBits))
  }

  @inlinable package func take(_ mark: UInt = 0) -> Coder? {
    unsafe gca_exchange(place(mark), nil).map { unsafe Unmanaged<Coder>.fromOpaque($0).takeRetainedValue() }
  }

  /// Moves a coder into the calling thread's place: nothing is retained.
  @inlinable package func put(_ coder: consuming Coder, _ mark: UInt = 0) {
    let reference = unsafe Unmanaged.passRetained(coder)
    let other = unsafe gca_exchange(place(mark), reference.toOpaque())
    if let other = unsafe other { unsafe Unmanaged<Coder>.fromOpaque(other).release() }
  }
}
