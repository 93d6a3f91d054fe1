import ArgumentParser
import Foundation

/// Does a small fixed part of the suite once, to be run by a tool that counts instructions and calls.
///
/// `scripts/perf-check.sh` runs it by valgrind.
struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Do a small fixed part of the suite once, for tools that count instructions.",
    discussion: """
      Prints a line for every second call of countedRegion: what it did, and on how many units of the \
      workload. The first of two calls is for what happens once per program; the second does the same.
      """)

  func run() throws {
    // Each by its name: a loop over types would run code that is not specialised for them.
    let regions =
      try regions(RecordsWorkload.self) + regions(NodesWorkload.self) + regions(TreeWorkload.self)
      + regions(ParentsWorkload.self)
    for region in regions {
      try countedRegion(region.work)
      region.clear()
      try countedRegion(region.work)
      print(region.description)
      try region.check()
    }
  }

  /// What is counted, twice: the first time is for what happens once per program.
  private struct Region {
    var description: String
    var work: () throws -> Void
    var check: () throws -> Void
    /// Frees the result, which is not counted.
    var clear: () -> Void
  }

  private func regions<Workload: GraphWorkload>(_ type: Workload.Type) throws -> [Region] {
    let options = WorkloadOptions(
      // About 5,000 elements; their archives are smaller than a block, so only one thread works.
      size: WorkloadSize(factor: 0.05), isDetailed: true, peerShare: 1,
      scratchFolder: FileManager.default.temporaryDirectory)
    let workload = type.init(options)
    let model = try workload.generate()
    let archive = try GraphVariant.none.encode(model)
    let result = Result<Workload.Model>()
    let encoding = Region(description: "\(Workload.id).encode \(workload.unitCount) \(workload.unit)") {
      result.bytes = try GraphVariant.none.encode(model)
    } check: {
      try require(result.bytes == archive)
    } clear: {
      result.bytes = nil
    }
    let decoding = Region(description: "\(Workload.id).decode \(workload.unitCount) \(workload.unit)") {
      result.model = try GraphVariant.none.decode(Workload.Model.self, from: archive)
    } check: {
      try require(result.model.map { Workload.isSame(model, $0) } ?? false)
    } clear: {
      result.model = nil
    }
    return [encoding, decoding]
  }

  /// What the work has made.
  private final class Result<Model> {
    var bytes: [UInt8]?
    var model: Model?
  }
}
