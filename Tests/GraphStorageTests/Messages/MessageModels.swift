import GraphCodable

/// An event with five fields.
struct LogEvent: GCodable, Codable, Equatable {
  var step: Int
  var time: Double
  var kind: UInt32
  var energy: Double
  var name: String

  private enum Key: String { case step, time, kind, energy, name }

  init(_ step: Int, name: String? = nil) {
    (self.step, time, kind, energy) = (step, Double(step) / 8, UInt32(step % 7), -Double(step))
    self.name = name ?? "event \(step % 10)"
  }

  init(from decoder: GDecoder) throws {
    step = try decoder.decode(for: Key.step)
    time = try decoder.decode(for: Key.time)
    kind = try decoder.decode(for: Key.kind)
    energy = try decoder.decode(for: Key.energy)
    name = try decoder.decode(for: Key.name)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(step, for: Key.step)
    try encoder.encode(time, for: Key.time)
    try encoder.encode(kind, for: Key.kind)
    try encoder.encode(energy, for: Key.energy)
    try encoder.encode(name, for: Key.name)
  }
}

/// Objects that refer to each other, also in a circle.
final class LogNode: GCodable {
  let id: Int
  var next: LogNode?

  private enum Key: String { case id, next }

  init(_ id: Int, next: LogNode? = nil) { (self.id, self.next) = (id, next) }

  init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    try decoder.deferDecode(LogNode?.self, for: Key.next) { self.next = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(next, for: Key.next)
  }

  /// A circle of nodes.
  static func circle(_ count: Int) -> LogNode {
    let nodes = (0..<count).map { LogNode($0) }
    for (number, node) in nodes.enumerated() { node.next = nodes[(number + 1) % count] }
    return nodes[0]
  }

  /// How many nodes there are up to this one again, and nil where they are no circle.
  var circleCount: Int? {
    var (node, count) = (next, 1)
    while let other = node, other !== self, count < 10_000 { (node, count) = (other.next, count + 1) }
    return node === self ? count : nil
  }

  /// Ends the circle, so that it is released.
  func open() { next = nil }
}

/// A message of one kind or another.
enum AnyLogMessage: GCodable, Equatable {
  case event(LogEvent)
  case numbers([Double])
  case table([String: Int])
  case none

  private enum Key: String { case event, numbers, table }

  init(from decoder: GDecoder) throws {
    if try decoder.contains(Key.event) {
      self = .event(try decoder.decode(for: Key.event))
    } else if try decoder.contains(Key.numbers) {
      self = .numbers(try decoder.decode(for: Key.numbers))
    } else if try decoder.contains(Key.table) {
      self = .table(try decoder.decode(for: Key.table))
    } else {
      self = .none
    }
  }

  func encode(to encoder: GEncoder) throws {
    switch self {
    case .event(let event): try encoder.encode(event, for: Key.event)
    case .numbers(let numbers): try encoder.encode(numbers, for: Key.numbers)
    case .table(let table): try encoder.encode(table, for: Key.table)
    case .none: break
    }
  }

  /// The message with a number, of another size and kind each.
  static func number(_ number: Int) -> Self {
    switch number % 5 {
    case 0, 1: .event(LogEvent(number))
    case 2: .numbers((0..<(number % 37)).map(Double.init))
    case 3: .table(["a": number, "b": -number])
    default: .none
    }
  }
}

/// A stream in memory, and what is read from it.
enum LogStream {
  /// - Parameter identifier: nil for a random one.
  static func bytes<Message: GEncodable>(
    _ messages: some Sequence<Message>, frameByteCount: Int = 1, tablesByteCount: Int = 1 << 20,
    identifier: UInt64? = 7
  ) throws -> [UInt8] {
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.tablesByteCount) = (frameByteCount, tablesByteCount)
    options.identifier = identifier
    let writer = try GraphMessageWriter(options: options)
    for message in messages { try writer.write(message) }
    try writer.close()
    return try Array(writer.takeBytes())
  }

  /// All messages and all damage.
  static func read<Message: GDecodable>(
    _ reader: GraphMessageReader, _ type: Message.Type = Message.self
  ) throws -> (messages: [Message], damage: [GraphMessageDamage]) {
    var (messages, damage): ([Message], [GraphMessageDamage]) = ([], [])
    while true {
      do {
        guard let message = try reader.next(type) else { return (messages, damage) }
        messages.append(message)
      } catch let found as GraphMessageDamage { damage.append(found) }
    }
  }
}
