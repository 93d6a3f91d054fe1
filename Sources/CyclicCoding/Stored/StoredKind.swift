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

  enum Content: String, CaseIterable {
    case null = "n"
    case bool = "b"
    case int = "i"
    case uint = "u"
    case wideInteger = "w"
    case float = "f"
    case double = "d"
    case string = "s"
    case data = "x"
    case reference = "#"
    case keyed = "{}"
    /// The elements of a list that are of different kinds, or lists; not for a single value.
    case mixed = ""
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
  init?(sign: Substring) {
    let isList = sign.first == "[" && sign.last == "]" && sign.count > 1
    let name = isList ? sign.dropFirst().dropLast() : sign
    guard let content = Content(rawValue: String(name)), isList || content != .mixed else { return nil }
    self.init(content, isList: isList)
  }

  var sign: String { isList ? "[\(content.rawValue)]" : content.rawValue }
}

/// A key with the kind of what is stored below it.
struct StoredKey: CodingKey {
  /// The key, a colon and the sign of the kind; only the sign for an element of a list.
  let stringValue: String
  /// The key; nil for an element of a list.
  let name: String?
  /// Nil where the text ends in no sign.
  let kind: StoredKind?

  var intValue: Int? { nil }

  init(_ name: String, _ kind: StoredKind) {
    stringValue = "\(name):\(kind.sign)"
    self.name = name
    self.kind = kind
  }

  init(element kind: StoredKind) {
    stringValue = kind.sign
    name = nil
    self.kind = kind
  }

  init?(stringValue: String) {
    self.stringValue = stringValue
    if let colon = stringValue.lastIndex(of: ":") {
      name = String(stringValue[..<colon])
      kind = StoredKind(sign: stringValue[stringValue.index(after: colon)...])
    } else {
      name = nil
      kind = StoredKind(sign: stringValue[...])
    }
  }

  init?(intValue: Int) { nil }
}
