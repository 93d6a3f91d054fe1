/// Values that have been made of objects, as other types than classes: one for all references to an object.
///
/// Objects that lead to each other in many ways would else be decoded once for each way, and a small archive may
/// have exponentially many.
struct SharedValues {
  private var values: [Key: Any] = [:]
  /// How many objects had been discarded when the values were made, which may hold one of these.
  private var discardedCount = 0
  /// How often the fields of an object have been looked at without making it.
  var lookCount = 0

  private struct Key: Hashable {
    let object: UInt32
    let type: ObjectIdentifier
  }

  mutating func value<Value>(of object: UInt32, as type: Value.Type, discardedCount: Int) -> Value? {
    if discardedCount != self.discardedCount {
      values = [:]
      self.discardedCount = discardedCount
    }
    return values[Key(object: object, type: ObjectIdentifier(type))] as? Value
  }

  /// - Parameter discardedCount: from before the value was made.
  mutating func note<Value>(_ value: Value, of object: UInt32, discardedCount: Int) {
    guard discardedCount == self.discardedCount else { return }
    values[Key(object: object, type: ObjectIdentifier(Value.self))] = value
  }

  /// Lets go of the values.
  mutating func removeAll() { values = [:] }
}

extension CodableReader {
  /// Reads a reference to an instance of a class as a value of another type.
  func readShared<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let start = graph.pointee.stream.input.cursor
    let number = try graph.pointee.stream.readObjectNumber()
    let discardedCount = graph.pointee.discardedCount
    if let known = shared.value(of: number, as: type, discardedCount: discardedCount) { return known }
    graph.pointee.stream.input.cursor = start
    let value = try readBare(type, .reference)
    if graph.pointee.discardedCount == discardedCount {
      shared.note(value, of: number, discardedCount: discardedCount)
    }
    return value
  }

  /// Counts that a container has been asked for in place of an object.
  ///
  /// Types whose `init(from:)` follows references in this way by itself do it once for each way that leads to an
  /// object. Each reference takes a byte at least, so the limit allows for many looks at each of them.
  ///
  /// - Throws: `limitExceeded`.
  func countLook() throws {
    shared.lookCount += 1
    guard shared.lookCount <= Self.freeLookCount + 64 * decoder.tables.streamBytes.count else {
      throw GCodableError(
        .limitExceeded,
        "containers have been asked for \(shared.lookCount) times in place of objects, which lead to each other "
          + "in very many ways; decode the objects as instances of a class")
    }
  }

  private static let freeLookCount = 1 << 16
}
