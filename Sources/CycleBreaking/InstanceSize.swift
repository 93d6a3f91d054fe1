#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// Bytes that an instance of a class takes on the heap, as `malloc` rounds them; without elements that it has behind its
/// properties, and without what it refers to.
package func allocatedByteCount(ofInstanceOf type: AnyClass) -> Int {
  #if canImport(ObjectiveC)
    return allocatedByteCount(of: class_getInstanceSize(type))
  #else
    // Safe because every class has been written in Swift, whose metadata have the size here: `TargetClassMetadata` in
    // `swift/ABI/Metadata.h`.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    return allocatedByteCount(of: unsafe Int(metadata.load(fromByteOffset: 24, as: UInt32.self)))
  #endif
}

/// Bytes that `malloc` takes for an allocation: eight of its own, in units of 16, 32 at least.
package func allocatedByteCount(of byteCount: Int) -> Int { max(32, (byteCount + 8 + 15) & ~15) }
