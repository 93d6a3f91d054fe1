import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// A series that is a folder of archives.
@Suite("Series in folders")
struct FolderSeriesTests {
  let place: TemporaryFolder
  var url: URL { place.file("run") }

  init() throws { place = try TemporaryFolder() }

  private func append(_ numbers: Range<Int>, to writer: GraphArchiveSeries.Writer) throws {
    for number in numbers {
      try GraphEncoder().append(
        SeriesFolder.model(number), to: writer, step: 10 * number, time: Double(number) / 10,
        metadata: ["number": "\(number)"])
    }
  }

  private func append(_ numbers: Range<Int>) throws {
    try append(numbers, to: GraphArchiveSeries.Writer(folder: url))
  }

  /// The numbers of the entries, each of which must be the one that was appended.
  @discardableResult
  private func numbers(_ series: GraphArchiveSeries? = nil) throws -> [Int] {
    let series = try series ?? GraphArchiveSeries(folder: url)
    for entry in series {
      #expect(entry.metadata == ["number": "\(entry.number)"])
      #expect((entry.step, entry.time) == (10 * entry.number, Double(entry.number) / 10))
      try #expect(GraphDecoder().read([String].self, from: entry) == SeriesFolder.model(entry.number))
    }
    return series.map(\.number)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  private func file(_ number: Int) -> URL {
    url.appendingPathComponent("entry-\(String(repeating: "0", count: 11))\(number).gcodable")
  }

  @Test func entriesAreArchivesThatAreListedAndRead() throws {
    try append(0..<3)
    try #expect(numbers() == [0, 1, 2])
    try #expect(names() == (0..<3).map { file($0).lastPathComponent } + ["index.gcodable"])
    let series = try GraphArchiveSeries(folder: url)
    #expect(series.damage.isEmpty && series.isFolder)
    #expect(series.entry(atStep: 10)?.number == 1)
    #expect(series[1].url?.lastPathComponent == file(1).lastPathComponent)
    try GraphDecoder().verify(series)
    // Each is a file of its own.
    let archive = try GraphArchive(file(1))
    try #expect(archive.decode([String].self) == SeriesFolder.model(1))
    #expect(archive.metadata["gcseries.step"] == "10")
    try #expect(series[1].archive() == Data(contentsOf: file(1)))
    #expect(series.byteCount == series.reduce(0) { $0 + $1.byteCount })
    try append(3..<4)
    try #expect(numbers() == [0, 1, 2, 3])
  }

  @Test func theListIsTheSameWithoutTheIndexAndWithABadOne() throws {
    try append(0..<3)
    let index = url.appendingPathComponent("index.gcodable")
    try FileManager.default.removeItem(at: index)
    try #expect(numbers() == [0, 1, 2])
    for bytes in [Data(), Data("no archive".utf8), try Data(contentsOf: file(0))] {
      try bytes.write(to: index)
      try #expect(numbers() == [0, 1, 2])
      try append(0..<0)
      try #expect(GraphArchive(index).decode([Int].self, at: "numbers") == [0, 1, 2])
      try numbers()
    }
  }

  @Test func readersSeeWhatIsAppendedAndRemovedMeanwhile() throws {
    let writer = try GraphArchiveSeries.Writer(folder: url)
    var series = try GraphArchiveSeries(folder: url)
    #expect(series.isEmpty)
    try append(0..<5, to: writer)
    #expect(series.isEmpty)
    try series.update()
    try #expect(numbers(series) == [0, 1, 2, 3, 4])
    try writer.retain { $0.number != 1 }
    let error = #expect(throws: GCodableError.self) { try GraphArchive(series[1]) }
    #expect(error?.code == .file)
    try series.update()
    #expect(series.map(\.number) == [0, 2, 3, 4] && series.damage.isEmpty)
    try writer.retain(last: 2)
    #expect(writer.series.map(\.number) == [3, 4])
    try numbers()
    try writer.retain(last: 0)
    try #expect(numbers() == [])
    // Numbers are not given twice.
    try append(5..<6, to: writer)
    try #expect(numbers() == [5])
  }

  @Test func whatIsGoneOrDamagedIsReported() throws {
    try append(0..<5)
    try FileManager.default.removeItem(at: file(1))
    var bytes = try Data(contentsOf: file(2))
    bytes[bytes.count - 3] ^= 1
    try bytes.write(to: file(2))
    try Data(bytes.dropLast()).write(to: file(3))
    try Data("text".utf8).write(to: file(7))
    let series = try GraphArchiveSeries(folder: url)
    #expect(series.map(\.number) == [0, 2, 3, 4])
    #expect(series.damage.map(\.code) == [.damaged, .damaged])
    #expect(series.damage.first?.description.contains(file(1).path) == true)
    #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
    let codes = series.map { entry in
      do {
        try GraphDecoder().verify(entry)
        return nil as GCodableError.Code?
      } catch { return (error as? GCodableError)?.code }
    }
    #expect(codes == [nil, .damaged, .wrongSize, nil])
    // Of another entry.
    try FileManager.default.removeItem(at: file(4))
    try FileManager.default.copyItem(at: file(0), to: file(4))
    let error = #expect(throws: GCodableError.self) {
      try GraphArchive(try #require(GraphArchiveSeries(folder: url).last))
    }
    #expect([.damaged, .wrongSize].contains(error?.code))
    try FileManager.default.removeItem(at: url.appendingPathComponent("index.gcodable"))
    try #expect(GraphArchiveSeries(folder: url).map(\.number) == [0])
  }

  @Test func thereIsOneWriterAtATime() throws {
    var writer: GraphArchiveSeries.Writer? = try .init(folder: url)
    let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(folder: url) }
    #expect(error?.code == .locked)
    try #expect(GraphArchiveLock(of: url)?.processID == Int(getpid()))
    try append(0..<1, to: #require(writer))
    writer = nil
    try append(1..<2)
    try #expect(numbers() == [0, 1])
    try #expect(GraphArchiveLock(of: url) == nil)
  }

  @Test func aFolderThatWasMovedOrIsNoneIsAnError() throws {
    let writer = try GraphArchiveSeries.Writer(folder: url)
    try FileManager.default.moveItem(at: url, to: place.file("moved"))
    #expect(throws: GCodableError.self) { try append(0..<1, to: writer) }
    for path in [place.file("none/run"), place.file("text")] {
      try Data().write(to: place.file("text"))
      let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(folder: path) }
      #expect(error?.code == .file)
      #expect(throws: GCodableError.self) { try GraphArchiveSeries(folder: path) }
    }
  }

  @Test func cancellingAndErrorsLeaveNothing() throws {
    let writer = try GraphArchiveSeries.Writer(folder: url)
    try append(0..<1, to: writer)
    let progress = Progress(totalUnitCount: 0)
    let cancelling = Script { _ in progress.cancel() }
    #expect(throws: CancellationError.self) {
      try GraphEncoder().append(cancelling, to: writer, step: 0, time: 0, progress: progress)
    }
    try append(1..<2, to: writer)
    try #expect(numbers() == [0, 1])
    #expect(throws: GCodableError.self) {
      try GraphEncoder().append(
        1, to: writer, step: 0, time: 0, metadata: ["key": String(repeating: "x", count: 1 << 20)])
    }
    try #expect(numbers() == [0, 1])
  }
}
