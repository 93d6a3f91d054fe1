import GraphCodable

/// A reader of streams of messages that knows Documentation/Format.md alone, and refuses whatever a reader that verifies does.
struct PlainMessages {
  private let bytes: Bytes
  private var identifier: UInt64 = 0
  private var messages: [JSON] = []
  private var tables = Tables()
  private var lowest: UInt64 = 0
  private var revision: UInt64 = 0

  var json: JSON {
    .object([
      ("identifier", .hex(withUnsafeBytes(of: identifier.bigEndian, Array.init))),
      ("messages", .list(messages)),
    ])
  }

  var messageCount: Int { messages.count }

  /// The entries of tables as bytes, which follow those of frames before.
  private struct Tables {
    var userVersion: Bytes = []
    var metadata: Bytes = []
    var parts: [(count: UInt64, bytes: Bytes)] = Array(repeating: (0, []), count: 4)
  }

  /// - Throws: `Refusal`.
  init(_ bytes: Bytes) throws {
    self.bytes = bytes
    guard bytes.starts(with: "gcstream".utf8.prefix(bytes.count)) else { throw Refusal(rule: "M2", place: 0) }
    guard bytes.count >= 32 else { return }
    var input = PlainBytes(bytes, from: 8, rule: "M2")
    let (version, features) = (try input.number(UInt16.self), try input.number(UInt16.self))
    guard hash(Bytes(bytes[..<24])) == Bytes(bytes[24..<32]) else { throw Refusal(rule: "M6", place: 0) }
    guard version == 1 else { throw Refusal(rule: "M1", place: 8) }
    guard features & 0xFF == 0 else { throw Refusal(rule: "M1", place: 10) }
    _ = try input.number(UInt32.self)
    identifier = try input.number(UInt64.self)
    var (place, expected) = (32, 0 as UInt64)
    while place < bytes.count, let end = try frame(at: place, &expected) { place = end }
  }

  /// Reads a frame, and returns where it ends; nil for one that is not complete.
  private mutating func frame(at place: Int, _ expected: inout UInt64) throws -> Int? {
    let marker: Bytes = [0xFF] + Bytes("gcf".utf8)
    var head = PlainBytes(bytes, from: place, rule: "M6")
    try head.check(marker.starts(with: bytes[place...].prefix(4)), "M6")
    guard bytes.count - place >= 40 else { return nil }
    _ = try head.take(4)
    let (kind, flags, version) = (try head.byte(), try head.byte(), try head.byte())
    _ = try head.byte()
    let (byteCount, count) = (Int(try head.number(UInt32.self)), try head.number(UInt32.self))
    let number = try head.number(UInt64.self)
    let made = UInt64(try head.number(UInt32.self))
    let headSum = hashNumber(Bytes(bytes[place..<(place + 28)])) ^ identifier
    try head.check(try head.number(UInt32.self) == UInt32(truncatingIfNeeded: headSum), "M6")
    let end = place + 40 + byteCount
    guard end <= bytes.count else { return nil }
    let sum = hashNumber(Bytes(bytes[place..<(end - 8)])) ^ identifier
    guard little(sum) == Bytes(bytes[(end - 8)..<end]), number == expected else {
      throw Refusal(rule: "M6", place: place)
    }
    expected = number + UInt64(count)
    if version == 1, kind >= 128 { return end }
    guard version == 1, (1...4).contains(kind), flags & 0x0F & ~(kind == 3 ? 1 : 0) == 0 else {
      throw Refusal(rule: "M5", place: place)
    }
    var body = PlainBytes(bytes, from: place + 32, to: end - 8, rule: kind < 3 ? "C3" : "M3")
    switch kind {
    case 1:
      _ = try body.take(16)
      lowest = try body.varint()
      try body.check(lowest <= made, "M4")
      tables = Tables()
      try add(&body)
      revision = made
    case 2 where made == revision + 1:
      try add(&body)
      revision = made
    case 2: break
    case 3:
      guard (lowest...revision).contains(made) else { throw Refusal(rule: "M6", place: place) }
      for place in 0..<UInt64(count) {
        let message = Bytes(try body.take(body.varint()))
        try body.check(!message.isEmpty, "M3")
        try add(message, number + place, isFlagged: flags & 1 != 0)
      }
      try body.check(body.left == 0, "M3")
    default:
      try body.check(count == 1, "M3")
      try add(archive: Bytes(body.take(UInt64(body.left))), number)
    }
    return end
  }

  private mutating func add(archive: Bytes, _ number: UInt64) throws {
    messages.append(.object([("number", .integer(number)), ("archive", try PlainArchive(archive).json)]))
  }

  /// A message as the archive that it would be.
  private mutating func add(_ message: Bytes, _ number: UInt64, isFlagged: Bool) throws {
    var input = PlainBytes(message, rule: "M3")
    var flags: UInt8 = 0
    var objects: Bytes = []
    if isFlagged {
      let count = try input.varint()
      if count > 0 {
        let order = try input.varint()
        flags = order == 0 ? 6 : 2
        objects = varint(count) + (order == 0 ? [] : varint(order - 1))
        objects += counted(Bytes(try input.take(input.varint())))
      }
    }
    let stream = Bytes(try input.take(UInt64(input.left)))
    flags |= (tables.parts[1].count > 0 ? 8 : 0) | (tables.parts[2].count > 0 ? 32 : 0)
    flags |= (tables.userVersion.isEmpty ? 0 : 16) | (tables.metadata.isEmpty ? 0 : 64)
    var contents = join([flags], tables.userVersion, tables.metadata)
    for (place, part) in tables.parts.enumerated() where part.count > 0 || place == 0 || place == 3 {
      contents += varint(part.count) + part.bytes
    }
    contents += objects + stream
    let header = join(
      Bytes("gcodable".utf8), little(UInt16(1)), little(UInt16(0)), little(UInt32(contents.count)),
      little(UInt64(40 + contents.count)), hash(contents))
    try add(archive: header + hash(header) + contents, number)
  }

  // MARK: Tables

  /// Adds the tables that the rest of a body has.
  private mutating func add(_ input: inout PlainBytes) throws {
    let flags = try input.byte()
    try input.check(flags & 7 == 0, "M4")
    let start = input.place
    if flags & 16 != 0 {
      _ = try input.varint()
      tables.userVersion = Bytes(bytes[start..<input.place])
    }
    if flags & 64 != 0 {
      let start = input.place
      for _ in 0..<(try input.count(atLeast: 2)) { for _ in 0..<2 { _ = try input.string("C4") } }
      tables.metadata = Bytes(bytes[start..<input.place])
    }
    if flags & 128 != 0 {
      for _ in 0..<(try input.count(atLeast: 2)) {
        try input.check(input.varint() % 2 == 0, "C16")
        _ = try input.take(input.varint())
      }
    }
    try add(0, &input) { _ = try $0.string("C4") }
    if flags & 8 != 0 {
      try add(1, &input) {
        for _ in 0..<2 { _ = try $0.string("C4") }
        _ = try $0.varint()
      }
    }
    if flags & 32 != 0 {
      try add(2, &input) { input in
        for _ in 0..<(2 * (try input.count(atLeast: 2))) { _ = try input.varint() }
      }
    }
    try add(3, &input) { input in
      let flags = try input.byte()
      if flags & 8 != 0 { _ = try input.varint() }
      if flags & 64 != 0 { _ = try input.string("C4") }
      for _ in 0..<(try input.count(atLeast: 1)) {
        if flags & 16 == 0 { _ = try input.varint() }
        _ = try input.byte()
      }
    }
    try input.check(input.left == 0, "M4")
  }

  private mutating func add(
    _ part: Int, _ input: inout PlainBytes, _ entry: (inout PlainBytes) throws -> Void
  ) throws {
    let count = try input.count(atLeast: 1)
    let start = input.place
    for _ in 0..<count { try entry(&input) }
    tables.parts[part].count += UInt64(count)
    tables.parts[part].bytes += bytes[start..<input.place]
  }
}
