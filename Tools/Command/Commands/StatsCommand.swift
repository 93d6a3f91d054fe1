import ArgumentParser
import Foundation
import GraphCodable

/// Says where the bytes of an archive go, or what the numbers of an array are.
struct StatsCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract:
      "Show how the bytes of an archive are distributed over classes, keys and arrays, or the numbers of an array.",
    discussion: """
      Sizes are those in the archive and before compression: exact for arrays, and in proportion for the graph stream. \
      Values outside objects belong to 'root'.

      With a path, the numbers there are counted: their minimum, maximum, mean, deviation and histogram. The path is as \
      for get, and may lead to an array, to a number, or by ranges to several numbers.
      """)

  @OptionGroup var arguments: SnapshotArguments

  @Argument(help: "Where the numbers are, as 'positions' or 'bodies[0..<5].mass'. (default: all bytes)")
  var path: GraphPath?

  @Flag(help: "With a path, count the numbers of every entry of a series.")
  var allEntries = false

  @Option(help: "How many classes, keys and arrays to list, the largest first.")
  var limit = 10

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
    guard allEntries else { return }
    guard path != nil else { throw ValidationError("--all-entries needs a path.") }
    guard arguments.entry.choice == nil else {
      throw ValidationError("--all-entries is for all entries, and not for one of them.")
    }
  }

  func write(to output: Output) throws {
    guard let path else { return try writeBytes(to: output) }
    guard allEntries else {
      return try arguments.withSnapshot(at: path) { snapshot in
        let report = try NumbersReport(snapshot, at: path)
        if json { return try output.json(report) }
        for line in report.lines { try output.line(line) }
      }
    }
    let report: SeriesNumbersReport
    do {
      let file = try StoredFile(arguments.file)
      guard case .series(let series) = file.content else {
        throw file.refusal("--all-entries is for series of archives")
      }
      report = SeriesNumbersReport(series, file, at: path)
    } catch { throw Failure(error, in: arguments.file) }
    if json { try output.json(report) } else { for line in report.lines { try output.line(line) } }
    if report.entries.contains(where: { $0.problem != nil }) { throw ExitCode.failure }
  }

  private func writeBytes(to output: Output) throws {
    try arguments.withSnapshot { snapshot in
      let archive = try snapshot.archive()
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(snapshot.name, byteCount: try archive.info.streamByteCount, progress)
      defer { line?.end() }
      let statistics = try archive.statistics(progress: progress)
      if json {
        try output.json(StatisticsReport(statistics, snapshot))
      } else {
        for line in StatisticsText(statistics, limit: limit).lines { try output.line(line) }
      }
    }
  }
}
