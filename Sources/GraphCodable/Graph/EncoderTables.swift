/// What the encoder has met so far: keys, types, shapes, objects and bulk arrays.
final class EncoderTables {
  let options: GraphEncoder.Options

  /// Stands behind the last field of every shape and matches nothing.
  let end: UnsafeMutablePointer<ShapeNode>
  /// The current node while fields go into a tail; matches nothing either.
  let tail: UnsafeMutablePointer<ShapeNode>
  /// Fills the type cache; no type lies at address 0.
  let noType: UnsafeMutablePointer<EncoderType>

  private(set) var keys: [String] = []
  private var keyNumbers: [String: UInt32] = [:]
  private var keyNumbersByToken: [UInt64: UInt32] = [:]

  var types: [UInt: UnsafeMutablePointer<EncoderType>] = [:]
  var facts: [TypeFacts] = []
  private var ownedTypes: [UnsafeMutablePointer<EncoderType>] = []
  private var ownedNodes: [UnsafeMutablePointer<ShapeNode>] = []

  private(set) var classes: [Contents.StoredClass] = []
  private(set) var shapes: [StoredShape] = []
  var tails: [OpenTail] = []

  var identities: [Identity: UInt32] = [:]
  /// Objects without identity, with how many of them lead to each other up to there.
  var anonymousDepths: [UInt32: Int] = [:]
  var bulk: [BulkArray] = []

  /// What is needed for `Codable` values, from the first one until the graph has been walked.
  var codable: CodableWriter?

  /// What data units say in a dump; nil unless a dump is being made.
  var unitTexts: UnitTexts?

  /// The first error; everything after it fails with it.
  var failure: (any Error)?
  /// What the user is to be told, once each.
  var warnings: Set<String> = []

  /// Types that are written without a look at their facts have an identity, so every field takes the
  /// slow path: an option gives one to all hashable types, or a user's extension to a standard type.
  let isCareful: Bool

  /// The encoder whose objects keep their numbers in this one, which only compares keys for it.
  let main: GEncoder?
  /// Objects that a key leads to are not among its bytes.
  var leavesOut = false

  struct StoredShape {
    var end: UnsafeMutablePointer<ShapeNode>
    var type: UnsafeMutablePointer<EncoderType>
    var isOpen: Bool
  }

  /// A record some of whose fields stand in its tail, while it is being written.
  struct OpenTail {
    /// The last field in front of the tail.
    var node: UnsafeMutablePointer<ShapeNode>
    /// Where the tail's header is.
    var start: Int
    var fieldCount: UInt32 = 0
    var unkeyedCount: UInt32 = 0
    var keyNumbers: Set<UInt32> = []
  }

  init(options: GraphEncoder.Options, main: GEncoder? = nil) {
    self.options = options
    self.main = main
    let hashable: GraphEncoder.Options = [.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast]
    isCareful =
      !options.contains(.disableIdentity)
      && (!options.isDisjoint(with: hashable)
        || (!options.contains(.ignoreGIdentifiableProtocol) && StandardIdentities.exist))
    end = Self.makeSentinel()
    tail = Self.makeSentinel()
    noType = .allocate(capacity: 1)
    noType.initialize(to: EncoderType(metadata: 0, plan: .record, kind: .null, root: end))
  }

  deinit {
    for node in ownedNodes + [end, tail] { node.deallocate() }
    for type in ownedTypes + [noType] { type.deallocate() }
  }

  private static func makeSentinel() -> UnsafeMutablePointer<ShapeNode> {
    let node = UnsafeMutablePointer<ShapeNode>.allocate(capacity: 1)
    node.initialize(to: ShapeNode(token: FieldToken.end, next: node))
    return node
  }

  // MARK: Keys

  /// The number of a key in the key table, which it enters if it is new.
  func keyNumber<Key: RawRepresentable>(_ key: Key) -> UInt32 where Key.RawValue == String {
    let token = FieldToken.of(key)
    if let token, let number = keyNumbersByToken[token] { return number }
    let number = keyNumber(named: key.rawValue)
    if let token { keyNumbersByToken[token] = number }
    return number
  }

  func keyNumber(named name: String) -> UInt32 {
    if let known = keyNumbers[name] { return known }
    let number = UInt32(keys.count)
    keys.append(name)
    keyNumbers[name] = number
    return number
  }

  // MARK: Types and shapes

  func own(_ type: EncoderType) -> UnsafeMutablePointer<EncoderType> {
    let pointer = UnsafeMutablePointer<EncoderType>.allocate(capacity: 1)
    pointer.initialize(to: type)
    ownedTypes.append(pointer)
    return pointer
  }

  func own(_ node: ShapeNode) -> UnsafeMutablePointer<ShapeNode> {
    let pointer = UnsafeMutablePointer<ShapeNode>.allocate(capacity: 1)
    pointer.initialize(to: node)
    ownedNodes.append(pointer)
    return pointer
  }

  func add(_ stored: Contents.StoredClass) -> UInt32 {
    classes.append(stored)
    return UInt32(classes.count)
  }

  /// The number of the shape that ends at a node, with or without a tail; it gets one if it is new.
  func shapeNumber(
    _ node: UnsafeMutablePointer<ShapeNode>, _ type: UnsafeMutablePointer<EncoderType>, isOpen: Bool
  ) -> UInt32 {
    let known = isOpen ? node.pointee.openShape : node.pointee.shape
    if known != 0 { return known }
    shapes.append(StoredShape(end: node, type: type, isOpen: isOpen))
    let number = UInt32(shapes.count)
    if isOpen { node.pointee.openShape = number } else { node.pointee.shape = number }
    return number
  }
}
