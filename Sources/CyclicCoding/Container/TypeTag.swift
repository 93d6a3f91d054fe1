/// The kind of a stored value, written as a short tag.
///
/// The tag follows the key of the value after a colon, so that the type is known before the value is decoded. A `Decoder`
/// finds out types only by trying, and not every decoder supports that. In a list of different kinds, each element is
/// wrapped in an object, with the tag as its key.
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
struct TypeTag: Equatable {
  /// The kind of the value; for a list, the kind of its elements.
  let content: Content
  let isList: Bool

  enum Content {
    case null, bool, int, uint, wideInteger, float, double, string, data, reference, keyed
    /// Only for a list: the elements are of different kinds, or lists themselves.
    case mixed
  }

  init(_ content: Content, isList: Bool = false) {
    self.content = content
    self.isList = isList
  }

  /// The kind of a node that is not an inline object.
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

  /// The kind with the given tag, or nil if there is none.
  init?(tag: Substring.UTF8View) {
    let isList = tag.first == UInt8(ascii: "[") && tag.last == UInt8(ascii: "]")
    let inner = isList ? tag.dropFirst().dropLast() : tag
    guard let content = Content(tag: inner), isList || content != .mixed else { return nil }
    self.init(content, isList: isList)
  }

  var tag: String { isList ? "[" + content.tag + "]" : content.tag }
}

extension TypeTag.Content {
  var tag: String {
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

  init?(tag: Substring.UTF8View) {
    guard let first = tag.first else {
      self = .mixed
      return
    }
    switch (UnicodeScalar(first), tag.count) {
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
    case ("{", 2) where tag.last == UInt8(ascii: "}"): self = .keyed
    default: return nil
    }
  }
}
