import ArgumentParser
import Foundation
import GraphCodable

/// Keeps some entries of a series.
struct PruneCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Keep some entries of a series and remove all others.",
    discussion: """
      Entries that match all options are kept, and numbered from 0; what is removed is listed first. Options that would \
      remove all entries are refused without --all. Without -o the series is replaced, and must not be \
      appended to meanwhile; with -o it stays unchanged, and the new series gets another name. Sets of a series of sets \
      are removed in place, as are the remains of sets that were not committed; there is no -o for them.
      """)

  @Argument(help: "A series, or a series of sets.", completion: .file())
  var file: String

  @OptionGroup var selection: EntrySelection

  @Option(name: .shortAndLong, help: "The new series. (default: FILE)", completion: .file())
  var output: String?

  @Flag(help: "Remove all entries where the options keep none.")
  var all = false

  @Flag(name: .shortAndLong, help: "List what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !selection.isEmpty else {
      throw ValidationError("Which entries? See --every, --last, --steps and --times.")
    }
  }

  func write(to out: Output) throws {
    _ = try writableURL(output ?? file)
    do {
      let stored = try StoredFile(file)
      if case .setSeries(let series) = stored.content {
        guard output == nil else { throw stored.refusal("sets are removed where they are, without -o") }
        try prune(series, stored, out, prune)
      } else {
        try prune(stored.series(), stored, out, prune)
      }
    } catch { throw Failure(error, in: file) }
  }

  /// Says what is removed, and removes it.
  private func prune<Series: StoredSeries>(
    _ old: Series, _ stored: StoredFile, _ out: Output, _ remove: (Series) throws -> SeriesChange
  ) throws {
    let isKept = selection.isKept(in: old)
    let removed = old.filter { !isKept($0) }
    guard all || removed.count < old.count || old.isEmpty else {
      throw stored.refusal(
        "this would remove \(old.count > 1 ? "all \(stored.kind.entryCount(old.count))" : "the only entry"); "
          + "see --all if that is meant")
    }
    if !json {
      for line in RemovedEntries(removed).lines { try out.line("\(stored.name): \(verb) \(line)") }
      // In front of whatever goes wrong.
      try out.flush()
    }
    var change = try dryRun ? SeriesChange(file, old, old) : remove(old)
    change.removed = removed.map(\.number)
    if json || !dryRun { try change.write(to: out, json: json) }
  }

  private var verb: String { dryRun ? "would remove" : output == nil ? "removes" : "leaves out" }

  private func prune(_ old: GraphArchiveSeries) throws -> SeriesChange {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let line = ProgressLine(file, byteCount: old.byteCount, ratio: old.compressionRatio, progress)
    defer { line?.end() }
    let isKept = selection.isKept(in: old)
    if let output {
      let url = try writableURL(output)
      try Transfer(inputs: [file], output: output).run {
        try old.copy(to: url, where: isKept, progress: progress)
      }
      return try SeriesChange(output, old, series(output))
    }
    let writer = try Transfer(inputs: [file], output: file).run {
      let writer = try seriesWriter(file)
      try writer.retain(progress: progress, where: isKept)
      return writer
    }
    return SeriesChange(file, old, writer.series)
  }

  /// Removes the folders of sets.
  private func prune(_ old: GraphArchiveSetSeries) throws -> SeriesChange {
    let writer = try Transfer(inputs: [file], output: file).run {
      let writer = try GraphArchiveSetSeries.Writer(writableURL(file))
      try writer.retain(where: selection.isKept(in: old))
      return writer
    }
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
    _ = try writableURL(file)
    do {
      let old = try series(file)
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(file, byteCount: old.byteCount, ratio: old.compressionRatio, progress)
      defer { line?.end() }
      let writer = try Transfer(inputs: [file], output: file).run {
        let writer = try seriesWriter(file)
        try writer.compact(progress: progress)
        return writer
      }
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

  @OptionGroup var entry: EntryOptions

  @Option(name: .shortAndLong, help: "The new archive.", completion: .file())
  var output: String

  func write(to out: Output) throws {
    do {
      let entry = try (entry.choice ?? .last).entry(of: series(file))
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(
        file, byteCount: entry.byteCount, ratio: try? GraphArchive(entry).compressionRatio, progress)
      defer { line?.end() }
      let url = try writableURL(output)
      try Transfer(inputs: [file], output: output).run { try entry.extract(to: url, progress: progress) }
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
      let url = try writableURL(output)
      try Transfer(inputs: files, output: output).run {
        try GraphArchiveSeries.concatenate(all, to: url, progress: progress)
      }
      let new = try series(output)
      try out.line("\(output): \(count(new.count, "entry", "entries")) in \(grouped(new.byteCount)) bytes")
    } catch { throw Failure(error, in: output) }
  }
}
