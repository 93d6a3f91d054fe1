import CycleBreaking
internal import GraphCallStack

/// The work of one ``CyclicEncoder/flatten(_:)``.
///
/// An object is encoded after the one that refers to it, which encodes a number in its place. So a chain of references
/// does not nest.
final class Flattening {
  let userInfo: [CodingUserInfoKey: Any]
  var predictions = KeyPredictions()
  private var objects: [Object] = []
  private var references: [Reference] = []
  private var numbers: [ObjectIdentifier: Int32] = [:]
  /// The object that is being encoded; nil for the root.
  private var owner: Int32?
  private var nesting = Nesting()
  /// The classes with an encoded instance, and the class of the latest one.
  private var checkedClasses: Set<ObjectIdentifier> = []
  private var latestClass: ObjectIdentifier?
  /// Notes which functions encode the first instance of a class.
  private(set) var trace: CodingTrace?
  /// An error that was found where it cannot be thrown.
  private(set) var misuse: EncodingError?

  init(userInfo: [CodingUserInfoKey: Any]) {
    self.userInfo = userInfo
  }

  /// An object, or another piece of the graph, with a number.
  struct Object {
    /// The object, or nil for a value that became a piece because of its depth.
    ///
    /// It is retained until the end, because its address identifies it only while it is alive.
    let instance: (any Encodable)?
    /// What it has encoded, or nil before that.
    var contents: Node?
    /// The number of the first reference to the instance.
    let reference: Int
  }

  /// A place that refers to an object.
  struct Reference {
    let target: Int32
    /// The object that holds it; nil for the root.
    let owner: Int32?
    /// Whether a cycle breaker holds it.
    let isBroken: Bool
    /// The depth in its piece.
    let depth: Int32
    let place: CodingPlace
  }

  func flatten<Value: Encodable>(_ value: Value) throws -> FlatGraph {
    // Places are encoders, which retain this instance.
    defer { (objects, references) = ([], []) }
    let root = NodeEncoder(in: self, .root)
    let rootNode = try node(of: root) { try root.setSingle(value) }
    var number = 0
    while number < objects.count {
      if let instance = objects[number].instance {
        let encoder = NodeEncoder(in: self, .object(objects[number].reference))
        owner = Int32(number)
        let coding = codingToCheck(of: instance)
        trace = coding.map { _ in CodingTrace() }
        let contents = try node(of: encoder) { try instance.encode(to: encoder) }
        if let coding, let trace { try check(coding, instance, contents, encoder, trace) }
        objects[number].contents = contents
      }
      number += 1
    }
    let table = ReferenceTable(objects: objects, references: references)
    try table.checkForCycles()
    return FlatGraph(
      root: rootNode, contents: objects.map { $0.contents ?? .null }, isInline: table.inlineObjects())
  }

  /// Encodes a value at a step from a place.
  @inline(__always)
  func node<Value: Encodable>(
    of value: Value, _ step: @autoclosure () -> CodingPlace.Step, in parent: NodeEncoder
  ) throws -> Node {
    if let scalar = Node(scalar: value) { return scalar }
    guard Value.self is AnyClass else { return try nested(value, NodeEncoder(in: self, step(), parent)) }
    // Safe because a value of a class type is one reference, as an `AnyObject` is.
    let object = unsafe unsafeBitCast(value, to: AnyObject.self)
    return reference(to: value, object, isBroken: false, step(), in: parent)
  }

  /// Makes a reference to an object, which is encoded later if it is new.
  func reference(
    to instance: any Encodable, _ object: AnyObject, isBroken: Bool, _ step: CodingPlace.Step,
    in parent: NodeEncoder
  ) -> Node {
    let count = Int32(objects.count)
    let number = numbers[ObjectIdentifier(object), default: count]
    if number == count {
      numbers[ObjectIdentifier(object)] = number
      objects.append(Object(instance: instance, contents: nil, reference: references.count))
    }
    references.append(
      Reference(
        target: number, owner: owner, isBroken: isBroken, depth: Int32(parent.depthInPiece),
        place: CodingPlace(step, in: parent)))
    return .object(number)
  }

  private func nested<Value: Encodable>(_ value: Value, _ encoder: NodeEncoder) throws -> Node {
    let room = nesting.enter()
    defer { nesting.leave() }
    return try node(of: encoder) {
      switch room {
      case .here: try value.encode(to: encoder)
      case .onNewStack: try onNewStack(value, encoder)
      case .nowhere: throw tooDeep(value, encoder)
      }
    }
  }

  /// Makes a reference to a value without identity that is nested too deeply to be stored in its place.
  func reference(toPiece node: Node) -> Node {
    objects.append(Object(instance: nil, contents: node, reference: 0))
    return .object(Int32(objects.count - 1))
  }

  /// The contents of a piece that is not an object; nil for an object.
  func contents(ofPiece number: Int32) -> Node? {
    guard number < objects.count else { return nil }
    let object = objects[Int(number)]
    return object.instance == nil ? object.contents : nil
  }

  private func onNewStack<Value: Encodable>(_ value: Value, _ encoder: NodeEncoder) throws {
    let here = nesting
    defer { nesting = here }
    nesting = here.onOtherStack
    if try CallStack.onNewThread({ try value.encode(to: encoder) }) == nil { throw tooDeep(value, encoder) }
  }

  private func tooDeep(_ value: Any, _ encoder: NodeEncoder) -> EncodingError {
    .invalidValue(
      value,
      .init(
        codingPath: Array(encoder.codingPath.prefix(16)),
        debugDescription:
          "From here on, values are nested more than \(nesting.depth - 1) levels deep. References do not nest, so "
          + "turn one of the types into a class."))
  }

  /// The node that an encoder has made when `body` has run.
  private func node(of encoder: NodeEncoder, _ body: () throws -> Void) throws -> Node {
    do { try body() } catch {
      encoder.abandon()
      throw error
    }
    let node = encoder.finish()
    if let misuse { throw misuse }
    return node
  }

  /// What to check when the first instance of a class has been encoded.
  private func codingToCheck(of instance: any Encodable) -> InheritedCoding? {
    let type = ObjectIdentifier(type(of: instance))
    guard type != latestClass else { return nil }
    latestClass = type
    guard checkedClasses.insert(type).inserted, let dynamicClass = Swift.type(of: instance) as? AnyClass
    else {
      return nil
    }
    return InheritedCoding(dynamicClass) { $0 is any Encodable.Type }
  }

  private func check(
    _ coding: InheritedCoding, _ instance: any Encodable, _ contents: Node, _ encoder: NodeEncoder,
    _ trace: CodingTrace
  ) throws {
    var keys: [String] = []
    if case .keyed(let node) = contents { keys = node.names }
    let loss = coding.loss(of: instance as AnyObject, keys: keys, hasOthers: !contents.isKeyed, trace)
    guard let loss else { return }
    throw EncodingError.invalidValue(
      instance, .init(codingPath: encoder.codingPath, debugDescription: loss.description + "."))
  }

  /// Keeps the first of such errors.
  func note(misuse error: EncodingError) {
    misuse = misuse ?? error
  }

  /// The keys that lead to a place; after encoding has ended, only those within its object.
  func codingPath(to place: CodingPlace) -> [any CodingKey] {
    place.codingPath { references.isEmpty ? nil : references[$0].place }
  }
}
