import _GraphCoding
import _GraphFiles

/// An array of a nested array: one of the arrays inside it, all of it, or a slice of one of these.
struct ArrayPart {
  let array: NestedArray
  /// The array of its level that it is, or is a slice of.
  private var index = 0
  private var level = 0
  /// The ranges of that array, from the first one on.
  private var selectors: [Selector] = []

  /// What a step of a path takes from each array of a level.
  private enum Selector {
    case index(Int)
    case range(Range<Int>)
  }

  /// All of a nested array.
  init(_ array: NestedArray) { self.array = array }

  /// All of a packed array.
  init(_ elements: PackedElements) { self.init(NestedArray(elements, ArrayShape([elements.count]))) }

  var isSlice: Bool { !selectors.isEmpty }

  /// Whether further steps are possible: none leads into a string.
  var hasParts: Bool {
    level + selectors.count < array.shape.levels.count - (array.elements.isText ? 1 : 0)
  }

  /// Whether it is one string.
  var isString: Bool { array.elements.isText && !isSlice && level == array.shape.levels.count - 1 }

  /// Its strings, if these are its parts, and their places among all.
  var texts: (PackedTexts, Range<Int>)? {
    guard !isSlice, level == array.shape.levels.count - 2, let texts = PackedTexts(array) else { return nil }
    return (texts, parts)
  }

  /// The places of the array's parts among those of all arrays of the level.
  private var parts: Range<Int> { array.shape.parts(of: index, at: level) }

  /// The places of its parts among the elements of all arrays; nil if they are arrays themselves, or belong to a slice.
  var elements: Range<Int>? {
    isSlice || level < array.shape.levels.count - 1 ? nil : parts
  }

  var count: Int {
    for case .range(let range) in selectors { return range.count }
    return parts.count
  }

  /// One of the parts of an array that is no slice.
  func part(_ place: Int) -> PartWalk.Value {
    let next = parts.lowerBound + place
    guard level < array.shape.levels.count - 1 else {
      // A string has no parts: see `hasParts`.
      return .packed(PackedPart(array: array.elements, index: next))
    }
    var part = self
    (part.index, part.level) = (next, level + 1)
    return .row(part)
  }

  /// The target of a step, or for a slice, its target in each array; nil if there is none.
  func part(_ step: GraphPath.Step) -> PartWalk.Value? {
    guard hasParts else { return nil }
    var part = self
    switch step {
    case .key: return nil
    case .index(let place):
      // No array has `Int.max` elements, but a path may contain any number.
      guard place >= 0, place < Int.max else { return nil }
      if !isSlice { return place < count ? self.part(place) : nil }
      part.selectors.append(.index(place))
    case .range(let range):
      guard range.lowerBound >= 0 else { return nil }
      part.selectors.append(.range(range))
    }
    return part.selection == nil ? nil : .row(part)
  }

  // MARK: What it has

  /// Its lengths, and the places of its elements among all, in ascending order.
  ///
  /// - Complexity: O(n) in the arrays that it has elements of.
  var extent: (shape: ArrayShape, runs: [Range<Int>]) {
    guard isSlice else {
      let inner = array.shape.inner(index, at: level)
      return (inner.shape, inner.elements.isEmpty ? [] : [inner.elements])
    }
    return selection ?? (ArrayShape([0]), [])
  }

  /// The lengths and the places of a slice; nil where one of the arrays is too short.
  private var selection: (shape: ArrayShape, runs: [Range<Int>])? {
    var (lengths, runs) = ([Int](), [index..<(index + 1)])
    var level = level
    for selector in selectors {
      var next: [Range<Int>] = []
      let range: Range<Int>
      switch selector {
      case .index(let index): range = index..<(index + 1)
      case .range(let selected):
        range = selected
        lengths.append(selected.count)
      }
      for run in runs {
        for array in run {
          let parts = self.array.shape.parts(of: array, at: level)
          guard range.upperBound <= parts.count else { return nil }
          let taken = (parts.lowerBound + range.lowerBound)..<(parts.lowerBound + range.upperBound)
          if taken.isEmpty { continue }
          if let last = next.last, last.upperBound == taken.lowerBound {
            next[next.count - 1] = last.lowerBound..<taken.upperBound
          } else {
            next.append(taken)
          }
        }
      }
      runs = next
      level += 1
    }
    var shape = ArrayShape()
    for length in lengths { shape.append(length: length, count: shape.count * length) }
    for level in level..<array.shape.levels.count { (shape, runs) = inner(shape, runs, at: level) }
    return (shape, runs)
  }

  /// The lengths and places of all parts of some arrays.
  private func inner(
    _ shape: ArrayShape, _ arrays: [Range<Int>], at level: Int
  ) -> (ArrayShape, [Range<Int>]) {
    var shape = shape
    let runs = arrays.map { array.shape.parts(of: $0, at: level) }
    if case .uniform(let length) = array.shape.levels[level] {
      shape.append(length: length, count: shape.count * length)
    } else {
      var starts = [0]
      for array in arrays.joined() {
        starts.append(starts[starts.count - 1] + self.array.shape.parts(of: array, at: level).count)
      }
      shape.append(starts: starts)
    }
    return (shape, runs.filter { !$0.isEmpty })
  }

  /// The array as it would be stored separately.
  var kind: GraphKind {
    let rangeCount = selectors.count { if case .range = $0 { true } else { false } }
    let levelCount = array.shape.levels.count - level - selectors.count + rangeCount
    return array.elements.kind(of: ArrayShape(Array(repeating: 1, count: levelCount)))
  }
}

extension PackedElements {
  /// The bytes of elements among those of all.
  func byteRange(of elements: Range<Int>) -> Range<Int> {
    (elements.lowerBound * elementByteCount)..<(elements.upperBound * elementByteCount)
  }
}
