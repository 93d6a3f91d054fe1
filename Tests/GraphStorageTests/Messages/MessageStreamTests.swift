import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Streams of messages: what is written is read, whatever the source and the pieces.
@Suite("Streams of messages") struct MessageStreamTests {
  private let messages = (0..<300).map(AnyLogMessage.number)

  @Test(arguments: [1, 100, 8192, 1 << 20]) func whatIsWrittenIsRead(frameByteCount: Int) throws {
    let bytes = try LogStream.bytes(messages, frameByteCount: frameByteCount)
    let (found, damage) = try LogStream.read(GraphMessageReader(bytes), AnyLogMessage.self)
    #expect(found == messages && damage.isEmpty)
  }

  @Test func aMessageHasFewBytesBesideItsValues() throws {
    let bytes = try LogStream.bytes((0..<1000).map { LogEvent($0, name: "") }, frameByteCount: 8192)
    // Step, time, kind, energy, name; kind of the root, shape, length.
    #expect(bytes.count < 1000 * (2 + 8 + 1 + 8 + 1 + 3) + 1000)
  }

  @Test func objectsHaveTheirIdentityInAMessage() throws {
    let writer = try GraphMessageWriter()
    let circle = LogNode.circle(5)
    defer { circle.open() }
    try writer.write(LogNode(1))
    for _ in 0..<3 { try writer.write(circle) }
    try writer.write(LogNode(2))
    let reader = GraphMessageReader(try writer.takeBytes())
    #expect(try reader.next(LogNode.self)?.circleCount == nil)
    var nodes: [LogNode] = []
    for _ in 0..<3 {
      let node = try #require(try reader.next(LogNode.self))
      #expect(node.circleCount == 5)
      #expect(!nodes.contains { $0 === node })
      nodes.append(node)
    }
    for node in nodes { node.open() }
    #expect(try reader.next(LogNode.self)?.id == 2)
    #expect(try reader.next(LogNode.self) == nil)
  }

  @Test func messagesWithAndWithoutObjectsFollowEachOther() throws {
    let writer = try GraphMessageWriter()
    for number in 0..<10 { try writer.write(LogEvent(number)) }
    try writer.write(LogNode(77, next: LogNode(78)))
    for number in 10..<20 { try writer.write(LogEvent(number)) }
    let reader = GraphMessageReader(try writer.takeBytes())
    for number in 0..<10 { #expect(try reader.next(LogEvent.self) == LogEvent(number)) }
    #expect(try reader.next(LogNode.self)?.next?.id == 78)
    for number in 10..<20 { #expect(try reader.next(LogEvent.self) == LogEvent(number)) }
    #expect(try reader.next(LogEvent.self) == nil)
  }

  @Test func objectsOfAMessageAreReleasedWithIt() throws {
    weak var weakNode: LogNode?
    let writer = try GraphMessageWriter()
    do {
      let node = LogNode(1)
      weakNode = node
      try writer.write(node)
    }
    #expect(weakNode == nil)
    let reader = GraphMessageReader(try writer.takeBytes())
    do { weakNode = try reader.next(LogNode.self) }
    #expect(weakNode == nil)
  }

  @Test func largeMessagesAreArchives() throws {
    let large = (0..<100_000).map(Double.init)
    let texts = (0..<20_000).map { "text \($0)" }
    let writer = try GraphMessageWriter()
    try writer.write(large)
    try writer.write(LogEvent(1))
    try writer.write(texts)
    try writer.write(large)
    let bytes = try writer.takeBytes()
    #expect(bytes.count < 800_000)
    let reader = GraphMessageReader(bytes)
    #expect(try reader.next([Double].self) == large)
    #expect(try reader.next(LogEvent.self) == LogEvent(1))
    #expect(try reader.next([String].self) == texts)
    let message = try #require(try reader.nextMessage())
    #expect(message.number == 3)
    #expect(try message.archive().decode(Double.self, at: "[7]") == 7)
    #expect(try reader.next([Double].self) == nil)
  }

  @Test func codableMessagesAreRead() throws {
    let writer = try GraphMessageWriter()
    for number in 0..<100 { try writer.write(codable: LogEvent(number)) }
    let reader = GraphMessageReader(try writer.takeBytes())
    for number in 0..<100 { #expect(try reader.next(codable: LogEvent.self) == LogEvent(number)) }
    #expect(try reader.next(codable: LogEvent.self) == nil)
  }

  /// A message that is encoded by another program, whose type has other fields.
  private struct Renamed: GCodable, Equatable {
    var values: [String: Int]

    init(_ values: [String: Int]) { self.values = values }

    private struct Key: RawRepresentable { var rawValue: String }

    init(from decoder: GDecoder) throws {
      values = try ["a", "b", "c", "d", "e"].reduce(into: [:]) { values, name in
        values[name] = try decoder.decodeIfPresent(Int.self, for: Key(rawValue: name))
      }
    }

    func encode(to encoder: GEncoder) throws {
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        try encoder.encode(value, for: Key(rawValue: name))
      }
    }
  }

  @Test func shapesMayComeOneAfterTheOther() throws {
    let names = ["a", "b", "c", "d", "e"]
    let messages = (0..<96).map { bits in
      Renamed(
        names.enumerated().reduce(into: [:]) { values, name in
          if bits >> name.offset & 1 == 1 { values[name.element] = bits }
        })
    }
    for frameByteCount in [1, 60, 8192] {
      let bytes = try LogStream.bytes(messages, frameByteCount: frameByteCount, tablesByteCount: 500)
      let (found, damage) = try LogStream.read(GraphMessageReader(bytes), Renamed.self)
      #expect(found == messages && damage.isEmpty)
    }
  }

  /// More keys than a shape tree has: they become overflow fields.
  private struct Wide: GCodable, Equatable {
    var keys: Range<Int>

    init(_ keys: Range<Int>) { self.keys = keys }

    private struct Key: RawRepresentable { var rawValue: String }

    init(from decoder: GDecoder) throws {
      let start: Int = try decoder.decode(for: Key(rawValue: "start"))
      let count: Int = try decoder.decode(for: Key(rawValue: "count"))
      keys = start..<(start + count)
      for key in keys {
        guard try decoder.decode(Int.self, for: Key(rawValue: "key \(key)")) == key else {
          throw GCodableError(.invalidValue, "key \(key) has another value")
        }
      }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(keys.lowerBound, for: Key(rawValue: "start"))
      try encoder.encode(keys.count, for: Key(rawValue: "count"))
      for key in keys { try encoder.encode(key, for: Key(rawValue: "key \(key)")) }
    }
  }

  @Test func manyKeysAreOverflowFieldsAndTablesBeginAnew() throws {
    let messages = (0..<60).map { Wide(($0 * 400)..<($0 * 400 + 400 + $0)) }
    let bytes = try LogStream.bytes(messages, frameByteCount: 100, tablesByteCount: 0)
    let (found, damage) = try LogStream.read(GraphMessageReader(bytes), Wide.self)
    #expect(found == messages && damage.isEmpty)
  }

  private struct Failing: GCodable {
    var fails = true
    struct Failure: Error {}
    private enum Key: String { case a, b, text }

    init(fails: Bool) { self.fails = fails }

    init(from decoder: GDecoder) throws {
      fails = try decoder.decode(for: Key.a)
      if fails { throw Failure() }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(fails, for: Key.a)
      try encoder.encode("some text", for: Key.text)
      if fails { throw Failure() }
      try encoder.encode(1, for: Key.b)
    }
  }

  @Test func anErrorOfAMessageLeavesTheOthers() throws {
    let writer = try GraphMessageWriter()
    for number in 0..<20 {
      try writer.write(LogEvent(number))
      if number.isMultiple(of: 3) {
        #expect(throws: Failing.Failure.self) { try writer.write(Failing(fails: true)) }
      }
    }
    #expect(writer.nextNumber == 20)
    let (found, damage) = try LogStream.read(GraphMessageReader(try writer.takeBytes()), LogEvent.self)
    #expect(found == (0..<20).map { LogEvent($0) } && damage.isEmpty)
  }

  @Test func anErrorOfDecodingLeavesTheOthers() throws {
    let writer = try GraphMessageWriter()
    for number in 0..<6 {
      try writer.write(LogEvent(number))
      try writer.write(LogNode(number))
    }
    let reader = GraphMessageReader(try writer.takeBytes())
    for number in 0..<6 {
      #expect(try reader.next(LogEvent.self) == LogEvent(number))
      let error = #expect(throws: GCodableError.self) { try reader.next(LogEvent.self) }
      #expect(error?.code == .typeMismatch)
    }
    #expect(try reader.next(LogEvent.self) == nil)
  }

  @Test func piecesOfAnySizeAreRead() throws {
    let bytes = try LogStream.bytes(messages, frameByteCount: 300)
    for size in [1, 7, 64, 1000] {
      var rest = bytes[...]
      let reader = GraphMessageReader { count in
        defer { rest = rest.dropFirst(min(size, count)) }
        return Data(rest.prefix(min(size, count)))
      }
      #expect(try LogStream.read(reader, AnyLogMessage.self).messages == messages)
    }
    let reader = GraphMessageReader()
    var found: [AnyLogMessage] = []
    for byte in bytes {
      reader.append(Data([byte]))
      while let message = try reader.next(AnyLogMessage.self) { found.append(message) }
    }
    #expect(found == messages)
    #expect(reader.incompleteByteCount == 0)
  }

  @Test func aPipeConnectsWriterAndReader() async throws {
    let pipe = Pipe()
    let messages = messages
    let writing = Task.detached {
      var options = GraphMessageWriter.Options()
      options.bufferByteCount = 1000
      let writer = try GraphMessageWriter(options: options) {
        try pipe.fileHandleForWriting.write(contentsOf: $0)
      }
      for message in messages { try writer.write(message) }
      try writer.close()
      try pipe.fileHandleForWriting.close()
    }
    let reader = GraphMessageReader { try pipe.fileHandleForReading.read(upToCount: $0) }
    #expect(try LogStream.read(reader, AnyLogMessage.self).messages == messages)
    try await writing.value
  }

  @Test func messagesAreAnAsyncSequence() async throws {
    let bytes = try LogStream.bytes(messages, frameByteCount: 300)
    let chunks = AsyncStream<[UInt8]> { continuation in
      for start in stride(from: 0, to: bytes.count, by: 97) {
        continuation.yield(Array(bytes[start..<min(start + 97, bytes.count)]))
      }
      continuation.finish()
    }
    var found: [AnyLogMessage] = []
    for try await result in GraphMessageReader.messages(of: AnyLogMessage.self, in: chunks) {
      found.append(try result.get())
    }
    #expect(found == messages)
    found = []
    for try await result in GraphMessageReader(bytes).messages(of: AnyLogMessage.self) {
      found.append(try result.get())
    }
    #expect(found == messages)
  }

  @Test func theUsersMetadataIsThere() throws {
    let encoder = GraphEncoder(binaryIOVersion: 3)
    encoder.metadata = ["program": "a"]
    let writer = try GraphMessageWriter(encoder: encoder)
    try writer.write(LogEvent(1))
    let reader = GraphMessageReader(try writer.takeBytes())
    _ = try reader.next(LogEvent.self)
    #expect(reader.metadata == ["program": "a"])
  }

  @Test func whatIsNoStreamIsRefused() throws {
    for bytes in [Array("hello, this is no stream of messages at all".utf8), try GraphEncoder().encode(1)] {
      let error = #expect(throws: GCodableError.self) { try GraphMessageReader(bytes).next(Int.self) }
      #expect(error?.code == .notAnArchive)
    }
    #expect(try GraphMessageReader([UInt8]()).next(Int.self) == nil)
    #expect(try GraphMessageReader(Array("gcstr".utf8)).next(Int.self) == nil)
  }

  @Test func aFrameMayBeTooLarge() throws {
    let bytes = try LogStream.bytes([String(repeating: "a", count: 5000), "b"])
    let reader = GraphMessageReader(bytes)
    reader.maximumFrameByteCount = 1000
    let error = #expect(throws: GCodableError.self) { try reader.next(String.self) }
    #expect(error?.code == .limitExceeded)
    let (found, damage) = try LogStream.read(reader, String.self)
    #expect(found == ["b"] && damage.isEmpty)
    #expect(reader.nextNumber == 2)
  }

  @Test func limitsHoldForEachMessage() throws {
    let decoder = GraphDecoder()
    decoder.limits.archiveByteCount = 1000
    let bytes = try LogStream.bytes(["a", String(repeating: "a", count: 5000), "b"])
    let reader = GraphMessageReader(bytes, decoder: decoder)
    #expect(try reader.next(String.self) == "a")
    let error = #expect(throws: GCodableError.self) { try reader.next(String.self) }
    #expect(error?.code == .limitExceeded)
    #expect(try reader.next(String.self) == "b")
  }
}
