import ArgumentParser
import Foundation
import GraphCodable

/// Compares two graphs.
struct DiffCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two graphs by structure, identity and values.",
    discussion: """
      Compression, filters, precision and object numbers make no difference. Two numbers are equal if they are within \
      either tolerance; without tolerances, if their bits are equal. The exit status is 0 if the graphs are equal, 1 if \
      they differ, and 2 if they cannot be compared.
      """)

  @Argument(help: "An archive, or a series of archives: a file, or its address.", completion: .file())
  var first: String

  @Argument(help: "Another one, or the same series.", completion: .file())
  var second: String

  @OptionGroup(title: "Options for the entry of the first series") var entry: EntryOptions

  @Option(help: ArgumentHelp("Which entry of the second series. (default: last)", valueName: "n|last"))
  var secondEntry: EntryChoice?

  @Option(help: "The entry of the second series of this step.")
  var secondStep: Int?

  @Option(help: "The entry of the second series of this time.")
  var secondTime: Double?

  @Option(help: "The amount by which floating-point numbers may differ.")
  var absolute = 0.0

  @Option(help: "The amount by which they may differ, in proportion to the larger one.")
  var relative = 0.0

  @Option(help: "How many differences to list.")
  var limit = 20

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard [secondEntry != nil, secondStep != nil, secondTime != nil].count(where: \.self) <= 1 else {
      throw ValidationError("One of --second-entry, --second-step and --second-time says which entry.")
    }
    guard absolute >= 0, relative >= 0 else { throw ValidationError("A tolerance is at least 0.") }
    guard limit >= 0 else { throw ValidationError("--limit is at least 0.") }
  }

  func write(to output: Output) throws {
    let comparison: GraphComparison
    do { comparison = try compare() } catch {
      var failure = Failure(error, in: "diff")
      failure.status = .cannotCompare
      throw failure
    }
    if json {
      try output.json(DifferenceReport(comparison, first, second))
    } else {
      for difference in comparison.differences {
        try output.line(difference.description, Self.style(difference.kind))
      }
      let left = comparison.differenceCount - comparison.differences.count
      if left > 0 { try output.line("… \(grouped(left)) more") }
    }
    if !comparison.isEmpty { throw ExitCode.failure }
  }

  private static func style(_ kind: GraphDifference.Kind) -> Style {
    switch kind {
    case .missing: .bad
    case .added: .good
    default: .changed
    }
  }

  private var secondChoice: EntryChoice? {
    secondEntry ?? secondStep.map(EntryChoice.step) ?? secondTime.map(EntryChoice.time)
  }

  private func compare() throws -> GraphComparison {
    let archives = try [(first, entry.choice), (second, secondChoice)].map { name, entry in
      do {
        let snapshot = try Snapshot(StoredFile(name), entry)
        return try snapshot.naming { (snapshot.name, try snapshot.archive()) }
      } catch { throw Failure(error, in: name) }
    }
    let byteCount = try archives[0].1.info.byteCount
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let line = ProgressLine(
      archives[0].0, byteCount: byteCount, ratio: archives[0].1.compressionRatio, progress)
    defer { line?.end() }
    do {
      return try archives[0].1.compare(
        with: archives[1].1, absoluteTolerance: absolute, relativeTolerance: relative, atMost: limit,
        progress: progress)
    } catch { throw Failure(error, in: "\(archives[0].0), \(archives[1].0)") }
  }
}

/// Where two graphs differ; its properties are the keys in JSON.
struct DifferenceReport: Encodable {
  let first: String
  let second: String
  let same: Bool
  let differences: [Item]
  /// How many there are; fewer may be listed.
  let differenceCount: Int

  struct Item: Encodable {
    let path: String
    /// `value`, `type`, `count`, `missing`, `added`, `identity` or `elements`.
    let difference: String
    let firstValue: String?
    let secondValue: String?
    let differingElements: Int?
    let maximumDistance: Double?
  }

  init(_ comparison: GraphComparison, _ first: String, _ second: String) {
    (self.first, self.second, same) = (first, second, comparison.isEmpty)
    differenceCount = comparison.differenceCount
    differences = comparison.differences.map {
      Item(
        path: $0.path.description, difference: "\($0.kind)", firstValue: $0.first, secondValue: $0.second,
        differingElements: $0.elementCount, maximumDistance: $0.maximumDistance)
    }
  }
}
