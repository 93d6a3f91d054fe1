/// What ``CyclicEncoder`` makes of a value: a tree of simple values with references to a list of objects.
///
/// It is `Codable`, so that `JSONEncoder`, `PropertyListEncoder` or any other encoder can store it.
/// ``CyclicDecoder`` makes the value again.
///
/// Printed, it shows the objects that are referred to more than once, and the value with references to them:
///
///     referenced: [{ name: "Ada" }],
///     root: [
///       { helper: #0 },
///       { helper: { name: "Bob" } },
///       { helper: #0 }
///     ]
public struct FlattenedContainer {
  let graph: FlatGraph
}

// Safe because nothing in a graph is changed once it has been made.
extension FlattenedContainer: @unchecked Sendable {}
