/// A nested container, or the fields of a record from the first nested container on, where containers wait: written
/// when the record ends.
///
/// Nodes hold those inside them only until the tree ends, which holds them all: so a long chain of them is not
/// released recursively.
final class BufferedNode {
  let tree: BufferedTree
  private let parent: BufferedNode?
  private let key: ArchiveKey?
  private(set) var fields: [Field] = []
  /// How many fields without a key there are, those that did not wait included.
  private(set) var unkeyedCount: Int
  /// An unkeyed container has been asked for.
  private(set) var isList = false
  /// The value of a single value container.
  var single: AnyBufferedValue?
  /// No field has been written before those that wait.
  private let wasEmpty: Bool
  /// The first container among the fields; an enum with payloads has no other.
  private var firstContainer: (key: ByteString, node: BufferedNode)?
  /// The others, by their keys.
  private var otherContainers: [ByteString: BufferedNode] = [:]
  /// How its fields become a record, with the shapes of its type of keys.
  private let form: any BufferedRecordType.Type

  struct Field {
    /// nil for none.
    let key: ArchiveKey?
    let content: Content
  }

  enum Content {
    case value(AnyBufferedValue)
    /// By its place in the tree.
    case node(Int)
  }

  fileprivate init(
    _ tree: BufferedTree, parent: BufferedNode?, key: ArchiveKey?, _ form: any BufferedRecordType.Type,
    unkeyedCount: Int = 0, isEmpty: Bool = true
  ) {
    self.unkeyedCount = unkeyedCount
    wasEmpty = isEmpty
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

  /// Whether nothing of the record has been encoded.
  var isEmpty: Bool { wasEmpty && fields.isEmpty && !isList && single == nil }

  @inline(never)
  func append(_ value: AnyBufferedValue, for key: ArchiveKey?) throws {
    _ = try currentWriter()
    try splitSingle()
    add(Field(key: key, content: .value(value)))
  }

  /// Notes that an unkeyed container has been asked for.
  ///
  /// - Returns: how many elements there are.
  func beginList() -> Int {
    try? splitSingle()  // Its error is thrown by all that comes next.
    isList = true
    return unkeyedCount
  }

  /// The writer of the tree.
  ///
  /// - Throws: where the tree has ended.
  func currentWriter() throws -> CodableWriter {
    guard !tree.isDone, let writer = tree.writer else { throw tree.doneError }
    return writer
  }

  /// A node in place of a value.
  func nested(for key: ArchiveKey?, _ form: any BufferedRecordType.Type) -> BufferedNode {
    try? splitSingle()  // Its error is thrown by all that comes next.
    let step = key ?? ArchiveKey(intValue: unkeyedCount)
    let node = BufferedNode(tree, parent: self, key: step, form)
    if let place = tree.add(node) { add(Field(key: key, content: .node(place))) }
    return node
  }

  /// A container in place of a value, or the one that has been asked for with that key before.
  func container(for key: ArchiveKey, _ form: any BufferedRecordType.Type) -> BufferedNode {
    let name = ByteString(key.stringValue)
    if let first = firstContainer, first.key == name { return first.node }
    if let known = otherContainers[name] { return known }
    let node = nested(for: key, form)
    if tree.isDone { return node }
    if firstContainer == nil { firstContainer = (name, node) } else { otherContainers[name] = node }
    return node
  }

  /// Lets go of the nodes in it.
  fileprivate func end() {
    firstContainer = nil
    otherContainers = [:]
    single = nil
  }

  private func add(_ field: Field) {
    fields.append(field)
    if field.key == nil { unkeyedCount += 1 }
  }

  /// Writes the fields into the record that is being written.
  func writeFields(_ writer: CodableWriter) throws {
    if let single {
      try writer.enter(named: nil, single.kind(writer))
      do { try single.write(writer) } catch { throw writer.encoder.noted(error) }
    }
    if isList {
      if writer.hasSingleValue { throw writer.mixed() }
      writer.encoder.enterList()
    }
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
final class BufferedTree {
  fileprivate private(set) var nodes: [BufferedNode] = []
  fileprivate(set) var isDone: Bool
  private(set) weak var writer: CodableWriter?
  private let serial: Int
  private let writtenCount: Int
  private let isEmpty: Bool

  /// - Parameters:
  ///   - serial: of a record; 0 for none, which takes nothing.
  ///   - writtenCount: how many of its fields without a key have been written.
  ///   - isEmpty: whether no field has been written.
  init(_ writer: CodableWriter, serial: Int, writtenCount: Int = 0, isEmpty: Bool = true) {
    self.isEmpty = isEmpty
    self.writer = writer
    self.serial = serial
    self.writtenCount = writtenCount
    isDone = serial == 0
  }

  /// The fields of the record itself; one that takes nothing when the tree has ended.
  var root: BufferedNode {
    if let storedRoot { return storedRoot }
    let root = BufferedNode(
      self, parent: nil, key: nil, BufferedRecord<ArchiveKey>.self, unkeyedCount: writtenCount,
      isEmpty: isEmpty)
    if !isDone { storedRoot = root }
    return root
  }

  /// It holds the tree, until that ends.
  private var storedRoot: BufferedNode?

  fileprivate var basePath: [any CodingKey] { writer?.path(of: serial) ?? [] }

  fileprivate func add(_ node: BufferedNode) -> Int? {
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

  var doneError: any Error {
    writer?.notCurrent("nothing")
      ?? EncodingError.invalidValue(
        "nothing",
        .init(codingPath: [], debugDescription: "The encoder that this container belongs to is done."))
  }
}

/// Makes a record of a node.
protocol BufferedRecordType: GEncodable {
  static func write(_ node: BufferedNode, for key: ArchiveKey?, _ writer: CodableWriter) throws
}

/// A node as a value with shapes of its own, one set for each type of keys.
struct BufferedRecord<Key: CodingKey>: BufferedRecordType {
  let node: BufferedNode

  static func write(_ node: BufferedNode, for key: ArchiveKey?, _ writer: CodableWriter) throws {
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
class AnyBufferedValue {
  func kind(_ writer: CodableWriter) -> GraphKind { preconditionFailure("every value is of a subclass") }
  func write(_ writer: CodableWriter) throws {}
  /// Whether it is a record or container, whose parts can be those of another record.
  func hasParts(_ writer: CodableWriter) -> Bool { false }
  /// Encodes its parts.
  func encode(to encoder: any Encoder) throws {}
}

final class BufferedValue<Value: Encodable>: AnyBufferedValue {
  private let value: Value
  init(_ value: Value) { self.value = value }
  override func kind(_ writer: CodableWriter) -> GraphKind { writer.type(Value.self).kind }
  override func write(_ writer: CodableWriter) throws { try writer.type(Value.self).write(value) }
  override func hasParts(_ writer: CodableWriter) -> Bool { writer.type(Value.self).hasParts }
  override func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// A value of the library's own forms: nil, a field that may be left out.
final class BufferedForm<Value: GEncodable>: AnyBufferedValue {
  private let value: Value
  init(_ value: Value) { self.value = value }
  override func kind(_ writer: CodableWriter) -> GraphKind { writer.encoder.nestedKind(Value.self) }
  override func write(_ writer: CodableWriter) throws { try writer.encoder.writeNested(value) }
}

/// A reference that counts only if others lead to its object.
final class BufferedConditional<Object: AnyObject & Encodable>: AnyBufferedValue {
  private let object: Object
  init(_ object: Object) { self.object = object }
  override func kind(_ writer: CodableWriter) -> GraphKind { .taggedConditional }
  override func write(_ writer: CodableWriter) throws {
    try writer.type(Object.self).writeConditional(object)
  }
}
