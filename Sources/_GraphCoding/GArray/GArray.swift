import _GraphSupport

/// A multidimensional array whose elements lie contiguously in row-major order.
///
///     var image = GArray(repeating: Float(0), shape: [480, 640])
///     image[10, 20] = 1
///     let sum = image.row(10).reduce(0, +)
///
/// It is encoded like nested arrays of numbers, here `[[Float]]`, and either can be decoded from what the other encoded.
/// Nested arrays take a block of memory for each row; a `GArray` takes one in all, which is written to a file without a
/// copy.
public struct GArray<Element> {
  @usableFromInline var storage: [Element]
  /// The length of each dimension, from the outermost.
  public private(set) var shape: [Int]

  /// Makes an array of given elements.
  ///
  /// - Parameters:
  ///   - elements: the elements, in row-major order.
  ///   - shape: the length of each dimension, from the outermost.
  /// - Precondition: The shape has at least one dimension, and `elements.count` elements.
  /// - Complexity: O(1).
  public init(_ elements: [Element], shape: [Int]) {
    precondition(
      Self.count(of: shape) == elements.count, "\(elements.count) elements do not have the shape \(shape)")
    storage = elements
    self.shape = shape
  }

  /// Makes an array of equal elements.
  ///
  /// - Precondition: The shape has at least one dimension, and no negative lengths.
  public init(repeating element: Element, shape: [Int]) {
    guard let count = Self.count(of: shape) else { preconditionFailure("\(shape) is not a shape") }
    self.init(Array(repeating: element, count: count), shape: shape)
  }

  /// Makes a two-dimensional array of rows; nil if their lengths differ.
  ///
  /// - Complexity: O(n) in the number of elements, which are copied.
  public init?(rows: some Collection<some Collection<Element>>) {
    let length = rows.first?.count ?? 0
    guard rows.allSatisfy({ $0.count == length }) else { return nil }
    self.init(rows.flatMap { $0 }, shape: [rows.count, length])
  }

  /// Replaces the elements by as many as a shape has.
  ///
  /// - Parameter body: replaces them. If it throws, the array may have any elements.
  package mutating func replace(shape: [Int], _ body: (inout [Element]) throws -> Void) rethrows {
    // Without a copy: nothing else holds the storage meanwhile.
    var elements: [Element] = []
    swap(&elements, &storage)
    defer {
      let isWhole = Self.count(of: shape) == elements.count
      if isWhole {
        self.shape = shape
      } else if Self.count(of: self.shape) != elements.count {
        self.shape = [elements.count]
      }
      swap(&elements, &storage)
    }
    try body(&elements)
  }

  /// The number of elements in a shape; nil if no array can have it.
  static func count(of shape: [Int]) -> Int? {
    guard !shape.isEmpty, shape.allSatisfy({ $0 >= 0 }) else { return nil }
    if shape.contains(0) { return 0 }
    var count = 1
    for length in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow else { return nil }
      count = product
    }
    return count
  }

  /// The elements, in row-major order.
  @inlinable public var elements: [Element] { storage }

  /// The number of elements.
  @inlinable public var count: Int { storage.count }

  /// The same elements in another shape.
  ///
  /// - Precondition: The shape has the same number of elements.
  /// - Complexity: O(1): the elements are shared until one of the arrays changes.
  public func reshaped(to shape: [Int]) -> Self { Self(elements, shape: shape) }
}

// MARK: - Elements

extension GArray {
  /// The element at an index for each dimension.
  ///
  /// - Precondition: there are as many indices as dimensions, each below its length.
  @inlinable
  public subscript(indices: Int...) -> Element {
    get { storage[place(of: indices)] }
    set { storage[place(of: indices)] = newValue }
  }

  /// The element at a row and a column of a two-dimensional array.
  ///
  /// - Precondition: The array has two dimensions, and the indices are below their lengths.
  @inlinable
  public subscript(row: Int, column: Int) -> Element {
    get { storage[place(row, column)] }
    set { storage[place(row, column)] = newValue }
  }

  /// The index in ``elements`` of an element.
  ///
  /// - Precondition: there are as many indices as dimensions, each below its length.
  public func place(of indices: [Int]) -> Int {
    precondition(indices.count == shape.count, "\(indices.count) indices for \(shape.count) dimensions")
    return zip(indices, shape).reduce(0) { place, next in
      precondition((0..<next.1).contains(next.0), "index \(next.0) of a dimension of \(next.1)")
      return place * next.1 + next.0
    }
  }

  @usableFromInline
  func place(_ row: Int, _ column: Int) -> Int {
    precondition(shape.count == 2, "2 indices for \(shape.count) dimensions")
    precondition(
      row >= 0 && row < shape[0] && column >= 0 && column < shape[1], "no element \(row), \(column)")
    return row * shape[1] + column
  }

  /// The elements at an index of the outermost dimension: a row, if there are two dimensions.
  ///
  /// - Precondition: the index is below the length.
  /// - Complexity: O(1): they are not copied.
  public func row(_ index: Int) -> ArraySlice<Element> {
    precondition((0..<shape[0]).contains(index), "index \(index) of a dimension of \(shape[0])")
    let length = elements.count / shape[0]
    return elements[(index * length)..<((index + 1) * length)]
  }

  /// Calls `body` with all elements in place, in row-major order.
  @inlinable
  public func withSpan<Result, Failure: Error>(
    _ body: (Span<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.span)
  }

  /// Calls `body` with all elements in place, to change them.
  ///
  /// - Complexity: O(1), or O(n) if they are shared with another array and have to be copied.
  @inlinable
  public mutating func withMutableSpan<Result, Failure: Error>(
    _ body: (inout MutableSpan<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = storage.mutableSpan
    return try body(&span)
  }
}

extension GArray: Sendable where Element: Sendable {}
extension GArray: Equatable where Element: Equatable {}
extension GArray: Hashable where Element: Hashable {}

extension GArray: CustomStringConvertible {
  /// The elements in brackets, as in nested arrays.
  public var description: String { text(elements[...], shape[...]) }

  private func text(_ elements: ArraySlice<Element>, _ shape: ArraySlice<Int>) -> String {
    guard let length = shape.first, shape.count > 1 else { return "\(Array(elements))" }
    let inner = length == 0 ? 0 : elements.count / length
    let rows = (0..<length).map { index in
      let start = elements.startIndex + index * inner
      return text(elements[start..<(start + inner)], shape.dropFirst())
    }
    return "[\(rows.joined(separator: ", "))]"
  }
}
