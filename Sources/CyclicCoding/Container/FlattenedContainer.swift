/// A value flattened by ``CyclicEncoder``: a tree with references to a list of shared objects.
///
/// It is `Codable`, so `JSONEncoder`, `PropertyListEncoder` or any other encoder can store it. ``CyclicDecoder`` turns
/// it back into the value.
///
/// Its description shows the objects with more than one reference to them, and the value:
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

// Safe because a graph is not mutated once it has been made.
extension FlattenedContainer: @unchecked Sendable {}
