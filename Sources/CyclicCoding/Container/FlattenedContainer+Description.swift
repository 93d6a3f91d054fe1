extension FlattenedContainer: CustomStringConvertible {
  /// The objects with more than one reference to them, and the value.
  public var description: String {
    var text = NodeText(graph)
    text.append("referenced: ")
    text.appendList(graph.referenced, column: 0)
    text.append(",\nroot: ")
    text.append(graph.root, column: 0)
    return text.text
  }
}

/// Prints nodes.
///
/// A container is printed in one line if it holds only scalars and empty containers, or one value that is printed in one
/// line. Otherwise each of its values starts a line, except for the first value of a keyed container.
private struct NodeText {
  private let graph: FlatGraph
  private(set) var text = ""

  init(_ graph: FlatGraph) {
    self.graph = graph
  }

  mutating func append(_ string: String) { text += string }

  /// Appends a node, whose lines start at `column`.
  mutating func append(_ node: Node, column: Int) {
    switch graph.shown(node) {
    case .null: append("nil")
    case .bool(let value): append("\(value)")
    case .int(let value): append("\(value)")
    case .uint(let value): append("\(value)")
    case .wideInteger(let digits): append(digits)
    case .float(let value): append("\(value)")
    case .double(let value): append("\(value)")
    case .string(let value): append(value.debugDescription)
    case .data(let value): append("<\(value.count) bytes>")
    case .object(let number): append("#\(graph.index(of: number))")
    case .unkeyed(let node): appendList(node.elements, column: column)
    case .keyed(let node): appendKeyed(node, column: column)
    }
  }

  mutating func appendList(_ elements: [Node], column: Int) {
    let isOneLine = fitsOneLine(elements)
    append("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { append(isOneLine ? ", " : ",") }
      if !isOneLine { newLine(column + 2) }
      append(element, column: column + 2)
    }
    if !isOneLine { newLine(column) }
    append("]")
  }

  private mutating func appendKeyed(_ node: KeyedNode, column: Int) {
    let isOneLine = fitsOneLine(node.values)
    append("{ ")
    for (index, (name, value)) in zip(node.names, node.values).enumerated() {
      if index > 0 {
        append(isOneLine ? ", " : ",")
        if !isOneLine { newLine(column + 2) }
      }
      append("\(name): ")
      append(value, column: column + 2)
    }
    if isOneLine { append(" ") } else { newLine(column) }
    append("}")
  }

  private func fitsOneLine(_ nodes: [Node]) -> Bool {
    nodes.allSatisfy { node in
      switch graph.shown(node) {
      case .unkeyed(let node): node.elements.isEmpty || nodes.count == 1 && fitsOneLine(node.elements)
      case .keyed(let node): node.values.isEmpty || nodes.count == 1 && fitsOneLine(node.values)
      default: true
      }
    }
  }

  private mutating func newLine(_ column: Int) {
    text += "\n"
    text += String(repeating: " ", count: column)
  }
}
