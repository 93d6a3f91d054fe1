import ArgumentParser
import Foundation
import GraphCodable

/// Appends archives to a series.
struct AppendCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append archives to a series, each as an entry.",
    discussion: """
      Each archive is checked, and copied unchanged; of a series, the last entry is appended. The first archive gets the step \
      and the time of the options, each later one the next step. The series is created if it does not exist.
      """)

  @Argument(help: "A series.", completion: .file())
  var file: String

  @Argument(help: "Archives, in their order.", completion: .file())
  var archives: [String]

  @Option(
    parsing: .unconditional,
    help: "The step of the first one. (default: the one after the last step of the series)")
  var step: Int?

  @Option(parsing: .unconditional, help: "The time of all. (default: that of the last one of the series)")
  var time: Double?

  func write(to out: Output) throws {
    do {
      let writer = try Transfer(inputs: [], output: file).run { try seriesWriter(file) }
      let last = writer.series.last
      var next = step ?? last.map { $0.step + 1 } ?? 0
      for name in archives {
        try Transfer(inputs: [name], output: file).run {
          try append(name, to: writer, step: next, time: time ?? last?.time ?? 0)
        }
        next += 1
      }
      let series = writer.series
      try out.line(
        "\(file): \(count(series.count, "entry", "entries")) in \(grouped(series.byteCount)) bytes")
    } catch { throw Failure(error, in: file) }
  }

  private func append(
    _ name: String, to writer: GraphArchiveSeries.Writer, step: Int, time: Double
  ) throws {
    let archive = try Snapshot(StoredFile(name), nil).archive()
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let line = try ProgressLine(
      name, byteCount: archive.info.byteCount, ratio: archive.compressionRatio, progress)
    defer { line?.end() }
    try archive.verify()
    try writer.append(archive, step: step, time: time, progress: progress)
  }
}
