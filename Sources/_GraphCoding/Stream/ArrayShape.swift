import _GraphFiles

/// The lengths of arrays that lie in each other, level by level from the outermost.
package struct ArrayShape {
  /// The arrays of one level.
  package enum Level: Equatable {
    /// All have one length.
    case uniform(Int)
    /// Where the parts of each begin among those of all, and finally how many there are.
    case ragged([Int])
  }

  package private(set) var levels: [Level] = []
  /// How many elements the arrays of the last level have together.
  package private(set) var count = 1

  /// The most levels that an array has.
  static let maximumLevelCount = 8

  /// The shape of an array without gaps.
  package init(_ lengths: [Int] = []) {
    levels = lengths.map { .uniform($0) }
    count = lengths.reduce(1, *)
  }

  /// Adds a level of arrays of one length.
  ///
  /// - Parameter count: how many parts they have together.
  package mutating func append(length: Int, count: Int) {
    levels.append(.uniform(length))
    self.count = count
  }

  /// Adds a level of arrays by the places where their parts begin.
  package mutating func append(starts: [Int]) {
    levels.append(.ragged(starts))
    count = starts[starts.count - 1]
  }

  /// The places of an array's parts, among those of all arrays of its level.
  package func parts(of index: Int, at level: Int) -> Range<Int> {
    switch levels[level] {
    case .uniform(let length): (index * length)..<((index + 1) * length)
    case .ragged(let starts): starts[index]..<starts[index + 1]
    }
  }

  /// How many arrays of a level give their own lengths.
  var lengthCount: Int {
    levels.reduce(0) { count, level in
      if case .ragged(let starts) = level { count + starts.count - 1 } else { count }
    }
  }

  /// The length of each level; nil if its arrays differ.
  ///
  /// For a level without arrays, 0 unless the archive gives another length.
  package var lengths: [Int?] {
    levels.map { level in
      switch level {
      case .uniform(let length): return length
      case .ragged(let starts):
        guard starts.count > 1 else { return 0 }
        let length = starts[1]
        return starts.indices.dropFirst().allSatisfy { starts[$0] == $0 * length } ? length : nil
      }
    }
  }

  /// The lengths, where all arrays of each level have the same; nil for others.
  package var rectangle: [Int]? {
    let lengths = lengths
    return lengths.contains(nil) ? nil : lengths.map { $0 ?? 0 }
  }

  /// The shape of one of the arrays inside, and the places of its elements among all.
  ///
  /// - Complexity: O(n) in the lengths of its arrays.
  package func inner(_ index: Int, at level: Int) -> (shape: ArrayShape, elements: Range<Int>) {
    var shape = ArrayShape()
    var arrays = index..<(index + 1)
    for next in level..<levels.count {
      let parts = parts(of: arrays, at: next)
      switch levels[next] {
      case .uniform(let length): shape.append(length: length, count: parts.count)
      case .ragged(let starts):
        shape.append(starts: starts[arrays.lowerBound...arrays.upperBound].map { $0 - parts.lowerBound })
      }
      arrays = parts
    }
    return (shape, arrays)
  }

  /// The places of the parts of some arrays of a level.
  package func parts(of arrays: Range<Int>, at level: Int) -> Range<Int> {
    switch levels[level] {
    case .uniform(let length): (arrays.lowerBound * length)..<(arrays.upperBound * length)
    case .ragged(let starts): starts[arrays.lowerBound]..<starts[arrays.upperBound]
    }
  }
}

extension ArrayShape: CustomStringConvertible {
  /// The lengths: `98 × 3341 × 3`; `…` where those of a level differ.
  package var description: String { Self.text(lengths) }

  package static func text(_ lengths: [Int?]) -> String {
    lengths.map { $0.map(String.init) ?? "…" }.joined(separator: " × ")
  }
}

/// A nested array whose head has been read: the elements of all arrays as of a packed one, and the lengths.
package final class NestedArray {
  package let elements: PackedElements
  package let shape: ArrayShape

  package init(_ elements: PackedElements, _ shape: ArrayShape) {
    self.elements = elements
    self.shape = shape
  }
}

extension PackedElements {
  /// Whether they are the bytes of strings, and each innermost array is one.
  package var isText: Bool { layout == nil && format == .utf8 }

  /// The kind of an array of such elements, whose lengths are a shape.
  package func kind(of shape: ArrayShape) -> GraphKind {
    if shape.levels.count > 1 { return .nestedPacked }
    if isText { return .string }
    return layout == nil ? .packed : .packedStructs
  }

  /// What precedes the elements of such an array, after its kind, if they are in the stream; a string is one, too.
  package func head(of shape: ArrayShape) -> [UInt8] {
    head(of: shape, isNested: shape.levels.count > 1, segment: nil)
  }

  /// What follows the kind of such an array in the stream, except the elements.
  ///
  /// - Parameter segment: the number of the bulk segment with the elements; nil where they follow.
  package func head(of shape: ArrayShape, isNested: Bool, segment: UInt64?) -> [UInt8] {
    var head = ByteBuilder()
    if isText, !isNested, segment == nil {
      head.varint(UInt64(shape.count))
      return head.bytes
    }
    switch element {
    case .scalars(let format): head.varint(UInt64(format.rawValue))
    case .structure(_, let number):
      if isNested { head.varint(0) }
      head.varint(UInt64(number))
    }
    guard isNested else {
      head.varint(UInt64(shape.count) << 1 | (segment == nil ? 0 : 1))
      if let segment { head.varint(segment) }
      return head.bytes
    }
    head.varint(UInt64(shape.levels.count))
    var arrays = 0..<1
    for level in shape.levels.indices {
      shape.levels[level].append(of: arrays.count, to: &head)
      arrays = shape.parts(of: arrays, at: level)
    }
    head.varint(segment.map { $0 + 1 } ?? 0)
    return head.bytes
  }

  /// The same elements; for structs, with another layout number.
  package func with(layoutNumber: UInt32?) -> Self {
    guard let layout, let layoutNumber else { return self }
    return unsafe Self(
      element: .structure(layout, layoutNumber), elementByteCount: elementByteCount, count: count,
      place: place)
  }
}

extension ArrayShape.Level {
  /// Appends the lengths in their stream form.
  fileprivate func append(of arrayCount: Int, to builder: inout ByteBuilder) {
    switch self {
    case .uniform(let length) where length > 0: builder.varint(UInt64(length) << 1)
    case .uniform:
      builder.varint(1)
      for _ in 0..<arrayCount { builder.varint(0) }
    case .ragged(let starts):
      builder.varint(1)
      for (start, end) in zip(starts, starts.dropFirst()) { builder.varint(UInt64(end - start)) }
    }
  }
}
