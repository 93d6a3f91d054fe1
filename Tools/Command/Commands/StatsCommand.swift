import ArgumentParser
import Foundation
import GraphCodable

/// Says where the bytes of an archive go.
struct StatsCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show how the bytes of an archive are distributed over classes, keys and arrays.",
    discussion: """
      Sizes are those in the archive and before compression: exact for arrays, and in proportion for the graph stream. \
      Values outside objects belong to 'root'.
      """)

  @OptionGroup var arguments: SnapshotArguments

  @Option(help: "How many classes, keys and arrays to list, the largest first.")
  var limit = 10

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
  }

  func write(to output: Output) throws {
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
