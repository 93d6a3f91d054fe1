import _GraphFiles
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

  /// How many strings with too many combining marks do not concern elements or keys of a kind that come next: those that have
  /// been read, unless references may lead to them.
  @inlinable
  @inline(__always)
  func markedTextCount(before kind: GraphKind) -> Int {
    kind.mayLeadToObjects ? 0 : state.pointee.markedTextCount
  }

  /// Checks that what will be hashed has no string that takes long to hash.
  ///
  /// - Parameter count: from `markedTextCount(before:)`.
  /// - Throws: `limitExceeded`.
  @inlinable
  @inline(__always)
  func checkMarks(since count: Int) throws {
    if state.pointee.markedTextCount > count { throw tooManyMarks() }
  }

  @usableFromInline
  @inline(never)
  func tooManyMarks() -> GCodableError {
    var error = GraphDecoder.Limits.tooManyMarks(
      "a string among the elements of a set, or the keys of a dictionary,", state.pointee.combiningMarkCount)
    error.byteOffset = streamOffset
    return error
  }

  /// Makes a set, where no two elements may be equal.
  ///
  /// - Parameter texts: from `markedTextCount(before:)`, in front of the elements.
  /// - Throws: as `count(_:in:)`; `invalidValue`.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func makeSet<Element: Hashable>(_ elements: [Element], since texts: Int = 0) throws -> Set<Element> {
    if !_isPOD(Element.self) { try checkMarks(since: texts) }
    var tally = HashTally(elements.count, isWellHashed: HashTally.isWellHashed(Element.self))
    if tally.isNeeded { for element in elements { try count(element, in: &tally) } }
    try takeRoom(elements.count, stride: 2 * MemoryLayout<Element>.stride)
    let result = Set(elements)
    guard result.count == elements.count else { throw equalElements(Set<Element>.self, "elements of a set") }
    return result
  }
}
