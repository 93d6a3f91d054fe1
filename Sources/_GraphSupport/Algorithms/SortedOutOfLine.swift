extension Sequence {
  /// `sorted(by:)` of few elements, by a function that all callers share: a sort of its own takes a caller 3 KB.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func sortedOutOfLine(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
    sorted(by: areInIncreasingOrder)
  }
}
