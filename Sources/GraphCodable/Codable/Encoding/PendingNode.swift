/// A nested container, or the fields of a record from the first nested container on, where containers wait: written
/// when the record ends.
///
/// Nodes hold those inside them only until the tree ends, which holds them all: so a long chain of them is not
/// released recursively.
final class PendingNode {
  private let tree: PendingTree
  private let parent: PendingNode?
  private let key: ArchiveKey?
  private(set) var fields: [Field] = []
  /// How many fields without a key there are, those that did not wait included.
  private(set) var unkeyedCount: Int
  /// An unkeyed container has been asked for.
  var isList = false
  /// The first container among the fields; an enum with payloads has no other.
  private var firstContainer: (key: String, node: PendingNode)?
  /// The others, by their keys.
  private var otherContainers: [String: PendingNode] = [:]
  /// How its fields become a record, with the shapes of its type of keys.
  private let form: any PendingRecordType.Type

  struct Field {
    /// nil for none.
    let key: String?
    let content: Content
  }

  enum Content {
    case value(AnyPendingValue)
    /// By its place in the tree.
    case node(Int)
  }

  fileprivate init(
    _ tree: PendingTree, parent: PendingNode?, key: ArchiveKey?, _ form: any PendingRecordType.Type,
    unkeyedCount: Int = 0
  ) {
    self.unkeyedCount = unkeyedCount
    self.tree = tree
    self.parent = parent
    self.key = key
    self.form = form
  }

  var path: [any CodingKey] {
    var keys: [any CodingKey] = []
    var node = self
    while let key = node.key, let parent = node.parent {
      keys.append(key)
      node = parent
    }
    return node.tree.basePath + keys.reversed()
  }

  func append(_ value: AnyPendingValue, for key: String?) throws {
    guard !tree.isDone else { throw tree.doneError }
    add(Field(key: key, content: .value(value)))
  }

  /// A node in place of a value.
  func nested(for key: String?, _ form: any PendingRecordType.Type) -> PendingNode {
    let step = key.map { ArchiveKey(stringValue: $0) } ?? ArchiveKey(intValue: unkeyedCount)
    let node = PendingNode(tree, parent: self, key: step, form)
    if let place = tree.add(node) { add(Field(key: key, content: .node(place))) }
    return node
  }

  /// A container in place of a value, or the one that has been asked for with that key before.
  func container(for key: String, _ form: any PendingRecordType.Type) -> PendingNode {
    if let first = firstContainer, first.key == key { return first.node }
    if let known = otherContainers[key] { return known }
    let node = nested(for: key, form)
    if tree.isDone { return node }
    if firstContainer == nil { firstContainer = (key, node) } else { otherContainers[key] = node }
    return node
  }

  /// Lets go of the nodes in it.
  fileprivate func end() {
    firstContainer = nil
    otherContainers = [:]
  }

  private func add(_ field: Field) {
    fields.append(field)
    if field.key == nil { unkeyedCount += 1 }
  }

  /// Writes the fields into the record that is being written.
  func writeFields(_ writer: CodableWriter) throws {
    if isList { writer.encoder.enterList() }
    var index = 0
    while index < fields.count {
      let field = fields[index]
      index += 1
      switch field.content {
      case .value(let value):
        try writer.enter(named: field.key, value.kind(writer))
        do { try value.write(writer) } catch { throw writer.encoder.noted(error) }
      case .node(let place):
        let node = tree.nodes[place]
        try node.form.write(node, for: field.key, writer)
      }
    }
  }
}

/// The nested containers of a record, while it is being encoded.
final class PendingTree {
  fileprivate private(set) var nodes: [PendingNode] = []
  fileprivate private(set) var isDone: Bool
  private weak var writer: CodableWriter?
  private let serial: Int
  private let writtenCount: Int

  /// - Parameters:
  ///   - serial: of a record; 0 for none, which takes nothing.
  ///   - writtenCount: how many of its fields without a key have been written.
  init(_ writer: CodableWriter, serial: Int, writtenCount: Int = 0) {
    self.writer = writer
    self.serial = serial
    self.writtenCount = writtenCount
    isDone = serial == 0
  }

  /// The fields of the record itself; one that takes nothing when the tree has ended.
  var root: PendingNode {
    if let storedRoot { return storedRoot }
    let root = PendingNode(
      self, parent: nil, key: nil, PendingRecord<ArchiveKey>.self, unkeyedCount: writtenCount)
    if !isDone { storedRoot = root }
    return root
  }

  /// It holds the tree, until that ends.
  private var storedRoot: PendingNode?

  fileprivate var basePath: [any CodingKey] { writer?.path(of: serial) ?? [] }

  fileprivate func add(_ node: PendingNode) -> Int? {
    guard !isDone else { return nil }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Lets go of the nodes, which hold the tree.
  func end() {
    isDone = true
    storedRoot?.end()
    storedRoot = nil
    for node in nodes { node.end() }
    // The one made last first: a node holds the one around it.
    while nodes.popLast() != nil {}
  }

  @inline(never)
  fileprivate var doneError: any Error {
    writer?.notCurrent("nothing")
      ?? EncodingError.invalidValue(
        "nothing",
        .init(codingPath: [], debugDescription: "The encoder that this container belongs to is done."))
  }
}

/// Makes a record of a node.
protocol PendingRecordType: GEncodable {
  static func write(_ node: PendingNode, for key: String?, _ writer: CodableWriter) throws
}

/// A node as a value with shapes of its own, one set for each type of keys.
struct PendingRecord<Key: CodingKey>: PendingRecordType {
  let node: PendingNode

  static func write(_ node: PendingNode, for key: String?, _ writer: CodableWriter) throws {
    let type = writer.encoder.encoderType(Self.self)
    try writer.enter(named: key, .record)
    try writer.encoder.writeRecord(Self(node: node), type)
  }

  func encode(to encoder: GEncoder) throws {
    let writer = encoder.codable
    let serial = writer.enterRecord(in: nil, base: node)
    writer.state.pointee.streaming = 0
    defer { writer.leaveRecord(serial) }
    try node.writeFields(writer)
  }
}

/// A value that will be encoded.
class AnyPendingValue {
  func kind(_ writer: CodableWriter) -> GraphKind { preconditionFailure("every value is of a subclass") }
  func write(_ writer: CodableWriter) throws {}
}

final class PendingValue<Value: Encodable>: AnyPendingValue {
  private let value: Value
  init(_ value: Value) { self.value = value }
  override func kind(_ writer: CodableWriter) -> GraphKind { writer.type(Value.self).kind }
  override func write(_ writer: CodableWriter) throws { try writer.type(Value.self).write(value) }
}

/// A value of the library's own forms: nil, a field that may be left out.
final class PendingForm<Value: GEncodable>: AnyPendingValue {
  private let value: Value
  init(_ value: Value) { self.value = value }
  override func kind(_ writer: CodableWriter) -> GraphKind { writer.encoder.nestedKind(Value.self) }
  override func write(_ writer: CodableWriter) throws { try writer.encoder.writeNested(value) }
}

/// A reference that counts only if others lead to its object.
final class PendingConditional<Object: AnyObject & Encodable>: AnyPendingValue {
  private let object: Object
  init(_ object: Object) { self.object = object }
  override func kind(_ writer: CodableWriter) -> GraphKind { .tagged }
  override func write(_ writer: CodableWriter) throws {
    try writer.type(Object.self).writeConditional(object)
  }
}
