import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// A folder for one test, with a series in it.
final class SeriesFolder {
  let folder: TemporaryFolder
  let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("a.series")
  }

  /// The root of entry `number`.
  static func model(_ number: Int) -> [String] { (0...number).map { "text \($0) of \(number)" } }

  /// Appends entries with the numbers of their roots, whose steps are 10 times as large.
  func append(_ numbers: Range<Int>) throws {
    let writer = try GraphArchiveSeries.Writer(url)
    for number in numbers { try append(number, to: writer) }
  }

  func append(_ number: Int, to writer: GraphArchiveSeries.Writer) throws {
    try GraphEncoder().append(
      Self.model(number), to: writer, step: 10 * number, time: Double(number) / 10,
      metadata: ["number": "\(number)"])
  }

  func bytes() throws -> [UInt8] { try [UInt8](Data(contentsOf: url)) }

  func setBytes(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: url) }

  /// Adds bytes behind the end of the file, as a killed writer leaves them.
  func add(_ bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  /// The numbers of the entries that are listed; checks that each is the one that was appended.
  func numbers() throws -> [Int] {
    let series = try GraphArchiveSeries(url)
    for entry in series {
      #expect(entry.metadata == ["number": "\(entry.number)"])
      #expect(entry.step == 10 * entry.number)
      #expect(entry.time == Double(entry.number) / 10)
      try #expect(GraphDecoder().read([String].self, from: entry) == Self.model(entry.number))
    }
    return series.map(\.number)
  }
}
