/// What coders know about types, by the address of a type's metadata, usually in one comparison.
///
/// A conformance costs 50 to 100 ns each time it is looked up.
@usableFromInline
package struct TypeCache {
  /// Those met last, by the low bits of their addresses.
  @usableFromInline let entries: PinnedRow<Entry>

  @usableFromInline
  struct Entry {
    @usableFromInline var metadata: ObjectIdentifier?
    /// Owned by a table of all that have been met.
    @usableFromInline var found: Held<AnyObject>?

    @inlinable init(metadata: ObjectIdentifier? = nil, found: Held<AnyObject>? = nil) {
      (self.metadata, self.found) = (metadata, found)
    }
  }

  @usableFromInline static let count = 64

  @inlinable package init() {
    entries = PinnedRow(repeating: Entry(), count: Self.count)
  }

  @unsafe @inlinable package func deallocate() { unsafe entries.release() }

  /// Metadata is aligned to 16 bytes at least.
  @inline(__always)
  @inlinable static func place(of metadata: ObjectIdentifier) -> Int {
    Int(bitPattern: (UInt(bitPattern: metadata) >> 4) & UInt(count - 1))
  }

  /// What is known about a type, if it was among the last ones met.
  ///
  /// - Parameter kind: the class that `make` has made an instance of when the type was met first.
  @inline(__always)
  @inlinable package func recent<Found: AnyObject>(_ type: Any.Type, as kind: Found.Type) -> Found? {
    let metadata = ObjectIdentifier(type)
    let entry = entries.pinned(Self.place(of: metadata))
    guard entry.pointee.metadata == metadata, let found = entry.pointee.found else { return nil }
    return unsafe unsafeDowncast(found.object, to: Found.self)  // See `kind`.
  }

  /// What is known about a type, if it was ever met.
  @inline(never)
  @usableFromInline package func find<Found: AnyObject>(
    _ type: Any.Type, among all: [ObjectIdentifier: Found]
  )
    -> Found?
  {
    guard let found = all[ObjectIdentifier(type)] else { return nil }
    note(found, type)
    return found
  }

  /// Keeps what is known about a newly met type.
  @inline(never)
  @usableFromInline package func keep<Found: AnyObject>(
    _ found: Found, for type: Any.Type, among all: inout [ObjectIdentifier: Found]
  ) -> Found {
    all[ObjectIdentifier(type)] = found
    note(found, type)
    return found
  }

  @inlinable func note(_ found: AnyObject, _ type: Any.Type) {
    let metadata = ObjectIdentifier(type)
    entries[Self.place(of: metadata)] = Entry(metadata: metadata, found: Held(found))
  }
}
