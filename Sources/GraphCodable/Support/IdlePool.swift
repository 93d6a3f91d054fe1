import CGraphArchive

/// Objects that have done their work and wait for more, such as coders: a small message takes less time than a new coder.
///
/// Where there are several places, a thread finds the object that it has put there itself, as a rule; no thread ever waits for another.
@safe  // A place gives what it has to one thread alone, with the reference.
struct IdlePool<Object: AnyObject>: @unchecked Sendable {
  /// Each holds a retained object or nil, and is read and written by `gca_exchange` alone.
  private let places: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  private let placeBits: UInt

  /// - Parameter placeBits: the number of places, as a power of two.
  init(placeBits: UInt = 4) {
    self.placeBits = placeBits
    unsafe places = .allocate(capacity: 1 << placeBits)
    unsafe places.initialize(repeating: nil, count: 1 << placeBits)
  }

  /// The place for what the calling thread does, which it may share with other threads and other work.
  ///
  /// - Parameter mark: tells kinds of work apart that need objects of their own.
  private func place(_ mark: UInt) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    // Threads have different stacks, so the product's top bits differ as a rule.
    let hash = (UInt(gca_stack_bottom()) ^ mark) &* 0x9E37_79B9_7F4A_7C15
    // To shift all bits out leaves 0, the only place.
    return unsafe places + Int(hash >> (UInt(UInt.bitWidth) - placeBits))
  }

  func take(_ mark: UInt = 0) -> Object? {
    unsafe gca_exchange(place(mark), nil).map { unsafe Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
  }

  func put(_ object: Object, _ mark: UInt = 0) {
    let other = unsafe gca_exchange(place(mark), Unmanaged.passRetained(object).toOpaque())
    if let other = unsafe other { unsafe Unmanaged<Object>.fromOpaque(other).release() }
  }
}
