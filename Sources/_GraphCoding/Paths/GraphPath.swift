import _GraphSupport

/// A place in a graph: the keys and indices that lead there from the root.
///
///     let path: GraphPath = "bodies[3].position"
///     let same: GraphPath = ["bodies", 3, "position"]
///     let third = path.appending("x")  // bodies[3].position.x
///
/// The meaning of a step depends on the value that it starts from:
///
/// - In a record, that is, a struct, an enum or an object, a key leads to the field with that key (for a `Codable` class,
///   `super` is a key, too), and an index to a field without a key, counted from 0 among these.
/// - In an array or a set, an index leads to an element. The elements of a set have the order in which they are stored.
/// - In a dictionary with string keys, a key leads to a value; with integer keys, an index does. Enums with raw values count
///   as their raw values. With other keys, an index leads to a value by the place of its pair, from 0. An integer that does
///   not fit an `Int` is a key, in decimal digits.
/// - In an array of numbers that are stored as their bytes, an index leads to an element and, if that is a
///   `GPackedStruct`, another index to one of its properties.
/// - In such an array, and in nested arrays of this kind, a range leads to some of the elements: `positions[1000..<2000]`.
///   The steps after a range apply to each element: `frames[10..<20][0..<100]` has the first hundred elements of ten
///   arrays, and `frames[10..<20][7]` one element of each.
///
/// Optionals and references take no step. A value that wraps another one, such as an enum with a raw value or a cycle breaker
/// of a `Codable` model, is a record of one field without a key, which `[0]` leads to.
///
/// Paths in errors have the same text, but they shorten keys of more than a line, and name keys that are no step by their place.
public struct GraphPath: Hashable, Sendable {
  /// One step of a path.
  public enum Step: Hashable, Sendable {
    /// The name of a field, or a key of a dictionary.
    case key(String)
    /// The place of an element or of a field without key, from 0; an integer key of a dictionary.
    case index(Int)
    /// The places of some elements of an array, from 0.
    case range(Range<Int>)
  }

  /// The steps from the root.
  public var steps: [Step] { didSet { invalidText = nil } }

  /// The text of a literal that is not a path; it has no steps.
  private(set) var invalidText: String?

  /// Makes a path of steps; without any, the path of the root.
  public init(_ steps: some Sequence<Step> = []) { self.steps = Array(steps) }

  /// What is made of a literal that is not a path.
  init(invalid text: String) {
    steps = []
    invalidText = text
  }

  /// The path with one more step at its end.
  ///
  /// - Complexity: O(n) in the number of steps.
  public func appending(_ step: Step) -> Self {
    invalidText == nil ? Self(steps + CollectionOfOne(step)) : self
  }

  /// - Throws: `invalidPath`, where it was made of a literal that is not a path.
  @usableFromInline
  package func check() throws {
    guard let invalidText else { return }
    throw GCodableError(
      .invalidPath,
      "\"\(invalidText)\" is not a path: keys have dots between them, indices stand in brackets, and other keys are "
        + "quoted in brackets, as in bodies[3].scores[\"a.b\"]")
  }
}

extension GraphPath: ExpressibleByArrayLiteral {
  /// The path of the steps of a literal: `["bodies", 3]`.
  public init(arrayLiteral elements: Step...) { self.init(elements) }
}

extension GraphPath.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Makes a key of the whole text: `"a.b"` is one key.
  public init(stringLiteral key: String) { self = .key(key) }

  /// An index.
  public init(integerLiteral index: Int) { self = .index(index) }
}

extension GraphPath.Step {
  /// Whether two steps are the same; keys are compared by their bytes.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.key(let one), .key(let other)): ByteString(one) == ByteString(other)
    case (.index(let one), .index(let other)): one == other
    case (.range(let one), .range(let other)): one == other
    default: false
    }
  }

  /// Hashes the index, the range, or the bytes of the key.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(ByteString(key))
    case .index(let index): hasher.combine(index)
    case .range(let range): hasher.combine(range)
    }
  }

  /// The step as the paths of errors have it.
  package var errorText: String {
    switch self {
    case .key(let key): key
    case .index(let index): "[\(index)]"
    case .range(let range): "[\(range)]"
    }
  }
}
