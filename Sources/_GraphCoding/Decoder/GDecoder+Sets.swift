import _GraphSupport

extension GDecoder {
  /// Counts an element of a set, before it is inserted.
  ///
  /// - Throws: `limitExceeded` where too many have the same hash.
  @inlinable
  @inline(__always)
  func count<Element: Hashable>(_ element: Element, in tally: inout HashTally) throws {
    if tally.isNeeded { try takeSteps(sameHashes: tally.add(element)) }
  }

  @usableFromInline
  func takeSteps(sameHashes count: Int) throws { try takeSteps(count) }

  /// Makes a set, where no two elements may be equal.
  ///
  /// - Throws: as `count(_:in:)`; `invalidValue`.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func makeSet<Element: Hashable>(_ elements: [Element]) throws -> Set<Element> {
    var tally = HashTally(elements.count, isWellHashed: HashTally.isWellHashed(Element.self))
    if tally.isNeeded { for element in elements { try count(element, in: &tally) } }
    try takeRoom(elements.count, stride: 2 * MemoryLayout<Element>.stride)
    let result = Set(elements)
    guard result.count == elements.count else { throw equalElements(Set<Element>.self, "elements of a set") }
    return result
  }
}
