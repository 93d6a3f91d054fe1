import ArgumentParser
import Foundation
import GraphCodable

/// Keeps some entries of a series.
struct PruneCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Keep some entries of a series and remove all others.",
    discussion: """
      Entries that match all options are kept, and numbered from 0. Without -o the series is replaced, and must not be \
      appended to meanwhile; with -o it stays unchanged, and the new series gets another name. Sets of a series of sets \
      are removed in place, as are the remains of sets that were not committed; there is no -o for them.
      """)

  @Argument(help: "A series, or a series of sets.", completion: .file())
  var file: String

  @OptionGroup var selection: EntrySelection

  @Option(name: .shortAndLong, help: "The new series. (default: FILE)", completion: .file())
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !selection.isEmpty else {
      throw ValidationError("Which entries? See --every, --last, --steps and --times.")
    }
  }

  func write(to out: Output) throws {
    do {
      let stored = try StoredFile(file)
      let change =
        if case .setSeries(let series) = stored.content { try prune(series, stored) } else {
          try prune(stored.series())
        }
      try change.write(to: out, json: json)
    } catch { throw Failure(error, in: file) }
  }

  private func prune(_ old: GraphArchiveSeries) throws -> SeriesChange {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let line = ProgressLine(file, byteCount: old.byteCount, progress)
    defer { line?.end() }
    let isKept = selection.isKept(in: old)
    if let output {
      try old.copy(to: writableURL(output), where: isKept, progress: progress)
      return try SeriesChange(output, old, series(output))
    }
    let writer = try seriesWriter(file)
    try writer.retain(progress: progress, where: isKept)
    return SeriesChange(file, old, writer.series)
  }

  /// Removes the folders of sets.
  private func prune(_ old: GraphArchiveSetSeries, _ stored: StoredFile) throws -> SeriesChange {
    guard output == nil else { throw stored.refusal("sets are removed where they are, without -o") }
    let writer = try GraphArchiveSetSeries.Writer(fileURL(file))
    try writer.retain(where: selection.isKept(in: old))
    return SeriesChange(file, old, writer.series)
  }
}

/// Writes a series anew.
struct CompactCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Rewrite a series without bytes that no entry needs.")

  @Argument(help: "A series.", completion: .file())
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  func write(to out: Output) throws {
    do {
      let old = try series(file)
      let writer = try seriesWriter(file)
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(file, byteCount: old.byteCount, progress)
      defer { line?.end() }
      try writer.compact(progress: progress)
      try SeriesChange(file, old, writer.series).write(to: out, json: json)
    } catch { throw Failure(error, in: file) }
  }
}

/// Writes an entry as an archive of its own.
struct ExtractCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Write an entry of a series as an archive of its own.")

  @Argument(help: "A series.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("Which entry: its number, or 'last'.", valueName: "n|last"))
  var entry = EntryChoice.last

  @Option(name: .shortAndLong, help: "The new archive.", completion: .file())
  var output: String

  func write(to out: Output) throws {
    do {
      let entry = try entry.entry(of: series(file))
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(file, byteCount: entry.byteCount, progress)
      defer { line?.end() }
      try entry.extract(to: writableURL(output), progress: progress)
      try out.line("\(output): entry \(entry.number), \(count(entry.byteCount, "byte", "bytes"))")
    } catch { throw Failure(error, in: file) }
  }
}

/// Joins series.
struct ConcatenateCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "concat", abstract: "Write the entries of several series into a new one.")

  @Argument(help: "Series, in their order.", completion: .file())
  var files: [String]

  @Option(name: .shortAndLong, help: "The new series.", completion: .file())
  var output: String

  func write(to out: Output) throws {
    var all: [GraphArchiveSeries] = []
    for file in files {
      do { all.append(try series(file)) } catch { throw Failure(error, in: file) }
    }
    do {
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(output, byteCount: sum(all.map(\.byteCount)), progress)
      defer { line?.end() }
      try GraphArchiveSeries.concatenate(all, to: writableURL(output), progress: progress)
      let new = try series(output)
      try out.line("\(output): \(count(new.count, "entry", "entries")) in \(grouped(new.byteCount)) bytes")
    } catch { throw Failure(error, in: output) }
  }
}
