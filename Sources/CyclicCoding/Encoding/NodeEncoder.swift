import CycleBreaking

/// The `Encoder` of one value, which makes a node.
///
/// Unusual uses mean what they mean for `JSONEncoder`, or are an error: a container that is requested again continues with
/// what it holds, and the last value of a key counts.
final class NodeEncoder: CodingPlace {
  let flattening: Flattening
  /// The depth of the value in the piece that contains it.
  private let depth: Int
  private var content: Node?
  /// The encoders whose nodes will be in this container, in the order of their indices.
  private var nested: [NestedEncoder] = []
  /// Whether the value is complete or abandoned.
  private(set) var isDone = false

  /// The maximum depth of a piece.
  ///
  /// Values that are nested more deeply become a piece of their own with a number, as objects do. So the coders that store
  /// the result do not have to nest deeply.
  static let maximumDepth = 64

  init(in flattening: Flattening, _ step: Step, _ parent: NodeEncoder? = nil) {
    self.flattening = flattening
    depth = parent.map { $0.depthInPiece + 1 } ?? 0
    super.init(step, in: parent)
  }

  /// Whether the value is a piece of its own.
  private var isPiece: Bool { depth >= Self.maximumDepth && content?.isContainer == true }

  /// The depth of the value's contents in their piece, minus one.
  var depthInPiece: Int { isPiece ? 0 : depth }

  // MARK: Values

  /// Encodes a value as the encoder's only one.
  func setSingle<Value: Encodable>(_ value: Value) throws {
    try checkIsEmpty(value)
    content = try flattening.node(of: value, .root, in: self)
  }

  private func setSingle(_ node: Node, _ value: Any) throws {
    try checkIsEmpty(value)
    content = node
  }

  private func checkIsEmpty(_ value: Any) throws {
    try checkIsOpen(value)
    guard content == nil else { throw misuse(value, "More than one value without a key is encoded.") }
  }

  /// - Throws: `EncodingError` if the value is complete.
  @inline(__always)
  func checkIsOpen(_ value: @autoclosure () -> Any) throws {
    guard !isDone else { throw doneError(value()) }
  }

  private func doneError(_ value: Any) -> EncodingError {
    flattening.misuse
      ?? misuse(value, "The encoder or container belongs to a value whose encoding has ended.")
  }

  private func misuse(_ value: Any, _ text: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: text))
  }

  /// Sets the value of a key in the container of this encoder.
  @discardableResult
  func set(_ value: Node, for key: any CodingKey, in node: KeyedNode) -> Int {
    let place = node.set(value, for: key.stringValue, predictions: &flattening.predictions)
    if let last = nested.last, place <= last.place, let index = nestedIndex(of: place) {
      nested.remove(at: index).encoder.abandon()
    }
    return place
  }

  // MARK: Containers

  /// The container with keys.
  var keyedNode: KeyedNode {
    guard !isDone else { return KeyedNode() }
    switch container {
    case .keyed(let node): return node
    case nil:
      let node = KeyedNode()
      content = .keyed(node)
      return node
    default:
      refuse("A keyed container is requested beside a value or container of another kind.")
      return KeyedNode()
    }
  }

  /// The container without keys.
  var unkeyedNode: UnkeyedNode {
    guard !isDone else { return UnkeyedNode() }
    switch container {
    case .unkeyed(let node): return node
    case nil:
      let node = UnkeyedNode()
      content = .unkeyed(node)
      return node
    default:
      refuse("An unkeyed container is requested beside a value or container of another kind.")
      return UnkeyedNode()
    }
  }

  /// The contents so far, even if they are a piece of their own.
  private var container: Node? {
    if case .object(let number) = content { return flattening.contents(ofPiece: number) ?? content }
    return content
  }

  /// Notes an error where none can be thrown, and accepts no more values.
  private func refuse(_ text: String) {
    flattening.note(misuse: misuse(content as Any, text))
    abandon()
  }

  /// An encoder for the container of a key, which continues with what has been encoded for the key.
  func containerEncoder(_ key: any CodingKey, in node: KeyedNode) -> NodeEncoder {
    guard !isDone, let place = node.index(of: key.stringValue) else { return superEncoder(key, in: node) }
    if let index = nestedIndex(of: place) { return nested[index].encoder }
    let encoder = NodeEncoder(in: flattening, .key(key), self)
    encoder.content = node.values[place]
    let index = nested.lastIndex { $0.place < place }.map { $0 + 1 } ?? 0
    nested.insert(NestedEncoder(encoder: encoder, container: .keyed(node), place: place), at: index)
    return encoder
  }

  /// An encoder for the value of a key, which replaces what has been encoded for the key.
  func superEncoder(_ key: any CodingKey, in node: KeyedNode) -> NodeEncoder {
    let encoder = NodeEncoder(in: flattening, .key(key), self)
    guard !isDone else { return encoder.abandoned() }
    let place = set(.null, for: key, in: node)
    let index = nested.lastIndex { $0.place < place }.map { $0 + 1 } ?? 0
    nested.insert(NestedEncoder(encoder: encoder, container: .keyed(node), place: place), at: index)
    return encoder
  }

  /// An encoder for the next element.
  func elementEncoder(in node: UnkeyedNode) -> NodeEncoder {
    let index = node.elements.count
    let encoder = NodeEncoder(in: flattening, .index(index), self)
    guard !isDone else { return encoder.abandoned() }
    node.append(.null)
    nested.append(NestedEncoder(encoder: encoder, container: .unkeyed(node), place: index))
    return encoder
  }

  private func nestedIndex(of place: Int) -> Int? {
    var range = 0..<nested.count
    while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
      guard nested[middle].place != place else { return middle }
      range =
        nested[middle].place < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  // MARK: The end

  /// Ends the encoding, and returns the node with everything nested in it.
  func finish() -> Node {
    var open = takeNested()
    while let next = open.popLast() {
      open += next.encoder.takeNested()
      let node = next.encoder.finishedNode()
      switch next.container {
      case .keyed(let container): container.replace(at: next.place, by: node)
      case .unkeyed(let container): container.replace(at: next.place, by: node)
      default: break
      }
    }
    return finishedNode()
  }

  private func finishedNode() -> Node {
    let node = content ?? .keyed(KeyedNode())
    if case .keyed(let keyed) = container {
      keyed.finish(predictions: &flattening.predictions)
      if let key = keyed.ambiguousKey { flattening.note(misuse: misuse(key, KeyedNode.ambiguity(of: key))) }
    }
    return isPiece ? flattening.reference(toPiece: node) : node
  }

  /// Discards what has been encoded, because of an error.
  func abandon() {
    var open = takeNested()
    while let next = open.popLast() { open += next.encoder.takeNested() }
    content = nil
  }

  private func abandoned() -> NodeEncoder {
    abandon()
    return self
  }

  /// Ends the encoding, and releases the nested encoders, which retain this one.
  private func takeNested() -> [NestedEncoder] {
    isDone = true
    defer { nested = [] }
    return nested
  }
}

/// The encoder of what will be in a container.
private struct NestedEncoder {
  let encoder: NodeEncoder
  let container: Node
  let place: Int
}

extension NodeEncoder: Encoder {
  var codingPath: [any CodingKey] { flattening.codingPath(to: self) }

  var userInfo: [CodingUserInfoKey: Any] { flattening.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    flattening.trace?.note()
    return KeyedEncodingContainer(KeyedNodeEncoder(encoder: self, node: keyedNode))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    flattening.trace?.note()
    return UnkeyedNodeEncoder(encoder: self, node: unkeyedNode)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    flattening.trace?.note()
    return self
  }
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
    try checkIsEmpty(object)
    content = flattening.reference(to: object, object, isBroken: true, .root, in: self)
  }
}
