/// An array behind a pointer: no exclusivity check and no reference count at each access.
@safe  // As `ChunkedList`.
@usableFromInline
package struct Growable<Element: BitwiseCopyable> {
  @usableFromInline var elements: UnsafeMutablePointer<Element>
  @usableFromInline var capacity = 16
  @usableFromInline package var count = 0

  @inlinable package init() { unsafe elements = .allocate(capacity: capacity) }

  @unsafe @inlinable package func deallocate() { unsafe elements.deallocate() }

  /// Unchecked: used with indices below `count` only.
  @inlinable package subscript(index: Int) -> Element {
    get { unsafe elements[index] }
    nonmutating set { unsafe elements[index] = newValue }
  }

  /// Where an element is until more are appended; unchecked, as the subscript.
  @inlinable package func pinned(_ index: Int) -> Pinned<Element> {
    assert(index < count)
    return unsafe Pinned(at: elements + index)
  }

  @inlinable mutating func append(repeating element: Element, count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    unsafe (elements + count).initialize(repeating: element, count: added)
    count += added
  }

  @inlinable package mutating func removeLast(_ removed: Int) { count -= removed }

  @inlinable package mutating func removeLast() -> Element {
    count -= 1
    return unsafe elements[count]
  }

  @inlinable package mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    unsafe (elements + count).initialize(to: element)
    count += 1
  }

  @inlinable mutating func grow(to least: Int) {
    let grownCapacity = max(2 * capacity, least)
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: grownCapacity)
    unsafe grown.moveInitialize(from: elements, count: count)
    unsafe elements.deallocate()
    unsafe elements = grown
    capacity = grownCapacity
  }
}
