import _GraphSupport

/// What a user says of an array beside its elements: its unit, the names of its dimensions, and other values by name.
///
///     var attributes: GAttributes = ["long_name": "positions of the atoms", "cutoff": 1.2]
///     attributes.unit = "nm"
///     attributes.dimensions = ["time", "atom", "xyz"]
///     try encoder.encode(positions, for: Key.positions, attributes: attributes)
///
/// Archives keep attributes beside their tables, so they are read without the array. In xarray, they are `dims` and `attrs`.
public struct GAttributes: Hashable, Sendable {
  /// The names of the dimensions, from the outermost; empty where they have none.
  ///
  /// There may be one more than the array has dimensions, for the lanes of vectors.
  public var dimensions: [String] = []
  private var pairs: [String: Value] = [:]

  /// Makes attributes with nothing in them.
  public init() {}

  /// Makes attributes of a unit and names of dimensions.
  public init(unit: String?, dimensions: [String] = []) {
    self.dimensions = dimensions
    self.unit = unit
  }

  /// Makes attributes of names of dimensions.
  public init(dimensions: [String]) { self.dimensions = dimensions }

  /// The unit of the elements, which is the value of `units`, as CF conventions name it; nil where it is no string.
  public var unit: String? {
    get { if case .string(let unit)? = self["units"] { unit } else { nil } }
    set { self["units"] = newValue.map(Value.string) }
  }

  /// The value of a name; nil for none.
  public subscript(name: String) -> Value? {
    get { pairs[name] }
    set { pairs[name] = newValue }
  }

  /// The names of all values, the unit's `units` among them, in ascending order of their bytes.
  ///
  /// - Complexity: O(n log n).
  public var names: [String] { pairs.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// Whether there is nothing in them.
  public var isEmpty: Bool { dimensions.isEmpty && pairs.isEmpty }

  /// A value of an attribute.
  public enum Value: Hashable, Sendable {
    /// A text.
    case string(String)
    /// An integer.
    case integer(Int)
    /// A floating-point number.
    case number(Double)
    /// A truth value.
    case bool(Bool)
    /// Several texts.
    case strings([String])
    /// Several integers.
    case integers([Int])
    /// Several floating-point numbers.
    case numbers([Double])
    /// Several truth values.
    case bools([Bool])
  }
}

extension GAttributes {
  /// The same, which may be stored.
  ///
  /// - Throws: `invalidValue` for a text with more than 256 combining marks in a row, which takes too long to hash.
  package func checked() throws -> Self {
    let texts = pairs.flatMap { name, value in
      switch value {
      case .string(let text): [name, text]
      case .strings(let texts): [name] + texts
      default: [name]
      }
    }
    guard !(dimensions + texts).contains(where: Metadata.isRefused) else {
      throw GCodableError(.invalidValue, "a text of attributes has more than 256 combining marks in a row")
    }
    return self
  }
}

extension GAttributes: ExpressibleByDictionaryLiteral {
  /// Makes attributes of names and values, the last of those with one name.
  public init(dictionaryLiteral elements: (String, Value)...) {
    for (name, value) in elements { self[name] = value }
  }
}

extension GAttributes.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension GAttributes.Value: CustomStringConvertible {
  /// The value as text, strings in quotation marks.
  public var description: String {
    switch self {
    case .string(let value): value.debugDescription
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .strings(let values): "\(values)"
    case .integers(let values): "\(values)"
    case .numbers(let values): "\(values)"
    case .bools(let values): "\(values)"
    }
  }
}

extension GAttributes: CustomStringConvertible {
  /// The dimensions and the values in one line: `(time, atom) units: "nm"`.
  public var description: String {
    let names = names.map { "\($0): \(self[$0].map(\.description) ?? "")" }
    let dimensions = dimensions.isEmpty ? [] : ["(\(dimensions.joined(separator: ", ")))"]
    return (dimensions + names).joined(separator: " ")
  }
}
