import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Many messages by one call: the bytes are those of a call for each.
@Suite("Messages: runs") struct MessageRunTests {
  private static let frameByteCounts = [1, 50, 200, 8192, 1 << 20]

  private func bytes<Message: GEncodable>(
    _ messages: [Message], frameByteCount: Int, _ settings: GraphEncoder = GraphEncoder(),
    _ write: (GraphMessageWriter, [Message]) throws -> Void
  ) throws -> [UInt8] {
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.tablesByteCount, options.identifier) = (frameByteCount, 4000, 3)
    let writer = try GraphMessageWriter(encoder: settings, options: options)
    try write(writer, messages)
    #expect(writer.nextNumber == UInt64(messages.count))
    try writer.close()
    return try Array(writer.takeBytes())
  }

  /// Checks that both ways make the same bytes, and that these are read.
  private func check<Message: GCodable & Equatable>(
    _ messages: [Message], frameByteCount: Int, _ settings: GraphEncoder = GraphEncoder()
  ) throws {
    let each = try bytes(messages, frameByteCount: frameByteCount, settings) { writer, messages in
      for message in messages { try writer.write(message) }
    }
    let run = try bytes(messages, frameByteCount: frameByteCount, settings) { try $0.write(contentsOf: $1) }
    #expect(run == each)
    // Parts of any size, also none.
    let parts = try bytes(messages, frameByteCount: frameByteCount, settings) { writer, messages in
      var (rest, count) = (messages[...], 0)
      while !rest.isEmpty {
        try writer.write(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
        count = (count * 7 + 1) % 200
      }
    }
    #expect(parts == each)
    let (found, damage) = try LogStream.read(GraphMessageReader(run), Message.self)
    #expect(found == messages && damage.isEmpty)
  }

  @Test(arguments: frameByteCounts) func numbersOfAllKinds(frameByteCount: Int) throws {
    try check((0..<700).map(Measured.init), frameByteCount: frameByteCount)
  }

  @Test(arguments: frameByteCounts) func structsThatAreNotNumbersAlone(frameByteCount: Int) throws {
    try check((0..<300).map(Named.init), frameByteCount: frameByteCount)
    try check((0..<300).map { LogEvent($0) }, frameByteCount: frameByteCount)
    try check(Array(0..<300), frameByteCount: frameByteCount)
  }

  @Test(arguments: frameByteCounts) func structsWithTooManyNumbersForALengthOfOneByte(frameByteCount: Int)
    throws
  {
    try check((0..<300).map(Wide.init), frameByteCount: frameByteCount)
  }

  @Test func structsWithAnIdentityOfTheirOwn() throws {
    let settings = GraphEncoder(.tryHashableIdentityAtFirst)
    try check((0..<100).map { Pair(x: $0 % 3, y: 1) }, frameByteCount: 100, settings)
    try check((0..<100).map { Pair(x: $0 % 3, y: 1) }, frameByteCount: 100)
  }

  @Test func settingsThatDoNotConcernNumbersBySingleFields() throws {
    let settings = GraphEncoder()
    (settings.precision, settings.metadata) = (.relative(1e-3), ["kind": "run"])
    try check((0..<300).map(Measured.init), frameByteCount: 200, settings)
  }

  @Test func runsAmongMessagesOfOtherTypesAndWithObjects() throws {
    func write(_ log: GraphMessageWriter, _ isRun: Bool) throws {
      for round in 0..<6 {
        let events = (0..<(20 * round)).map(Measured.init)
        let pairs = (0..<9).map { Pair(x: $0, y: round) }
        if isRun { try log.write(contentsOf: events) } else { for event in events { try log.write(event) } }
        if isRun { try log.write(contentsOf: pairs) } else { for pair in pairs { try log.write(pair) } }
        if round.isMultiple(of: 2) { try log.write(LogNode(round)) }
        if round == 4 { try log.write([Double](repeating: 1, count: 20_000)) }  // An archive.
      }
    }
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.identifier) = (300, 9)
    let streams = try [true, false].map { isRun in
      let log = try GraphMessageWriter(options: options)
      try write(log, isRun)
      return try log.takeBytes()
    }
    #expect(streams[0] == streams[1])
  }

  @Test func theMessagesInFrontOfAnErrorAreWritten() throws {
    let log = try GraphMessageWriter()
    #expect(throws: Failing.Failure.self) {
      try log.write(contentsOf: (0..<100).lazy.map { Failing(number: $0) })
    }
    #expect(log.nextNumber == 70)
    try log.write(contentsOf: [Failing(number: 1), Failing(number: 2)])
    let found = try LogStream.read(GraphMessageReader(log.takeBytes()), Failing.self).messages
    #expect(found.map(\.number) == Array(0..<70) + [1, 2])
  }

  @Test func aSequenceThatWritesToTheStreamItself() throws {
    let log = try GraphMessageWriter()
    try log.write(
      contentsOf: (0..<5).lazy.map { number in
        #expect(throws: Never.self) { try log.write(Measured(100 + number)) }
        return Measured(number)
      })
    let steps = try LogStream.read(GraphMessageReader(log.takeBytes()), Measured.self).messages.map(\.int)
    #expect(steps.count == 10 && steps == (Array(100..<105) + Array(0..<5)).map { Measured($0).int })
  }

  @Test func aClosedStreamIsAnError() throws {
    let log = try GraphMessageWriter()
    try log.close()
    let error = #expect(throws: GCodableError.self) { try log.write(contentsOf: [Measured(1)]) }
    #expect(error?.code == .file)
  }

  @Test func damageCostsItsFrameAlone() throws {
    let messages = (0..<2000).map(Measured.init)
    let bytes = try bytes(messages, frameByteCount: 1000) { try $0.write(contentsOf: $1) }
    for place in stride(from: 200, to: bytes.count - 200, by: 997) {
      var damaged = bytes
      damaged[place] ^= 0x40
      let (found, damage) = try LogStream.read(GraphMessageReader(damaged), Measured.self)
      let lost = damage.flatMap { Array($0.lostMessages) }
      #expect(lost.count < 30 && damage.count <= 1)
      #expect(found == messages.enumerated().filter { !lost.contains(UInt64($0.offset)) }.map(\.element))
    }
  }

  @Test func eachMessageIsHandedOverWhereOptionsSaySo() throws {
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.bufferByteCount) = (1, 1)
    var stream = Data()
    var counts: [Int] = []
    let log = try GraphMessageWriter(options: options) { bytes in
      stream += bytes
      counts.append(try LogStream.read(GraphMessageReader(stream), Measured.self).messages.count)
    }
    try log.write(contentsOf: (0..<100).map(Measured.init))
    #expect(counts == Array(1...100))
  }
}

// MARK: - Messages

/// Structs whose coding is left to the library, as `@GCodable` does.
private protocol Listing: GCodable {}

extension Listing {
  static var _graphIsFieldwise: Bool { true }
  func encode(to encoder: GEncoder) throws { try _GraphFieldList.encode(self, to: encoder) }
  func _graphWrite(_ encoder: GEncoder) throws { try _GraphFieldList.write(self, encoder) }
  func _graphWritePlain(_ encoder: GEncoder) throws { try _GraphFieldList.writePlain(self, encoder) }
  init(from decoder: GDecoder) throws { self = try _GraphFieldList.decode(from: decoder) }
}

/// A number of each kind.
private struct Measured: Listing, Equatable {
  var flag: Bool
  var int: Int
  var int8: Int8
  var int32: Int32
  var uint: UInt
  var byte: UInt8
  var uint32: UInt32
  var float: Float
  var int64: Int64
  var uint64: UInt64
  var double: Double

  init(_ number: Int) {
    // All lengths that a number may have, and the greatest ones.
    let bits =
      number.isMultiple(of: 97) ? .max : UInt64(number) &* 0x9E37_79B9_7F4A_7C15 >> UInt64(number % 64)
    (flag, int, int8) = (number % 2 == 0, Int(truncatingIfNeeded: bits), Int8(truncatingIfNeeded: bits))
    (int32, uint, byte) = (.init(truncatingIfNeeded: bits), UInt(bits), .init(truncatingIfNeeded: bits))
    (uint32, float) = (UInt32(truncatingIfNeeded: bits), Float(number) / 3)
    (int64, uint64, double) = (number % 89 == 0 ? .min : -Int64(bits >> 1), bits, -Double(number) / 7)
  }

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("flag", \Self.flag)
    list.add("int", \Self.int)
    list.add("int8", \Self.int8)
    list.add("int32", \Self.int32)
    list.add("uint", \Self.uint)
    list.add("byte", \Self.byte)
    list.add("uint32", \Self.uint32)
    list.add("float", \Self.float)
    list.add("int64", \Self.int64)
    list.add("uint64", \Self.uint64)
    list.add("double", \Self.double)
  }
}

private struct Named: Listing, Equatable {
  var step: Int
  var name: String

  init(_ step: Int) { (self.step, name) = (step, String(repeating: "n", count: step % 40)) }

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("step", \Self.step)
    list.add("name", \Self.name)
  }
}

/// Up to 135 bytes.
private struct Wide: Listing, Equatable {
  var a, b, c, d, e, f, g, h, i, j, k, l, m, n, o: Int

  init(_ number: Int) {
    (a, b, c, d, e) = (number, number << 20, number << 40, .max - number, .min + number)
    (f, g, h, i, j) = (number % 2 == 0 ? .max : 0, a, b, c, d)
    (k, l, m, n, o) = (f, f, f, f, f)
  }

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("a", \Self.a)
    list.add("b", \Self.b)
    list.add("c", \Self.c)
    list.add("d", \Self.d)
    list.add("e", \Self.e)
    list.add("f", \Self.f)
    list.add("g", \Self.g)
    list.add("h", \Self.h)
    list.add("i", \Self.i)
    list.add("j", \Self.j)
    list.add("k", \Self.k)
    list.add("l", \Self.l)
    list.add("m", \Self.m)
    list.add("n", \Self.n)
    list.add("o", \Self.o)
  }
}

private struct Pair: Listing, Hashable {
  var x: Int
  var y: Int

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("x", \Self.x)
    list.add("y", \Self.y)
  }
}

private struct Failing: GCodable {
  let number: Int

  struct Failure: Error {}

  private enum Key: String { case number }

  init(number: Int) { self.number = number }

  init(from decoder: GDecoder) throws { number = try decoder.decode(for: Key.number) }

  func encode(to encoder: GEncoder) throws {
    if number == 70 { throw Failure() }
    try encoder.encode(number, for: Key.number)
  }
}
