import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Writers of series")
struct SeriesWriterTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  private func code(_ body: () throws -> Void) -> GCodableError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? GCodableError)?.code }
  }

  @Test func thereIsOneAtATime() throws {
    var writer: GraphArchiveSeries.Writer? = try .init(url)
    let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(url) }
    #expect(error?.code == .locked)
    #expect(error?.description.contains(url.path) == true)
    try place.append(0, to: #require(writer))
    // Readers do not mind.
    try #expect(place.numbers() == [0])
    let series = try #require(writer?.series)
    writer = nil
    try place.append(1..<2)
    try #expect(place.numbers() == [0, 1])
    // The file is still open.
    try #expect(GraphDecoder().read([String].self, from: series[0]) == SeriesFolder.model(0))
  }

  @Test func whatIsNoSeriesIsRefusedAndStays() throws {
    try GraphEncoder().write(1, to: url)
    let archive = try place.bytes()
    #expect(code { _ = try GraphArchiveSeries.Writer(url) } == .notAnArchive)
    #expect(code { _ = try GraphArchiveSeries(url) } == .notAnArchive)
    try #expect(place.bytes() == archive)
    for bytes in [Array("gcse".utf8) + [0], Array("text".utf8), [UInt8](repeating: 0, count: 65)] {
      try place.setBytes(bytes)
      #expect(code { _ = try GraphArchiveSeries.Writer(url) } == .notAnArchive)
      #expect(code { _ = try GraphArchiveSeries(url) } == .notAnArchive)
      try #expect(place.bytes() == bytes)
    }
    for path in [place.folder.url.path, "/dev/null", place.folder.url.path + "/none/a.series"] {
      #expect(code { _ = try GraphArchiveSeries.Writer(URL(fileURLWithPath: path)) } == .file)
      #expect(code { _ = try GraphArchiveSeries(URL(fileURLWithPath: path)) } == .file)
    }
    #expect(code { _ = try GraphArchiveSeries(place.folder.file("none")) } == .file)
    #expect(code { _ = try GraphArchiveSeries.Writer(URL(string: "https://example.org/a")!) } == .file)
  }

  @Test func aSeriesIsNotTakenForAnArchive() throws {
    try place.append(0..<1)
    let error = #expect(throws: GCodableError.self) {
      try GraphDecoder().read([String].self, from: url)
    }
    #expect(error?.code == .notAnArchive)
    #expect(error?.description.contains("GraphArchiveSeries") == true)
  }

  @Test func aFailedWalkAppendsNothing() throws {
    try place.append(0..<1)
    let before = try place.bytes()
    let writer = try GraphArchiveSeries.Writer(url)
    struct Own: Error {}
    #expect(throws: Own.self) {
      try GraphEncoder().append(Script { _ in throw Own() }, to: writer, step: 0, time: 0)
    }
    #expect(throws: Own.self) {
      try GraphEncoder().appendInBackground(Script { _ in throw Own() }, to: writer, step: 0, time: 0)
    }
    try #expect(place.bytes() == before)
  }

  @Test func tooMuchMetadataIsRefusedAndAppendsNothing() throws {
    try place.append(0..<1)
    let before = try place.bytes()
    let writer = try GraphArchiveSeries.Writer(url)
    let much = ["key": String(repeating: "x", count: 1 << 20)]
    let refusal = code { try GraphEncoder().append(1, to: writer, step: 0, time: 0, metadata: much) }
    #expect(refusal == .limitExceeded)
    let inBackground = code {
      _ = try GraphEncoder().appendInBackground(1, to: writer, step: 0, time: 0, metadata: much)
    }
    #expect(inBackground == .limitExceeded)
    try #expect(place.bytes() == before)
    // Up to the last byte that fits.
    let most = ["key": String(repeating: "x", count: (1 << 20) - 88 - 1 - 4 - 3 - 16)]
    try GraphEncoder().append(1, to: writer, step: 0, time: 0, metadata: most)
    try #expect(GraphArchiveSeries(url).last?.metadata == most)
  }

  @Test func aFileThatWasRemovedIsAnError() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    try place.append(0, to: writer)
    try FileManager.default.removeItem(at: url)
    #expect(code { try place.append(1, to: writer) } == .file)
    // Its lock is not that of the new file.
    try place.append(0..<1)
    #expect(code { try place.append(1, to: writer) } == .file)
    try #expect(place.numbers() == [0])
  }

  /// It has a name still, but not the one that it was opened under.
  @Test func aFileThatWasMovedOrReplacedIsAnError() throws {
    let moved = place.folder.file("moved")
    let writer = try GraphArchiveSeries.Writer(url)
    try place.append(0, to: writer)
    let before = try place.bytes()
    try FileManager.default.moveItem(at: url, to: moved)
    #expect(code { try place.append(1, to: writer) } == .file)
    try place.setBytes(before)
    #expect(code { try place.append(1, to: writer) } == .file)
    try #expect([UInt8](Data(contentsOf: moved)) == before)
    try #expect(place.bytes() == before)
    // Back in its place, it is as good as before.
    try FileManager.default.removeItem(at: url)
    try FileManager.default.moveItem(at: moved, to: url)
    try place.append(1, to: writer)
    try #expect(place.numbers() == [0, 1])
    // Replaced while the archive is written: no record follows it.
    let other = place.folder.file("other")
    let replacing = Script { _ in
      try FileManager.default.moveItem(at: self.url, to: other)
      try self.place.setBytes([1, 2, 3])
    }
    #expect(code { try GraphEncoder().append(replacing, to: writer, step: 0, time: 0) } == .file)
    try #expect(GraphArchiveSeries(other).count == 2)
    try #expect(place.bytes() == [1, 2, 3])
  }

  @Test func aFileThatWasCutIsAnError() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    for number in 0..<2 { try place.append(number, to: writer) }
    let end = Int(writer.series[1].offset)
    truncate(url.path, end)
    #expect(code { try place.append(2, to: writer) } == .wrongSize)
    try #expect(place.bytes().count == end)
    try #expect(place.numbers() == [0])
  }

  @Test func bytesAfterTheLastEntryAreRemoved() throws {
    try place.append(0..<1)
    let size = try place.bytes().count
    for (number, tail) in [[1], [UInt8](repeating: 0, count: 5000), Array("gcrecord".utf8)].enumerated() {
      try place.add(tail)
      try #expect(place.numbers() == Array(0...number))
      try place.append((number + 1)..<(number + 2))
      try #expect(place.numbers() == Array(0...(number + 1)))
    }
    let clean = try place.bytes()
    truncate(url.path, size)
    try place.append(1..<4)
    try #expect(place.bytes() == clean)
  }

  @Test func anEntryOfAnotherIsNotOverwritten() throws {
    // As on a file system without locks.
    let writer = try GraphArchiveSeries.Writer(url)
    try place.append(0, to: writer)
    let other = place.folder.file("other")
    try FileManager.default.copyItem(at: url, to: other)
    let otherWriter = try GraphArchiveSeries.Writer(other)
    try place.append(1, to: otherWriter)
    let bytes = try [UInt8](Data(contentsOf: other))
    try place.add(Array(bytes[Int(otherWriter.series[1].offset)...]))
    try place.append(2, to: writer)
    try #expect(place.numbers() == [0, 1, 2])
  }

  #if os(Linux)
    /// In a process of its own, because what is forked has one of its threads alone.
    @Test func aForkedProcessLeavesTheLockAndTheFileToItsParent() async {
      await #expect(processExitsWith: .success) {
        let place = try SeriesFolder()
        var writer: GraphArchiveSeries.Writer? = try .init(place.url)
        try place.append(0, to: #require(writer))
        let before = try place.bytes()
        // Swift's module of the C library hides it.
        let symbol = try #require(dlsym(nil, "fork"))
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
          var code: GCodableError.Code?
          do { try place.append(1, to: writer!) } catch { code = (error as? GCodableError)?.code }
          writer = nil
          _exit(code == .locked ? 0 : 1)
        }
        var status: Int32 = -1
        try #require(waitpid(child, &status, 0) == child)
        #expect(status == 0)
        let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(place.url) }
        #expect(error?.code == .locked)
        try #expect(place.bytes() == before)
        try place.append(1, to: #require(writer))
        writer = nil
        try place.append(2..<3)
        try #expect(place.numbers() == [0, 1, 2])
      }
    }
  #endif
}
