internal import GraphCallStack

/// The work of one ``CyclicDecoder/decode(_:from:)``.
final class Unflattening {
  let userInfo: [CodingUserInfoKey: Any]
  private let graph: FlatGraph
  private var states: [ObjectState]
  /// The objects that are being decoded, each inside the one before.
  private var way: [(number: Int32, place: NodeDecoder)] = []
  /// Fills the cycle breakers.
  private var deferred: [() throws -> Void] = []
  /// How many of these have run.
  private var filledCount = 0
  /// Checks that run at the very end.
  private var lastChecks: [() throws -> Void] = []
  /// Checks of hashes, which follow: they may use any breaker.
  private var hashChecks: [() throws -> Void] = []
  /// Which types are sets or dictionaries whose elements or keys are watched.
  private var hashedTypes: [ObjectIdentifier: (any HashedContainer.Type)?] = [:]
  /// Whether elements of a set, or keys of a dictionary, are being hashed.
  private var isHashing = false
  /// Objects that could not be decoded early, because they need one that was being decoded: the number of that one.
  private var blocked: [Int32: Int32] = [:]
  /// The object that the last cycle led back to.
  private var cycleTarget: Int32?
  /// Decodes copies of objects that are being decoded: see ``provisionalObject(_:_:)``.
  private var provisional: Unflattening?
  private let isProvisional: Bool
  /// The values of shared objects that were decoded as types other than classes.
  private var values: [SharedValue: ValueState] = [:]
  /// The errors of objects that cannot be decoded as a type.
  private var failures: [SharedValue: any Error] = [:]
  /// The number of errors that depend on the path by which an object was reached.
  private var passingFailureCount = 0
  private var looks: ReferenceLooks
  private var nesting = Nesting()
  /// Whether decoding has ended.
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

  init(_ graph: FlatGraph, userInfo: [CodingUserInfoKey: Any], isProvisional: Bool = false) {
    self.graph = graph
    self.isProvisional = isProvisional
    self.userInfo = userInfo
    states = [ObjectState](repeating: .new, count: graph.contents.count)
    looks = ReferenceLooks(graph)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer {
      end()
      // These closures retain decoders, which retain this instance.
      let checks = (lastChecks, hashChecks)
      (lastChecks, hashChecks) = ([], [])
      withExtendedLifetime(checks) {}
    }
    let value = try self.value(of: graph.root, as: type, .root, in: nil)
    try fillBreakers()
    end()
    for check in lastChecks { try check() }
    for check in hashChecks { try check() }
    return value
  }

  /// Decodes the objects of all breakers, including those that this leads to.
  private func fillBreakers() throws {
    while filledCount < deferred.count {
      filledCount += 1
      try deferred[filledCount - 1]()
    }
  }

  /// Releases everything retained for decoding.
  ///
  /// A `deinit` may use a decoder that it has kept, so nothing is released before such a use would throw, or while a table is
  /// being changed.
  private func end() {
    isDone = true
    let tables = (deferred, states, values, failures, provisional)
    (deferred, states, values, failures, provisional) = ([], [], [:], [:], nil)
    tables.4?.end()
    withExtendedLifetime(tables) {}
  }

  /// Decodes a node at a step from a place.
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

  /// - Throws: `DecodingError` if decoding has ended.
  func checkIsOpen(at decoder: NodeDecoder) throws {
    if isDone { throw doneError(at: decoder) }
  }

  private func doneError(at decoder: NodeDecoder) -> DecodingError {
    .dataCorrupted(
      decoder.errorContext("The decoder or container belongs to a value whose decoding has ended."))
  }

  /// Decodes an object as a type other than a class.
  ///
  /// This is done once for all references to it. Otherwise it would be done once for each path to the object, and the
  /// number of paths can be exponential.
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

  /// Decodes an object as an instance of a class.
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
        states[Int(number)] = .finished(unsafe unsafeBitCast(instance, to: AnyObject.self))
        return instance
      } catch {
        states[Int(number)] = .new
        throw error
      }
    }
  }

  /// Decodes a value with `body`, unless that has failed before.
  ///
  /// If types catch errors, an object would otherwise fail once for each path to it. Errors caused by a cycle or by depth depend
  /// on the path, so after such an error `body` is tried again.
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
    case .here: return try make(type, decoder)
    case .onNewStack: return try onNewStack(type, decoder)
    case .nowhere: throw tooDeep(decoder)
    }
  }

  private func make<Value: Decodable>(_ type: Value.Type, _ decoder: NodeDecoder) throws -> Value {
    guard let hashed = hashedType(type) else { return try type.init(from: decoder) }
    return try hashed.init(watchedBy: self, from: decoder) as! Value  // `hashed` is `Value`.
  }

  private func hashedType(_ type: Any.Type) -> (any HashedContainer.Type)? {
    if let known = hashedTypes[ObjectIdentifier(type)] { return known }
    let hashed = type as? any HashedContainer.Type
    hashedTypes[ObjectIdentifier(type)] = .some(hashed)
    return hashed
  }

  private func onNewStack<Value: Decodable>(_ type: Value.Type, _ decoder: NodeDecoder) throws -> Value {
    let here = nesting
    defer { nesting = here }
    nesting = here.onOtherStack
    guard let value = try CallStack.onNewThread({ try make(type, decoder) }) else {
      throw tooDeep(decoder)
    }
    return value
  }

  private func tooDeep(_ decoder: NodeDecoder) -> DecodingError {
    passingFailureCount += 1
    return .dataCorrupted(
      decoder.errorContext(
        "From here on, values and objects are nested more than \(nesting.depth - 1) levels deep. A cycle breaker "
          + "interrupts such a chain, because its object is decoded later."))
  }

  /// Follows references to a node that is not a reference.
  ///
  /// - Throws: `DecodingError` if there is none, or if references are followed too often or too deeply.
  @inline(__always)
  func contents(of node: Node, at decoder: NodeDecoder) throws -> Node {
    guard case .object(let number) = node else { return node }
    guard nesting.hasRoomInside() else { throw tooDeep(decoder) }
    do { return try looks.contents(of: number) } catch {
      throw DecodingError.dataCorrupted(decoder.errorContext(error.description))
    }
  }

  /// Schedules work for when everything else has been decoded.
  func later(_ work: @escaping () throws -> Void) { deferred.append(work) }

  /// Schedules a check for when nothing is retained for decoding any more.
  func atTheEnd(_ check: @escaping () throws -> Void) { lastChecks.append(check) }

  // MARK: Hashes

  /// Makes a set or dictionary, and checks at the end that it has lost nothing.
  ///
  /// Elements are hashed and compared as soon as they have been decoded, which may be before their breakers are filled. A
  /// container made with hashes or comparisons that no longer hold at the end has lost elements, or cannot find them.
  ///
  /// - Parameters:
  ///   - keys: The elements or keys, in the order in which they are inserted.
  ///   - decoder: The decoder of the container.
  ///   - make: Makes the container from all of them, or from none.
  func hashing<Key: Hashable, Container: Collection>(
    _ keys: [Key], at decoder: NodeDecoder, _ make: (_ isEmpty: Bool) -> Container
  ) -> Container {
    guard !deferred.isEmpty, decoder.hasContainersInside else { return make(false) }
    // For a provisional object, whose breakers may be empty; its sets are never seen.
    if isProvisional, filledCount < deferred.count { return make(true) }
    let outer = isHashing
    isHashing = true
    defer { isHashing = outer }
    let hash = Self.hash(of: keys)
    let container = make(false)
    let count = container.count
    hashChecks.append {
      guard Self.hash(of: keys) == hash, Set(keys).count == count else {
        throw Self.changedHashes(Container.self, decoder)
      }
    }
    return container
  }

  private static func hash<Key: Hashable>(of keys: [Key]) -> Int {
    var hasher = Hasher()
    for key in keys { hasher.combine(key) }
    return hasher.finalize()
  }

  private static func changedHashes(_ type: Any.Type, _ decoder: NodeDecoder) -> DecodingError {
    .dataCorrupted(
      decoder.errorContext(
        "Elements or keys of this \(type) are hashed or compared by the object of a cycle breaker, which was still being "
          + "decoded when they were inserted: some would be lost. Hash and compare them by properties that are not behind "
          + "a breaker, or encode an array and make the \(type) of it when decoding has ended."))
  }

  // MARK: Breakers that are read early

  /// The object of a breaker that has not been filled yet; see `EarlyObject`.
  func earlyObject<Object: AnyObject & Decodable>(
    _ type: Object.Type, at decoder: NodeDecoder, isNeeded: Bool
  ) -> Object? {
    guard !isDone, case .object(let number) = decoder.node else { return nil }
    if let object = decodedNow(type, number, decoder) { return object }
    return isNeeded && isHashing ? provisionalObject(type, number) : nil
  }

  private func decodedNow<Object: AnyObject & Decodable>(
    _ type: Object.Type, _ number: Int32, _ decoder: NodeDecoder
  ) -> Object? {
    // Each attempt may decode much before it fails.
    if let target = blocked[number], case .started = states[Int(target)] { return nil }
    let outer = isHashing
    isHashing = false
    defer { isHashing = outer }
    cycleTarget = nil
    // An error comes again when the breaker is filled.
    guard let object = try? decoder.decode(type) else {
      blocked[number] = cycleTarget
      return nil
    }
    return object
  }

  /// A copy of an object that is still being decoded.
  ///
  /// Where `hash(into:)` uses the object of an unowned breaker, it would trap without one. With a copy, it finds the hash that
  /// it will find later, or another one if it uses the identity of the object; then decoding fails.
  private func provisionalObject<Object: AnyObject & Decodable>(
    _ type: Object.Type, _ number: Int32
  ) -> Object? {
    let provisional = self.provisional ?? Unflattening(graph, userInfo: userInfo, isProvisional: true)
    self.provisional = provisional
    guard let object: Object = try? provisional.value(of: .object(number), as: type, .root, in: nil),
      (try? provisional.fillBreakers()) != nil
    else { return nil }
    return object
  }

  private func otherClass(_ object: AnyObject, _ wanted: Any.Type, _ decoder: NodeDecoder) -> DecodingError {
    .typeMismatch(
      wanted,
      decoder.errorContext(
        "Another reference to this object was decoded as a \(type(of: object)), which is not a \(wanted)."))
  }

  private func cycleError(_ number: Int32, _ decoder: NodeDecoder) -> DecodingError {
    let start = way.lastIndex { $0.number == number } ?? 0
    cycleTarget = number
    return cycleError(at: decoder, by: decoder.codingPath(from: way[start].place))
  }

  private func cycleError(at decoder: NodeDecoder, by keys: [any CodingKey]) -> DecodingError {
    passingFailureCount += 1
    let way = keys.isEmpty ? "" : ", by [\(keys.map(\.stringValue).joined(separator: ", "))],"
    return .dataCorrupted(
      decoder.errorContext("An object refers to itself\(way) without a cycle breaker in between."))
  }
}
