import CycleBreaking

/// The `Decoder` of one node.
final class NodeDecoder: CodingPlace {
  let unflattening: Unflattening
  /// The node to decode, which may be a reference.
  let node: Node
  /// The index of the last key that was found.
  ///
  /// The search starts there, because keys are usually decoded in the order in which they were encoded.
  private var cursor = 0
  /// The indices of keys, if there are many of them and they are decoded in another order.
  private var indices: [String: Int]?
  /// The number of keys that lead here.
  private let keyCount: Int
  /// The place above this one where the path of errors ends, if it does.
  private let errorPlace: NodeDecoder?
  /// The path of errors at the places below, if it ends here.
  private lazy var endedErrorPath = codingPath

  /// The maximum number of keys in the path of an error.
  ///
  /// Types that try one container after another cause errors at each level, and whole paths would take time quadratic in
  /// the depth.
  private static let errorPathCount = 512

  init(_ node: Node, in unflattening: Unflattening, _ step: Step, _ parent: NodeDecoder?) {
    self.node = node
    self.unflattening = unflattening
    let isKey =
      switch step {
      case .key, .index: true
      case .root, .object: false
      }
    keyCount = (parent?.keyCount ?? 0) + (isKey ? 1 : 0)
    errorPlace = keyCount > Self.errorPathCount ? parent?.errorPlace ?? parent : nil
    super.init(step, in: parent)
  }

  /// The context of an error at this place, or at a key below it.
  func errorContext(_ text: String, at key: (any CodingKey)? = nil) -> DecodingError.Context {
    guard let errorPlace else {
      return .init(codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: text)
    }
    return .init(
      codingPath: errorPlace.endedErrorPath,
      debugDescription: "\(text) (The path has the first \(errorPlace.keyCount) of \(keyCount) keys.)")
  }

  /// The value for a key, or nil if there is none.
  func value(of name: String, in keyed: KeyedNode) -> Node? {
    let names = keyed.names
    for index in cursor..<min(cursor + 2, names.count) where names[index] == name {
      cursor = index
      return keyed.values[index]
    }
    guard let index = index(of: name, among: names) else { return nil }
    cursor = index
    return keyed.values[index]
  }

  private func index(of name: String, among names: [String]) -> Int? {
    guard names.count > 16 else { return names.firstIndex(of: name) }
    let indices = self.indices ?? Dictionary(zip(names, names.indices)) { first, _ in first }
    self.indices = indices
    return indices[name]
  }
}

extension NodeDecoder: Decoder {
  var codingPath: [any CodingKey] { codingPath() }

  var userInfo: [CodingUserInfoKey: Any] { unflattening.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let node = try unflattening.contents(of: node, at: self)
    try unflattening.checkIsOpen(at: self)
    guard case .keyed(let keyed) = node else {
      throw node.mismatch([String: Any].self, at: self)
    }
    return KeyedDecodingContainer(KeyedNodeDecoder(decoder: self, node: keyed))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let node = try unflattening.contents(of: node, at: self)
    try unflattening.checkIsOpen(at: self)
    guard case .unkeyed(let unkeyed) = node else { throw node.mismatch([Any].self, at: self) }
    return UnkeyedNodeDecoder(decoder: self, elements: unkeyed.elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try unflattening.value(of: node, as: type, .root, in: self)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 {
    try unflattening.value(of: node, as: type, .root, in: self)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try unflattening.value(of: node, as: type, .root, in: self)
  }
}

extension NodeDecoder: CycleBreakingDecoder {
  func decodeBreakingCycles<Object: AnyObject & Decodable>(
    _ type: Object.Type, set: @escaping (Object) -> Void, isHeld: (() -> Bool)?
  ) throws -> EarlyObject<Object> {
    try unflattening.checkIsOpen(at: self)
    unflattening.later { set(try self.decode(type)) }
    if let isHeld {
      unflattening.atTheEnd {
        guard isHeld() else {
          throw DecodingError.valueNotFound(
            type,
            self.errorContext(
              "The object of this UnownedCycleBreaker was deallocated, because nothing else that was decoded refers to it."
            ))
        }
      }
    }
    return { self.unflattening.earlyObject(type, at: self, isNeeded: $0) }
  }
}
