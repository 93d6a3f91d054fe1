import CGraphArchive

/// A value with a fixed address in memory, from its owner's `make` until the owner releases it.
///
/// What a coder touches for each field stands in such values: the stored properties of a class cost an exclusivity check
/// and a reference count at each access from another module. To read and write one is what it is through a pointer.
@safe  // A coder makes them, hands them only to its own parts, and releases them when it goes.
@usableFromInline
package struct Pinned<Value>: Hashable, BitwiseCopyable {
  @usableFromInline package let address: UnsafeMutablePointer<Value>

  /// The value at an address, which outlives all that have this one.
  @unsafe
  @inlinable
  @inline(__always)
  package init(at address: UnsafeMutablePointer<Value>) { unsafe self.address = address }

  /// Stores a value that may know where it is.
  @inlinable package static func make(_ value: (Self) -> Value) -> Self {
    let stored = unsafe Self(at: .allocate(capacity: 1))
    unsafe stored.address.initialize(to: value(stored))
    return stored
  }

  @inlinable package static func make(_ value: Value) -> Self { make { _ in value } }

  /// Ends the value, which is no longer used.
  @unsafe @inlinable package func release() {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }

  @inlinable package var pointee: Value {
    @_transparent unsafeAddress { unsafe UnsafePointer(address) }
    @_transparent nonmutating unsafeMutableAddress { unsafe address }
  }

  @inlinable
  package static func == (left: Self, right: Self) -> Bool { unsafe left.address == right.address }

  @inlinable
  package func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }
}

/// The order of values in the same row.
extension Pinned: Comparable {
  @inlinable
  package static func < (left: Self, right: Self) -> Bool { unsafe left.address < right.address }
}

/// Adjacent values, of a count fixed when they are made.
@safe  // As `Pinned`; indices are those of elements, which a build for debugging checks.
@usableFromInline
package struct PinnedRow<Element>: BitwiseCopyable {
  @usableFromInline let base: UnsafeMutablePointer<Element>
  @usableFromInline package let count: Int

  /// Makes each element by its index.
  @inlinable package init(count: Int, _ element: (Int) -> Element) {
    unsafe base = .allocate(capacity: count)
    self.count = count
    unsafe gca_memory_expect_fill(base, count * MemoryLayout<Element>.stride)
    for index in 0..<count { unsafe (base + index).initialize(to: element(index)) }
  }

  @inlinable package init(repeating element: Element, count: Int) {
    unsafe base = .allocate(capacity: count)
    self.count = count
    unsafe gca_memory_expect_fill(base, count * MemoryLayout<Element>.stride)
    unsafe base.initialize(repeating: element, count: count)
  }

  /// Ends the elements, which are no longer used.
  @unsafe @inlinable package func release() {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  @inlinable package subscript(index: Int) -> Element {
    @_transparent unsafeAddress { unsafe UnsafePointer(pinned(index).address) }
    @_transparent nonmutating unsafeMutableAddress { unsafe pinned(index).address }
  }

  /// The element at an index.
  @inlinable
  @inline(__always)
  package func pinned(_ index: Int) -> Pinned<Element> {
    assert(index >= 0 && index < count)
    return unsafe Pinned(at: base + index)
  }

  /// Brings an element closer, which will be looked at soon.
  @inlinable
  @inline(__always)
  package func prefetch(_ index: Int) { unsafe gca_prefetch(base + index) }

  @inlinable package func contains(_ value: Pinned<Element>) -> Bool {
    unsafe value.address >= base && value.address < base + count
  }

  /// The index of an element, which is in this row.
  @inlinable
  @inline(__always)
  package func index(of element: Pinned<Element>) -> Int { unsafe element.address - base }
}
