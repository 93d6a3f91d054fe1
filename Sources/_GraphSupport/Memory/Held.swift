import CGraphArchive

/// An object that is held elsewhere, without a reference count of its own.
///
/// Objects of the model and facts about types are in trivial memory without a `deinit`: their owner holds them as long as the
/// coder is used.
@safe  // Each property of this type says who holds the object.
@usableFromInline
package struct Held<Object: AnyObject>: BitwiseCopyable {
  @usableFromInline let reference: Unmanaged<Object>

  /// An object that another one holds.
  @inlinable package init(_ object: Object) { unsafe reference = .passUnretained(object) }

  /// An object that is held from here on, until `release`.
  ///
  /// The count of an object that is not used after it is moved: nothing is retained.
  @inlinable package init(retaining object: consuming Object) { unsafe reference = .passRetained(object) }

  /// The object at an address, which the caller holds.
  @unsafe
  @inlinable package init?(address: UInt) {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    unsafe reference = .fromOpaque(pointer)
  }

  @inlinable package var object: Object {
    @inline(__always) get { unsafe reference.takeUnretainedValue() }
  }

  /// Calls `body` with the object, without retaining it.
  @inline(__always)
  @inlinable package func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }

  @inlinable package func retain() -> Self {
    _ = unsafe reference.retain()
    return self
  }

  @unsafe @inlinable package func release() { unsafe reference.release() }

  /// Brings the object closer, which will be looked at soon.
  @inlinable package func prefetch() { unsafe gca_prefetch(reference.toOpaque()) }
}
