import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What `print` shows of archives, series and sets.
@Suite("Descriptions in one line")
struct DescriptionTests {
  @Test func ofAnArchive() throws {
    let root = [Derived(name: "d", size: 5)]
    let bytes = try encoded(root)
    let archive = try GraphArchive(bytes)
    #expect(
      "\(archive)"
        == "GraphArchive(objects: 1, classes: 1, large arrays: 0, bytes: \(bytes.count), before compression: "
        + "\(try archive.info.rawByteCount))")
    let large = try GraphArchive(encoded([Double](repeating: 1, count: 100_000)))
    #expect("\(large)".contains("large arrays: 1") && "\(large)".contains("before compression: 800"))
    try #expect("\(large.array(Double.self))" == "GraphArrayView<Double>(shape: [100000])")
    try #expect("\(large.rawArray())" == "GraphRawArrayView(shape: [100000], bytes of an element: 8)")
  }

  @Test(arguments: [false, true]) func ofASeries(isFolder: Bool) throws {
    let folder = try TemporaryFolder()
    let writer =
      try isFolder
      ? GraphArchiveSeries.Writer(folder: folder.file("f")) : GraphArchiveSeries.Writer(folder.file("s"))
    #expect("\(writer.series)".hasPrefix("GraphArchiveSeries(entries: 0, bytes: "))
    for step in 1...3 {
      try GraphEncoder().append(
        step, to: writer, step: 10 * step, time: Double(step) / 2, metadata: ["two\nlines": "\(step)"])
    }
    let series = writer.series
    #expect(
      "\(series)"
        == "GraphArchiveSeries(entries: 3, steps: 10 to 30, times: 0.5 to 1.5, bytes: \(series.byteCount))")
    #expect(
      "\(series[2])"
        == "GraphArchiveSeries.Entry(number: 2, step: 30, time: 1.5, bytes: \(series[2].byteCount), "
        + #"metadata: "two\nlines": "3")"#)
  }

  @Test func theyAreShortWhateverTheMetadataAre() throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("s"))
    let metadata = Dictionary(
      uniqueKeysWithValues: (0..<500).map { ("\($0)", String(repeating: "\n", count: 100)) })
    try GraphEncoder().append(1, to: writer, step: 1, time: .nan, metadata: metadata)
    #expect("\(writer.series[0])".utf8.count < 250 && !"\(writer.series[0])".contains("\n"))
  }

  @Test func ofSets() throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSetSeries.Writer(folder.file("run"))
    for step in 1...2 {
      let set = try writer.begin()
      let receipts = try (0..<2).map { part in
        try set.part(part, of: 2).write(
          [Double](repeating: 0, count: 10),
          arrays: [.init("x", at: "", globalShape: [20], offset: [10 * part])])
      }
      try set.commit(receipts, step: step, time: 0.5, metadata: ["a": "b"])
    }
    let series = try GraphArchiveSetSeries(folder.file("run"))
    let bytes = series.map(\.byteCount)
    #expect(
      "\(series)"
        == "GraphArchiveSetSeries(entries: 2, steps: 1 to 2, times: 0.5 to 0.5, bytes: \(bytes[0] + bytes[1]))"
    )
    #expect(
      "\(series[1])"
        == #"GraphArchiveSetSeries.Entry(number: 1, step: 2, time: 0.5, bytes: \#(bytes[1]), metadata: "a": "b")"#
    )
    let set = try GraphArchiveSet(series[1])
    #expect("\(set)" == "GraphArchiveSet(step: 2, time: 0.5, parts: 2, arrays: 1, bytes: \(bytes[1]))")
    try #expect("\(set.array(Double.self, "x"))" == #"GraphSetArrayView<Double>(name: "x", shape: [20])"#)
  }
}
