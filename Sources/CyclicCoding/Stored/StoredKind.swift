/// What is stored for a node, in words of one sign.
///
/// It stands behind the key of a field, after a colon, so that whoever reads the value knows its type before:
/// coders tell types apart by trial only, and not all do. An element of a list whose elements are of several
/// kinds stands in an object by itself, below the sign of its kind.
///
///     referenced: [{  }],
///     root: [
///       { helper: #0, size: 1.5 }
///     ]
///
/// is stored in JSON as
///
///     {
///       "referenced": { "[{}]": [{}] },
///       "root": { "[{}]": [{ "helper:#": 0, "size:d": 1.5 }] }
///     }
struct StoredKind: Equatable {
  /// What is stored; of a list, what all its elements are.
  let content: Content
  let isList: Bool

  enum Content {
    case null, bool, int, uint, wideInteger, float, double, string, data, reference, keyed
    /// The elements of a list that are of different kinds, or lists; not for a single value.
    case mixed
  }

  init(_ content: Content, isList: Bool = false) {
    self.content = content
    self.isList = isList
  }

  /// The kind of a node that is no inline object.
  init(of node: Node, in graph: FlatGraph) {
    switch node {
    case .unkeyed(let node):
      self.init(Self.contentOfAll(node.elements, in: graph), isList: true)
    default:
      self.init(Self.content(of: node))
    }
  }

  private static func contentOfAll(_ elements: [Node], in graph: FlatGraph) -> Content {
    guard let first = elements.first else { return .mixed }
    let content = content(of: graph.shown(first))
    return elements.allSatisfy { self.content(of: graph.shown($0)) == content } ? content : .mixed
  }

  private static func content(of node: Node) -> Content {
    switch node {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .wideInteger: .wideInteger
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .object: .reference
    case .keyed: .keyed
    case .unkeyed: .mixed
    }
  }

  /// The kind with a sign; nil where there is none.
  init?(sign: Substring.UTF8View) {
    let isList = sign.first == UInt8(ascii: "[") && sign.last == UInt8(ascii: "]")
    let inner = isList ? sign.dropFirst().dropLast() : sign
    guard let content = Content(sign: inner), isList || content != .mixed else { return nil }
    self.init(content, isList: isList)
  }

  var sign: String { isList ? "[" + content.sign + "]" : content.sign }
}

extension StoredKind.Content {
  var sign: String {
    switch self {
    case .null: "n"
    case .bool: "b"
    case .int: "i"
    case .uint: "u"
    case .wideInteger: "w"
    case .float: "f"
    case .double: "d"
    case .string: "s"
    case .data: "x"
    case .reference: "#"
    case .keyed: "{}"
    case .mixed: ""
    }
  }

  init?(sign: Substring.UTF8View) {
    guard let first = sign.first else {
      self = .mixed
      return
    }
    switch (UnicodeScalar(first), sign.count) {
    case ("n", 1): self = .null
    case ("b", 1): self = .bool
    case ("i", 1): self = .int
    case ("u", 1): self = .uint
    case ("w", 1): self = .wideInteger
    case ("f", 1): self = .float
    case ("d", 1): self = .double
    case ("s", 1): self = .string
    case ("x", 1): self = .data
    case ("#", 1): self = .reference
    case ("{", 2) where sign.last == UInt8(ascii: "}"): self = .keyed
    default: return nil
    }
  }
}
