import CGraphArchive

/// Gives up references to objects that may hold each other, so that the release of one does not release a long row
/// of others inside it.
///
/// An object goes when nobody else holds it; those that it held are still held from here then, and may go next. So it
/// takes one pass over objects in the order in which they hold each other, or in the opposite one, each as long as
/// something goes. What is left is held by others, or by each other for good.
///
/// - Parameters:
///   - count: how many places there are.
///   - place: a retained reference or nil; nil in all of them in the end.
/// - Complexity: O(n) where the objects have one of the two orders. Where they have none, and less than one in 256
///   goes in a pass there and back, the rest is released as it comes.
func releaseOneByOne(_ count: Int, at place: (Int) -> UnsafeMutablePointer<Unmanaged<AnyObject>?>) {
  func release(_ reference: UnsafeMutablePointer<Unmanaged<AnyObject>?>) {
    reference.pointee?.release()
    reference.pointee = nil
  }
  /// Brings an object closer that will be looked at soon.
  func prefetch(_ index: Int) {
    if index >= 0, index < count, let object = place(index).pointee { gca_prefetch(object.toOpaque()) }
  }
  func releaseOnlyReference(_ index: Int) -> Int {
    guard isOnlyReference(place(index)) else { return 0 }
    release(place(index))
    return 1
  }
  var left = count
  while left > 0 {
    var released = 0
    for index in 0..<count {
      prefetch(index + 8)
      released += releaseOnlyReference(index)
    }
    // Mostly the model holds all.
    if released == 0 { break }
    for index in (0..<count).reversed() { released += releaseOnlyReference(index) }
    left -= released
    if released < left / 256 { break }
  }
  for index in 0..<count {
    prefetch(index + 8)
    release(place(index))
  }
}

private func isOnlyReference(_ place: UnsafeMutablePointer<Unmanaged<AnyObject>?>) -> Bool {
  // Both are one pointer, and the place holds a reference of its own.
  place.withMemoryRebound(to: Optional<AnyObject>.self, capacity: 1) {
    isKnownUniquelyReferenced(&$0.pointee)
  }
}
