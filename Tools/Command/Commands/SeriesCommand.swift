import ArgumentParser
import Foundation
import GraphCodable

/// Works on series as a whole.
struct SeriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series", abstract: "Append, remove, extract and join entries of series.",
    discussion: """
      Nothing is expanded or compressed. A new file appears, or replaces another, when it is complete; readers of the old \
      one keep it.
      """,
    subcommands: [
      AppendCommand.self, PruneCommand.self, CompactCommand.self, ExtractCommand.self,
      ConcatenateCommand.self,
    ])
}

/// Which entries of a series are meant.
struct EntrySelection: ParsableArguments {
  @Option(help: "Every n-th entry: the first one, and each n-th after it.")
  var every: Int?

  @Option(help: "The last n entries.")
  var last: Int?

  @Option(help: ArgumentHelp("Entries of these steps: 1000..2000, with both ends.", valueName: "from..to"))
  var steps: Bounds<Int>?

  @Option(help: ArgumentHelp("Entries of these times: 0.5..1.5, with both ends.", valueName: "from..to"))
  var times: Bounds<Double>?

  /// Bounds with the larger one first would select nothing, which is hardly intended.
  private static func check<Number>(_ bounds: Bounds<Number>?, _ option: String) throws {
    guard let bounds, bounds.isEmpty else { return }
    throw ValidationError("\(option) has nothing in it: the first bound is at most the second.")
  }

  func validate() throws {
    try Self.check(steps, "--steps")
    try Self.check(times, "--times")
    guard every ?? 1 >= 1 else { throw ValidationError("--every is at least 1.") }
    guard last ?? 0 >= 0 else { throw ValidationError("--last is at least 0.") }
  }

  var isEmpty: Bool { every == nil && last == nil && steps == nil && times == nil }

  /// Whether an entry is one of those that all options mean, or was appended since the series was listed.
  func isKept<Series: StoredSeries>(in listed: Series) -> (Series.Element) -> Bool {
    let (numbers, last) = (numbers(in: listed), listed.last?.number ?? -1)
    return { numbers.contains($0.number) || $0.number > last }
  }

  /// The numbers of those that all options mean: of the entries in the ranges the n-th ones, and of these the last.
  private func numbers(in series: some StoredSeries) -> Set<Int> {
    var entries = series.filter { entry in
      steps.map { $0.contains(entry.step) } ?? true && times.map { $0.contains(entry.time) } ?? true
    }
    if let every { entries = entries.indices.filter { $0.isMultiple(of: every) }.map { entries[$0] } }
    if let last { entries = entries.suffix(last) }
    return Set(entries.map(\.number))
  }
}

/// Numbers from one to another one, both included; either may be left out.
struct Bounds<Number: Comparable & LosslessStringConvertible & Sendable>: ExpressibleByArgument {
  let lower: Number?
  let upper: Number?

  init?(argument: String) {
    guard let dots = argument.firstRange(of: "..") else { return nil }
    let parts = (String(argument[..<dots.lowerBound]), String(argument[dots.upperBound...]))
    (lower, upper) = (Number(parts.0), Number(parts.1))
    guard lower != nil || parts.0.isEmpty, upper != nil || parts.1.isEmpty, lower != nil || upper != nil
    else { return nil }
  }

  /// Whether no number is in them.
  var isEmpty: Bool {
    guard let lower, let upper else { return (lower ?? upper).map { !($0 <= $0) } ?? false }
    return !(lower <= upper)
  }

  func contains(_ number: Number) -> Bool {
    (lower.map { $0 <= number } ?? true) && (upper.map { number <= $0 } ?? true)
  }
}

/// The writer of a series, which no other writer can append to meanwhile.
///
/// - Throws: `Failure` for a set and for a series of sets, in whose folder it would make a series.
func seriesWriter(_ file: String) throws -> GraphArchiveSeries.Writer {
  let url = try writableURL(file)
  if StoredFolder(url)?.hasSets == true { _ = try series(file) }
  return try isFolder(url) ? GraphArchiveSeries.Writer(folder: url) : GraphArchiveSeries.Writer(url)
}

/// The series of a file or a folder.
func series(_ file: String) throws -> GraphArchiveSeries { try StoredFile(file).series() }

extension StoredFile {
  /// The series of archives that it is.
  ///
  /// - Throws: `Failure` for what is none.
  func series() throws -> GraphArchiveSeries {
    switch content {
    case .series(let series): return series
    case .archive: throw refusal("a single archive is no series")
    case .set: throw refusal("a set is no series")
    case .messages: throw refusal("a stream of messages is no series")
    case .setSeries:
      throw refusal(
        "a series of sets; this command is for series of archives, and each set is a folder to copy")
    }
  }
}
