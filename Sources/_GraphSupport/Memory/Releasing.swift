/// Drops references to objects that may hold each other, so that the release of one does not release a long row
/// of others inside it.
///
/// An object goes when nothing else holds it; those that it held are still held from here then, and may go next. So it
/// takes one pass over objects in the order in which they hold each other, or in the opposite one, each as long as
/// something goes. What is left is held by others, or by each other permanently.
///
/// In any other order, that would take a pass for every few objects. They are then released in any order, each inside the one
/// that held it, on a stack with room for all of them.
///
/// - Parameters:
///   - count: how many places there are.
///   - insideByteCount: stack that the values between one object and the next may need.
///   - place: a retained reference or nil; nil in all of them in the end.
/// - Complexity: O(n).
@inlinable
package func releaseOneByOne(
  _ count: Int, insideByteCount: Int = 0, at place: (Int) -> Pinned<Held<AnyObject>?>
) {
  func release(_ reference: Pinned<Held<AnyObject>?>) {
    unsafe reference.pointee?.release()
    reference.pointee = nil
  }
  /// Brings an object closer that will be looked at soon.
  func prefetch(_ index: Int) {
    if index >= 0, index < count { place(index).pointee?.prefetch() }
  }
  func releaseOnlyReference(_ index: Int) -> Int {
    guard isOnlyReference(place(index)) else { return 0 }
    release(place(index))
    return 1
  }
  func releaseAll() {
    for index in 0..<count {
      prefetch(index + 8)
      release(place(index))
    }
  }
  var left = count
  while left > 0 {
    var released = 0
    for index in 0..<count {
      prefetch(index + 8)
      released += releaseOnlyReference(index)
    }
    // Usually the model holds all of them.
    if released == 0 { break }
    for index in (0..<count).reversed() { released += releaseOnlyReference(index) }
    left -= released
    if released < left / 256 { return onStackFor(left, insideByteCount, releaseAll) }
  }
  releaseAll()
}

/// Runs `body`, which may release this many objects nested in each other.
@usableFromInline
func onStackFor(_ objectCount: Int, _ insideByteCount: Int, _ body: () -> Void) {
  // What one takes depends on its class; 200 to 400 bytes where the class says nothing of its end. The system gives
  // memory for what is touched.
  for byteCount in [4096, 2048, 1024, 512] {
    let inside = UInt(insideByteCount / (4096 / byteCount))
    if (try? Nesting.onNewStack(of: max(objectCount * byteCount, 1 << 20), reserving: inside, body)) != nil {
      return
    }
  }
  body()
}

@inlinable
func isOnlyReference(_ place: Pinned<Held<AnyObject>?>) -> Bool {
  // Both are one pointer, and the place holds a reference of its own.
  unsafe place.address.withMemoryRebound(to: Optional<AnyObject>.self, capacity: 1) {
    unsafe isKnownUniquelyReferenced(&$0.pointee)
  }
}
