/// An array of a nested array: one of the arrays inside it, or all of it.
struct ArrayPart {
  let array: NestedArray
  /// Which of the arrays of the level it is.
  private let index: Int
  private let level: Int

  /// All of a nested array.
  init(_ array: NestedArray) { self.init(array, 0, level: 0) }

  private init(_ array: NestedArray, _ index: Int, level: Int) {
    self.array = array
    self.index = index
    self.level = level
  }

  /// The places of its parts among those of all arrays of the level.
  private var parts: Range<Int> { array.shape.parts(of: index, at: level) }

  var count: Int { parts.count }

  /// What leads to one of its parts.
  func part(_ place: Int) -> PartWalk.Value {
    let next = parts.lowerBound + place
    return level < array.shape.levels.count - 1
      ? .row(ArrayPart(array, next, level: level + 1))
      : .packed(PackedPart(array: array.elements, index: next))
  }

  /// Its lengths, and the places of its elements among all.
  ///
  /// - Complexity: O(n) in the lengths of arrays inside it, where they differ.
  var extent: (shape: ArrayShape, elements: Range<Int>) { array.shape.inner(index, at: level) }

  /// How it would be stored by itself.
  var kind: GraphKind {
    level < array.shape.levels.count - 1 || level == 0
      ? .nestedPacked : array.elements.layout == nil ? .packed : .packedStructs
  }
}

extension PackedElements {
  /// Where elements are among the bytes of all.
  func byteRange(of elements: Range<Int>) -> Range<Int> {
    (elements.lowerBound * elementByteCount)..<(elements.upperBound * elementByteCount)
  }
}
