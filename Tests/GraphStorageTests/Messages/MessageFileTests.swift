import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Streams of messages in files: appending, locks, and what a killed process leaves.
@Suite("Logs in files") struct MessageFileTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("a.gclog")
  }

  private func append(_ steps: Range<Int>, frameByteCount: Int = 1) throws {
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.identifier) = (frameByteCount, 5)
    let writer = try GraphMessageWriter(url, options: options)
    #expect(writer.nextNumber == UInt64(steps.lowerBound))
    for step in steps { try writer.write(LogEvent(step)) }
    try writer.close()
  }

  private func read() throws -> (messages: [LogEvent], damage: [GraphMessageDamage]) {
    try LogStream.read(GraphMessageReader(url))
  }

  @Test func messagesAreAppended() throws {
    for start in stride(from: 0, to: 50, by: 10) { try append(start..<(start + 10)) }
    let (found, damage) = try read()
    #expect(found == (0..<50).map { LogEvent($0) } && damage.isEmpty)
  }

  @Test func aWriterContinuesBehindTheLastWholeFrame() throws {
    try append(0..<3)
    let bytes = try Data(contentsOf: url)
    let tail = bytes.count - 100
    for end in (0...bytes.count).reversed() where end > tail || end.isMultiple(of: 7) || end < 40 {
      try bytes.prefix(end).write(to: url)
      let whole = try LogStream.read(GraphMessageReader(url), LogEvent.self).messages.count
      try append(whole..<5)
      let (found, damage) = try read()
      #expect(found == (0..<5).map { LogEvent($0) } && damage.isEmpty)
    }
  }

  @Test func nothingIsCutOffThatHasAFrameBehindIt() throws {
    try append(0..<20)
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count - 200] ^= 1
    try bytes.write(to: url)
    try append(20..<22)
    let (found, damage) = try read()
    #expect(found.count == 21 && found.last == LogEvent(21))
    #expect(damage.count == 1)
  }

  @Test func thereIsOneWriter() throws {
    let writer = try GraphMessageWriter(url)
    let error = #expect(throws: GCodableError.self) { try GraphMessageWriter(url) }
    #expect(error?.code == .locked)
    #expect(try GraphArchiveLock(of: url) != nil)
    try writer.write(LogEvent(0))
    try writer.close()
    #expect(throws: GCodableError.self) { try writer.write(LogEvent(1)) }
    try append(1..<2)
    #expect(try read().messages.count == 2)
  }

  @Test func aFileThatIsNoLogIsLeftAlone() throws {
    for text in ["some text that is longer than a header has bytes", "short"] {
      try Data(text.utf8).write(to: url)
      let error = #expect(throws: GCodableError.self) { try GraphMessageWriter(url) }
      #expect(error?.code == .notAnArchive)
      #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }
    try FileManager.default.removeItem(at: url)
    try append(0..<0)
    var bytes = try Data(contentsOf: folder.file("a.gclog"))
    bytes[20] ^= 1
    try bytes.write(to: url)
    let error = #expect(throws: GCodableError.self) { try GraphMessageWriter(url) }
    #expect(error?.code == .damaged)
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test func aReplacedFileIsNotWrittenTo() throws {
    let writer = try GraphMessageWriter(url)
    try writer.write(LogEvent(0))
    try FileManager.default.moveItem(at: url, to: folder.file("b.gclog"))
    let error = #expect(throws: GCodableError.self) { try writer.flush() }
    #expect(error?.code == .file)
    try FileManager.default.moveItem(at: folder.file("b.gclog"), to: url)
    try writer.close()
    #expect(try read().messages == [LogEvent(0)])
  }

  @Test func aReaderFollowsTheWriter() throws {
    let writer = try GraphMessageWriter(url)
    let reader = try GraphMessageReader(url)
    #expect(try reader.next(LogEvent.self) == nil)
    for step in 0..<30 {
      try writer.write(LogEvent(step))
      guard step.isMultiple(of: 3) else {
        continue
      }
      try writer.flush()
      var last: LogEvent?
      while let event = try reader.next(LogEvent.self) { last = event }
      #expect(last == LogEvent(step))
    }
    try writer.synchronize()
    #expect(try reader.next(LogEvent.self)?.step == 28)
  }

  @Test func aReaderStartsInTheMiddle() throws {
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.tablesByteCount) = (100, 2000)
    let writer = try GraphMessageWriter(url, options: options)
    for step in 0..<2000 { try writer.write(LogEvent(step)) }
    try writer.close()
    let byteCount = try Data(contentsOf: url).count
    var offsets: [UInt64: Int] = [:]
    let reader = try GraphMessageReader(url)
    while let event = try reader.next(LogEvent.self) {
      offsets[reader.offset] = min(event.step, offsets[reader.offset] ?? .max)
    }
    for start in [0, 31, 33, byteCount / 3, byteCount / 2 + 1, byteCount - 1, byteCount + 5].map(UInt64.init)
    {
      let expected = offsets.filter { $0.key >= start }.values.min()
      let reader = try GraphMessageReader(url, startingAt: start)
      #expect(try reader.next(LogEvent.self)?.step == expected)
      let (rest, damage) = try LogStream.read(reader, LogEvent.self)
      #expect(rest.count == expected.map { 1999 - $0 } ?? 0 && damage.isEmpty)
    }
  }

  @Test(arguments: [1 << 63, .max - 1, .max] as [UInt64])
  func numbersThatNoStreamReachesAreNotContinued(number: UInt64) throws {
    try append(0..<3)
    let whole = try Data(contentsOf: url)
    let forged = Forge.messageFrame(kind: 128, number: number, revision: 1, body: [], identifier: 5)
    try (whole + forged).write(to: url)
    #expect(throws: GCodableError.self) { try GraphMessageWriter(url) }
    #expect(try Data(contentsOf: url) == whole + forged)
    try whole.write(to: url)
    try append(3..<4)
  }
}
