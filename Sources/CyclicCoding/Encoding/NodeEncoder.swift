/// The `Encoder` of one value: it makes a node of it.
final class NodeEncoder: CodingPlace {
  let flattening: Flattening
  /// How deep the value lies in the piece that holds it.
  private let depth: Int
  private var content: Node?
  /// Encoders of nested containers and for superclasses, with what puts their nodes in place.
  private var nested: [(encoder: NodeEncoder, place: (Node) -> Void)] = []

  /// Values lie at most that deep inside each other in one piece.
  ///
  /// What lies deeper is a piece of its own that gets a number, as objects do. So the coders that store the
  /// result need not nest deeply.
  static let maximumDepth = 64

  init(in flattening: Flattening, _ step: Step, _ parent: NodeEncoder? = nil) {
    self.flattening = flattening
    depth = parent.map { $0.depthInPiece + 1 } ?? 0
    super.init(step, in: parent)
  }

  /// Whether the value is a piece of its own.
  private var isPiece: Bool { depth >= Self.maximumDepth && content?.isContainer == true }

  /// How deep what the value consists of lies in its piece, less one.
  var depthInPiece: Int { isPiece ? 0 : depth }

  /// An encoder whose node is handed to `place` when this one has finished.
  func nestedEncoder(_ step: Step, place: @escaping (Node) -> Void) -> NodeEncoder {
    let encoder = NodeEncoder(in: flattening, step, self)
    nested.append((encoder, place))
    return encoder
  }

  /// What has been encoded, with everything nested in it in place.
  func finish() -> Node {
    var open = nested
    nested = []
    while let (encoder, place) = open.popLast() {
      open += encoder.nested
      encoder.nested = []
      place(encoder.finishedNode())
    }
    return finishedNode()
  }

  private func finishedNode() -> Node {
    let node = content ?? .keyed(KeyedNode())
    switch node {
    case .keyed(let keyed): keyed.finish(predictions: &flattening.predictions)
    case .unkeyed(let unkeyed): unkeyed.finish()
    default: break
    }
    return isPiece ? flattening.reference(toPiece: node) : node
  }

  /// Encodes a value as the only one.
  func setSingle<Value: Encodable>(_ value: Value) throws {
    try setSingle(flattening.node(of: value, .root, in: self), value)
  }

  private func setSingle(_ node: Node, _ value: Any) throws {
    guard content == nil else { throw misuse(value, "A value is encoded beside others that have no key.") }
    content = node
  }

  private func misuse(_ value: Any, _ text: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: text))
  }

  var keyedNode: KeyedNode {
    switch content {
    case .keyed(let node): return node
    case nil: break
    default:
      flattening.note(
        misuse: misuse(type(of: content), "A keyed container is asked for beside another kind."))
    }
    let node = KeyedNode()
    content = .keyed(node)
    return node
  }

  var unkeyedNode: UnkeyedNode {
    switch content {
    case .unkeyed(let node): return node
    case nil: break
    default:
      flattening.note(
        misuse: misuse(type(of: content), "An unkeyed container is asked for beside another kind."))
    }
    let node = UnkeyedNode()
    content = .unkeyed(node)
    return node
  }
}

extension NodeEncoder: Encoder {
  var codingPath: [any CodingKey] { flattening.codingPath(to: self) }

  var userInfo: [CodingUserInfoKey: Any] { flattening.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedNodeEncoder(encoder: self, node: keyedNode))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedNodeEncoder(encoder: self, node: unkeyedNode)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension NodeEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try setSingle(.null, Any?.none as Any) }

  func encode<Value: Encodable>(_ value: Value) throws { try setSingle(value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try setSingle(Node(value), value) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try setSingle(Node(value), value) }
}

extension NodeEncoder: CycleBreakingEncoder {
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws {
    try setSingle(flattening.reference(to: object, object, isBroken: true, .root, in: self), object)
  }
}
