import Foundation

extension FlattenedContainer {
  /// A value in a flattened container: a scalar, a container of values, or a reference to an object.
  public enum Value: Equatable, Sendable {
    /// A nil value.
    case null
    /// A `Bool`.
    case bool(Bool)
    /// An integer of any type whose value fits in an `Int64`.
    case int(Int64)
    /// An integer of any type above `Int64.max` whose value fits in a `UInt64`.
    case uint(UInt64)
    /// The decimal digits of an integer that does not fit in 64 bits, with a sign if it is negative.
    case wideInteger(String)
    /// A `Float`.
    case float(Float)
    /// A `Double`.
    case double(Double)
    /// A `String`.
    case string(String)
    /// A `Data`.
    case data(Data)
    /// The elements of an unkeyed container.
    case unkeyed([Value])
    /// The values of a keyed container by their keys.
    case keyed([String: Value])
    /// A reference to an object, by its index in ``FlattenedContainer/referenced``.
    case reference(Int)
  }

  /// The encoded value, with references to the objects in ``referenced``.
  ///
  /// - Complexity: O(*n*) on each access, where *n* is the number of values in the root.
  public var root: Value { Value(graph.root, in: graph) }

  /// The objects that references lead to, by index.
  ///
  /// An object with only one reference to it takes the place of that reference instead, unless it would be nested too
  /// deeply there.
  ///
  /// - Complexity: O(*n*) on each access, where *n* is the number of values in the objects.
  public var referenced: [Value] { graph.referenced.map { Value($0, in: graph) } }
}

extension FlattenedContainer.Value {
  /// Creates the value that a node shows.
  ///
  /// Recursion is safe here because pieces are at most a few hundred levels deep.
  fileprivate init(_ node: Node, in graph: FlatGraph) {
    switch graph.shown(node) {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .wideInteger(let digits): self = .wideInteger(digits)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .unkeyed(let node): self = .unkeyed(node.elements.map { Self($0, in: graph) })
    case .keyed(let node):
      let values = node.values.map { Self($0, in: graph) }
      self = .keyed(Dictionary(zip(node.names, values)) { _, last in last })
    case .object(let number): self = .reference(Int(graph.index(of: number)))
    }
  }
}
