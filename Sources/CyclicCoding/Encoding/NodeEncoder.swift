/// The `Encoder` of one value. What it has encoded is a ``Node``.
final class NodeEncoder: CodingPlace {
  let flattening: Flattening
  private var content: Node?
  /// Encoders of nested containers and for superclasses, with what takes the place of theirs.
  private var nested: [(encoder: NodeEncoder, place: (Node) -> Void)] = []

  init(in flattening: Flattening, _ step: Step, _ parent: NodeEncoder? = nil) {
    self.flattening = flattening
    super.init(step, in: parent)
  }

  /// An encoder whose node is handed to `place` when this one has finished.
  func nestedEncoder(_ step: Step, place: @escaping (Node) -> Void) -> NodeEncoder {
    let encoder = NodeEncoder(in: flattening, step, self)
    nested.append((encoder, place))
    return encoder
  }

  /// What has been encoded.
  ///
  /// It stands where it belongs already, but for what is nested: that is put there now.
  func finish() -> Node {
    if case .keyed(let node) = content { node.finish(predictions: &flattening.predictions) }
    for (encoder, place) in nested { place(encoder.finish()) }
    nested = []
    return content ?? .keyed(KeyedNode())
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
      flattening.note(misuse: misuse(type(of: content), "A keyed container is asked for beside another kind."))
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
      flattening.note(misuse: misuse(type(of: content), "An unkeyed container is asked for beside another kind."))
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
}

extension NodeEncoder: CycleBreakingEncoder {
  func encodeBreakingCycles<Object: AnyObject & Encodable>(_ object: Object) throws {
    try setSingle(
      flattening.reference(to: object, object, isBroken: true, at: CodingPlace(.root, in: self)), object)
  }
}
