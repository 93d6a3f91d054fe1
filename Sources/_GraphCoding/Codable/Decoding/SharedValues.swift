import _GraphFiles
import _GraphSupport

/// Values made from objects as types other than classes: one for all references to an object.
///
/// Without this, objects that reach each other in many ways would be decoded once for each way, and a small archive may have
/// exponentially many.
struct SharedValues {
  private var values: [Key: Any] = [:]
  /// The values inside them, through other such values.
  private var insides: [Key: ValueInside] = [:]
  /// The values inside the one being made, or inside the root.
  fileprivate var inside = ValueInside()
  /// Where the one being made is.
  fileprivate var depth: Int32 = 0
  /// Why values could not be made.
  private var failures: [Key: any Error] = [:]
  /// The values being made.
  private var started: Set<Key> = []
  /// How often a value was requested while it was being made.
  fileprivate var cycleCount = 0
  /// How many objects had been discarded when the values were made: a value may hold one of them.
  private var discardedCount = 0
  /// How often an object has been read without creating it.
  var lookCount = 0

  /// An object as a type.
  struct Key: Hashable {
    let object: UInt32
    let type: ObjectIdentifier
  }

  mutating func value<Value>(_ key: Key, as type: Value.Type, discardedCount: Int) throws -> Value? {
    if discardedCount != self.discardedCount {
      values = [:]
      self.discardedCount = discardedCount
    }
    if let value = values[key] as? Value { return value }
    if let failure = failures[key] { throw failure }
    return nil
  }

  /// - Returns: false if the value is being made.
  mutating func start(_ key: Key) -> Bool {
    guard started.insert(key).inserted else {
      cycleCount += 1
      return false
    }
    return true
  }

  mutating func end(_ key: Key) { started.remove(key) }

  /// - Parameter discardedCount: from before the value was made.
  mutating func note<Value>(_ value: Value, _ key: Key, discardedCount: Int) {
    guard discardedCount == self.discardedCount else { return }
    values[key] = value
    insides[key] = inside
  }

  fileprivate func inside(_ key: Key) -> ValueInside { insides[key] ?? ValueInside() }

  mutating func note(_ failure: any Error, _ key: Key) { failures[key] = failure }

  /// Releases the values.
  mutating func removeAll() { values = [:] }
}

extension CodableReader {
  /// Reads a reference to an instance of a class as a value of another type.
  func readShared<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let start = graph.pointee.stream.input.cursor
    let key = SharedValues.Key(
      object: try graph.pointee.stream.readObjectNumber(), type: ObjectIdentifier(type))
    let end = graph.pointee.stream.input.cursor
    let discardedCount = graph.pointee.discardedCount
    if let known = try shared.value(key, as: type, discardedCount: discardedCount) {
      try takeInside(shared.inside(key), type)
      return known
    }
    guard shared.start(key) else { throw isPart(ofItself: key.object, type) }
    defer { shared.end(key) }
    try countLook()
    graph.pointee.stream.input.cursor = start
    let cycleCounts = (shared.cycleCount, graph.pointee.cycleCount)
    let outer = (shared.inside, shared.depth)
    (shared.inside, shared.depth) = (ValueInside(), graph.pointee.frame.depth)
    do {
      let value = try readBare(type, .reference)
      if graph.pointee.discardedCount == discardedCount {
        shared.note(value, key, discardedCount: discardedCount)
      }
      let inside = shared.inside
      (shared.inside, shared.depth) = outer
      try takeInside(inside, type)
      graph.pointee.stream.input.cursor = end
      return value
    } catch {
      (shared.inside, shared.depth) = outer
      // A value being made now may exist when this one is requested again.
      if cycleCounts == (shared.cycleCount, graph.pointee.cycleCount), !isLimit(error) {
        shared.note(error, key)
      }
      throw error
    }
  }

  /// Counts a value referred to by the one being made; see `GDecoder.takeInside`.
  private func takeInside(_ inside: ValueInside, _ type: Any.Type) throws {
    let isCounted = !(type is any GIdentifiable.Type)
    try shared.inside.add(
      inside, at: graph.pointee.frame.depth - shared.depth, upTo: graph.pointee.maximumDepth - shared.depth,
      isCounted: isCounted)
    if isCounted { try decoder.takeSteps(1 + inside.count) }
  }

  private func isPart(ofItself object: UInt32, _ type: Any.Type) -> GCodableError {
    GCodableError(
      .cycle,
      "object \(object) is asked for as a \(type) while that is being made of it; decode it as an instance of its "
        + "class, or by way of a cycle breaker")
  }

  private func isLimit(_ error: any Error) -> Bool { (error as? GCodableError)?.code == .limitExceeded }

  /// Counts a read of an object as a type other than its class.
  ///
  /// Types whose `init(from:)` follows references like this do so once for each way to an object. A look takes as long as some
  /// steps. Each reference takes a byte at least, so the limit allows for several looks at each of them.
  ///
  /// - Throws: `limitExceeded`.
  func countLook() throws {
    shared.lookCount += 1
    try decoder.takeSteps(Self.lookStepCount)
  }

  private static let lookStepCount = 8
}
