#if Macros
  import GraphCodableMacros

  /// W2's element, coded by the macro.
  @GCodable package final class MacroNode {
    let id: Int
    let name: String
    private(set) var neighbours: [MacroNode]

    package init(id: Int, name: String, neighbours: [MacroNode]) {
      self.id = id
      self.name = name
      self.neighbours = neighbours
    }

    package static func isSameGraph(_ nodes: [MacroNode], _ other: [MacroNode]) -> Bool {
      nodes.count == other.count
        && zip(nodes, other).allSatisfy { node, twin in
          node.id == twin.id && node.name == twin.name && node.neighbours.count == twin.neighbours.count
            && zip(node.neighbours, twin.neighbours).allSatisfy { $1 === other[$0.id] }
        }
    }
  }
#endif
