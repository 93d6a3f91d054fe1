/// The work of one ``CyclicDecoder/decode(_:from:)``.
final class Unflattening {
  let userInfo: [CodingUserInfoKey: Any]
  private let graph: FlatGraph
  private var states: [ObjectState]
  /// The objects that are being decoded, each inside the one before.
  private var way: [(number: Int32, place: NodeDecoder)] = []
  /// What cycle breakers wait for.
  private var deferred: [() throws -> Void] = []
  /// Asked at the end for what is wrong then.
  private var lastChecks: [() throws -> Void] = []
  /// Values that have been made of objects that are shown in several places, as other types than classes.
  private var values: [SharedValue: ValueState] = [:]
  /// Why values could not be made of objects, and will not another time.
  private var failures: [SharedValue: any Error] = [:]
  /// How many errors there have been that hold only for the way on which an object was met.
  private var passingFailureCount = 0
  private var looks: ReferenceLooks
  private var nesting = Nesting()
  /// Nothing can be decoded any more.
  private var isDone = false

  private enum ObjectState {
    case new
    case started
    case finished(AnyObject)
  }

  private struct SharedValue: Hashable {
    let number: Int32
    let type: ObjectIdentifier
  }

  private enum ValueState {
    case started
    case finished(Any)
  }

  init(_ graph: FlatGraph, userInfo: [CodingUserInfoKey: Any]) {
    self.graph = graph
    self.userInfo = userInfo
    states = [ObjectState](repeating: .new, count: graph.contents.count)
    looks = ReferenceLooks(graph)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer {
      end()
      // They are closures that hold decoders, which hold this.
      let checks = lastChecks
      lastChecks = []
      withExtendedLifetime(checks) {}
    }
    let value = try self.value(of: graph.root, as: type, .root, in: nil)
    var index = 0
    while index < deferred.count {
      try deferred[index]()
      index += 1
    }
    end()
    for check in lastChecks { try check() }
    return value
  }

  /// Lets go of what is held for decoding.
  ///
  /// A `deinit` may use a decoder that it has kept. So nothing is released before that would throw, and while one of
  /// the tables is being changed.
  private func end() {
    isDone = true
    let tables = (deferred, states, values, failures)
    (deferred, states, values, failures) = ([], [], [:], [:])
    withExtendedLifetime(tables) {}
  }

  /// The value that a node was made of, at a step from a place.
  @inline(__always)
  func value<Value: Decodable>(
    of node: Node, as type: Value.Type, _ step: @autoclosure () -> CodingPlace.Step, in parent: NodeDecoder?
  ) throws -> Value {
    if isDone { throw doneError(at: NodeDecoder(node, in: self, step(), parent)) }
    if let scalar: Value = try node.scalar({ NodeDecoder(node, in: self, step(), parent) }) { return scalar }
    let decoder = NodeDecoder(node, in: self, step(), parent)
    guard case .object(let number) = node else { return try nested(type, decoder) }
    guard Value.self is AnyClass else { return try value(number, type, decoder) }
    return try instance(number, type, decoder)
  }

  /// - Throws: where the decoding is over.
  func checkIsOpen(at decoder: NodeDecoder) throws {
    if isDone { throw doneError(at: decoder) }
  }

  @inline(never)
  private func doneError(at decoder: NodeDecoder) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: decoder.codingPath,
        debugDescription: "A decoder or container is used that belongs to a value which is done."))
  }

  /// Object `number` as a value of a type that is no class.
  ///
  /// It is made once for all places that show it: objects that lead to each other in many ways would else be
  /// decoded once for each way, and there may be exponentially many.
  private func value<Value: Decodable>(
    _ number: Int32, _ type: Value.Type, _ decoder: NodeDecoder
  ) throws -> Value {
    guard graph.index(of: number) >= 0 else { return try nested(type, decoder) }
    let shared = SharedValue(number: number, type: ObjectIdentifier(type))
    switch values[shared] {
    case .finished(let value as Value): return value
    case .started: throw cycleError(at: decoder, by: [])
    case .finished, nil: break
    }
    return try remembering(shared) {
      values[shared] = .started
      do {
        let value = try nested(type, decoder)
        values[shared] = .finished(value)
        return value
      } catch {
        values[shared] = nil
        throw error
      }
    }
  }

  /// Object `number` as an instance of a class.
  private func instance<Value: Decodable>(
    _ number: Int32, _ type: Value.Type, _ decoder: NodeDecoder
  ) throws -> Value {
    switch states[Int(number)] {
    case .finished(let object):
      guard let instance = object as? Value else { throw otherClass(object, type, decoder) }
      return instance
    case .started: throw cycleError(number, decoder)
    case .new: break
    }
    return try remembering(SharedValue(number: number, type: ObjectIdentifier(type))) {
      states[Int(number)] = .started
      way.append((number, decoder))
      defer { way.removeLast() }
      do {
        let contents = NodeDecoder(graph.contents[Int(number)], in: self, .root, decoder)
        let instance = try nested(type, contents)
        // Safe because a value of a class type is one reference, as an `AnyObject` is.
        states[Int(number)] = .finished(unsafeBitCast(instance, to: AnyObject.self))
        return instance
      } catch {
        states[Int(number)] = .new
        throw error
      }
    }
  }

  /// Makes a value with `body`, unless that has failed before.
  ///
  /// Where types catch errors, objects that lead to each other in many ways would else fail once for each way. What
  /// is no fault of the object's own, a cycle or the depth, may be otherwise on another way, and is tried again.
  private func remembering<Value>(_ shared: SharedValue, _ body: () throws -> Value) throws -> Value {
    if let known = failures[shared] { throw known }
    let passingFailureCount = passingFailureCount
    do { return try body() } catch {
      if passingFailureCount == self.passingFailureCount, !isDone { failures[shared] = error }
      throw error
    }
  }

  private func nested<Value: Decodable>(_ type: Value.Type, _ decoder: NodeDecoder) throws -> Value {
    let room = nesting.enter()
    defer { nesting.leave() }
    switch room {
    case .here: return try type.init(from: decoder)
    case .onNewStack: return try onNewStack(type, decoder)
    case .nowhere: throw tooDeep(decoder)
    }
  }

  private func onNewStack<Value: Decodable>(_ type: Value.Type, _ decoder: NodeDecoder) throws -> Value {
    let here = nesting
    defer { nesting = here }
    nesting = here.onOtherStack
    guard let value = try CallStack.onNewThread({ try type.init(from: decoder) }) else {
      throw tooDeep(decoder)
    }
    return value
  }

  private func tooDeep(_ decoder: NodeDecoder) -> DecodingError {
    passingFailureCount += 1
    return .dataCorrupted(
      .init(
        codingPath: Array(decoder.codingPath.prefix(16)),
        debugDescription:
          "Below here values and objects are decoded more than \(nesting.depth - 1) deep inside "
          + "each other. A cycle breaker ends such a chain, because it is decoded later."))
  }

  /// The node that a reference leads to, which is none itself.
  ///
  /// - Throws: where there is none, or it has been asked for too often or too deep inside.
  @inline(__always)
  func contents(of node: Node, at decoder: NodeDecoder) throws -> Node {
    guard case .object(let number) = node else { return node }
    guard nesting.hasRoomInside() else { throw tooDeep(decoder) }
    do { return try looks.contents(of: number) } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: Array(decoder.codingPath.prefix(16)), debugDescription: error.description))
    }
  }

  /// Does something when all else has been decoded.
  func later(_ work: @escaping () throws -> Void) { deferred.append(work) }

  /// Checks something when nothing is held for decoding any more.
  func atTheEnd(_ check: @escaping () throws -> Void) { lastChecks.append(check) }

  private func otherClass(_ object: AnyObject, _ wanted: Any.Type, _ decoder: NodeDecoder) -> DecodingError {
    .typeMismatch(
      wanted,
      .init(
        codingPath: decoder.codingPath,
        debugDescription:
          "This object has been decoded as a \(type(of: object)) where another reference led to "
          + "it, which is no \(wanted)."))
  }

  private func cycleError(_ number: Int32, _ decoder: NodeDecoder) -> DecodingError {
    let start = way.lastIndex { $0.number == number } ?? 0
    let path = decoder.codingPath
    let startPath = way[start].place.codingPath
    return cycleError(at: decoder, by: path.dropFirst(startPath.count).map(\.stringValue))
  }

  private func cycleError(at decoder: NodeDecoder, by keys: [String]) -> DecodingError {
    passingFailureCount += 1
    let way = keys.isEmpty ? "" : ", by [\(keys.joined(separator: ", "))],"
    return .dataCorrupted(
      .init(
        codingPath: decoder.codingPath,
        debugDescription: "An object refers to itself\(way) with no cycle breaker in between."))
  }
}
