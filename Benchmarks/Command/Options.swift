import ArgumentParser
import Foundation

/// Which measurements are run, and on how much.
struct SelectionOptions: ParsableArguments {
  @Flag(help: "Run everything in less than a minute: fewer iterations, one size, W4 at a tenth of it.")
  var quick = false

  @Option(help: "Run only measurements whose names match the regular expression.")
  var filter: String?

  @Option(help: "Leave out measurements whose names match the regular expression.")
  var filterNot: String?

  @Option(
    help: "The sizes of the generated workloads, such as 0.1,1,10; 1 is what figures are given for.",
    transform: Self.parseSizes)
  var sizes: [Double] = []

  mutating func validate() throws {
    _ = try makeFilter()
  }

  private static func parseSizes(_ text: String) throws -> [Double] {
    try text.split(separator: ",").map { part in
      guard let size = Double(part), size > 0, size < 1e6 else {
        throw ValidationError("--sizes takes positive numbers with commas between them.")
      }
      return size
    }
  }

  func makeFilter() throws -> CaseFilter {
    do {
      return try CaseFilter(wanted: filter, unwanted: filterNot)
    } catch {
      throw ValidationError("--filter and --filter-not take a regular expression.")
    }
  }
}

/// How often each measurement is repeated.
struct RepetitionOptions: ParsableArguments {
  @Option(help: "The number of iterations of each measurement.")
  var iterations: Int?

  @Option(help: "The number of untimed iterations before (default: 2; with --quick at most 1).")
  var warmupIterations: Int?

  @Option(help: "The seconds that a measurement's iterations may take (default: 0.8; with --quick 0.15).")
  var time: Double?

  @Option(help: "Run no measurement more often than this (default: 101; with --quick 31).")
  var maxIterations: Int?

  @Flag(help: "Run even when built without optimizations.")
  var allowDebugBuild = false

  mutating func validate() throws {
    guard iterations ?? 1 > 0, maxIterations ?? 1 > 0 else {
      throw ValidationError("--iterations and --max-iterations must be positive.")
    }
    guard warmupIterations ?? 0 >= 0 else {
      throw ValidationError("--warmup-iterations cannot be negative.")
    }
    guard time ?? 1 > 0 else { throw ValidationError("--time must be positive.") }
  }

  func plan(quick: Bool) -> IterationPlan {
    var plan = quick ? IterationPlan.quick : .full
    plan.warmupIterations = warmupIterations ?? plan.warmupIterations
    plan.secondsPerCase = time ?? plan.secondsPerCase
    plan.mostIterations = maxIterations ?? plan.mostIterations
    plan.exactIterations = iterations
    return plan
  }
}

/// Where files are read and written.
struct PlaceOptions: ParsableArguments {
  @Option(
    help: "Write the tables, all medians as JSON, and plots as SVG to this folder.", completion: .directory)
  var results: String?

  @Option(
    help: "The folder for the files of save and load (default: .build, else the system's temporary folder).",
    completion: .directory)
  var scratch: String?

  @Option(
    help: "The folder of W8's adk.psf and adk_dims.dcd (default: data or ../shared/data, here or above).",
    completion: .directory)
  var data: String?

  /// The folder in which a folder for this run is made.
  var scratchParent: URL {
    if let scratch { return URL(fileURLWithPath: scratch, isDirectory: true) }
    let build = URL(fileURLWithPath: ".build", isDirectory: true)
    // On many systems the temporary folder is memory, whose speed says nothing about a disk.
    let hasBuild = FileManager.default.fileExists(atPath: build.path)
    return hasBuild ? build : FileManager.default.temporaryDirectory
  }
}
