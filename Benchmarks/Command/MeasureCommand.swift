import ArgumentParser
import Foundation

/// Measures times and sizes, and prints them in tables.
struct MeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measure times and sizes. This is what happens without the name of a command.",
    discussion: """
      Every result is checked once before it is timed. Each measurement is the median of at least 7 \
      iterations after a warm-up (3 for what is slow at other sizes or with --quick), run by google/swift-benchmark. The last tables hold GraphCodable's medians and their ratios, and how they \
      grow with the size.

      A measurement's name is WORKLOAD.OPERATION.SUBJECT, such as W1.encode.GraphCodable.none, \
      W4/10.decode.JSON or W2.limit.copy-fresh; --list prints them all.

        W1  structs           W2  shared objects      W3  a tree of subclasses
        W4  large arrays      W5  strings             W6  a tree with weak parents
        W7  a long chain      W8  a molecule          W9  small messages
      """)

  @OptionGroup(title: "What to run") var selection: SelectionOptions
  @OptionGroup(title: "How often") var repetition: RepetitionOptions
  @OptionGroup(title: "Where") var places: PlaceOptions

  @Flag(name: .shortAndLong, help: "Print no progress and no table per workload; only the last table.")
  var quiet = false

  @Flag(help: "Print the names of the chosen measurements and run none.")
  var list = false

  mutating func validate() throws {
    var isDebugBuild = false
    // The argument of `assert` is evaluated in debug builds alone.
    assert(
      {
        isDebugBuild = true
        return true
      }())
    guard !isDebugBuild || list || repetition.allowDebugBuild else {
      throw ValidationError("Build with optimizations (swift run -c release), or pass --allow-debug-build.")
    }
  }

  func run() throws {
    let filter = try selection.makeFilter()
    let scratch = try ScratchFolder(in: places.scratchParent)
    defer { scratch.remove() }
    let workloads = makeWorkloads(
      sizes: selection.sizes, isQuick: selection.quick,
      options: WorkloadOptions(
        size: .standard, isDetailed: true, peerShare: selection.quick ? 0.1 : 1, scratchFolder: scratch.url,
        dataFolder: places.data))
    if list {
      let names = workloads.flatMap { $0.cases() }.map(\.label.name) + memoryCases(workloads).map(\.name)
      for name in names where filter.includes(name) { print(name) }
      return
    }
    let machine = Machine.current
    let reports = try measure(workloads, filter: filter)
    let memory = try measureMemory(workloads, filter: filter)
    guard !(reports.isEmpty && memory.isEmpty) else {
      throw ValidationError("Nothing was measured; --list prints all names.")
    }
    let tables = [
      [machine.summary, machine.loadWarning, missingPeers].compactMap { $0 },
      RatioTable.peers.lines(reports), RatioTable.limits.lines(reports), GrowthTable(reports: reports).lines,
      GrowthRatioTable(reports: reports).lines,
      MemoryTable(measurements: memory).lines, BarTable(reports: reports, memory: memory).lines,
    ]
    let lines = Array(tables.filter { !$0.isEmpty }.joined(separator: [""]))
    for line in lines { print(line) }
    if let results = places.results {
      try ResultFolder(url: URL(fileURLWithPath: results, isDirectory: true))
        .write(lines, JSONReport(machine: machine, reports: reports, memory: memory), reports)
    }
  }

  private func measure(_ workloads: [any Workload], filter: CaseFilter) throws -> [WorkloadReport] {
    let runner = SuiteRunner(plan: repetition.plan(quick: selection.quick), filter: filter) { label in
      if !quiet { Progress.show(label.name) }
    }
    defer { if !quiet { Progress.clear() } }
    return try workloads.compactMap { workload in
      if let obstacle = workload.obstacle {
        if workload.cases().map(\.label).contains(where: filter.includes) {
          print("\(workload.name)  is left out: \(obstacle)\n")
        }
        return nil
      }
      let report = WorkloadReport(workload: workload, measurements: try runner.run(workload))
      guard !report.measurements.isEmpty else { return nil }
      if !quiet {
        Progress.clear()
        print("\(workload.name)  \(workload.title)")
        for line in report.lines { print(line) }
        print()
      }
      return report
    }
  }

  private func measureMemory(_ workloads: [any Workload], filter: CaseFilter) throws -> [MemoryMeasurement] {
    defer { if !quiet { Progress.clear() } }
    return try memoryCases(workloads).filter { filter.includes($0.name) }.map { memoryCase in
      if !quiet { Progress.show(memoryCase.name) }
      return try MemoryMeasurement.measure(memoryCase.operation, of: memoryCase.workload)
    }
  }

  /// What memory is measured of: each workload's main size in memory, and W4 with files.
  private func memoryCases(
    _ workloads: [any Workload]
  ) -> [(name: String, workload: any GraphWorkload, operation: Operation)] {
    guard !selection.quick else { return [] }
    return workloads.filter { $0.options.isDetailed && $0.obstacle == nil }
      .compactMap { $0 as? any GraphWorkload }
      .flatMap { workload in
        let operations: [Operation] =
          workload is FieldsWorkload ? [.encode, .decode, .save, .load] : [.encode, .decode]
        return operations.map { ("\(workload.name).memory.\($0.rawValue)", workload, $0) }
      }
  }
}
