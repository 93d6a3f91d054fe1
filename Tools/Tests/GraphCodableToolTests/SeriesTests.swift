import Foundation
import GraphCodable
import Simulation
import Testing

/// `graphcodable series`: what it leaves of entries, and what it joins.
@Suite("series") struct SeriesTests {
  private func run(_ arguments: [String], _ folder: Folder) async throws -> String {
    let result = try await Tool.run(["series"] + arguments, in: folder)
    #expect(result.diagnostics == "" && result.status == 0)
    return result.output
  }

  private func steps(_ name: String, _ folder: Folder) throws -> [Int] {
    let series = try GraphArchiveSeries(folder.file(name))
    try GraphDecoder().verify(series)
    return series.map(\.step)
  }

  @Test func archivesAreAppendedAsTheyAre() async throws {
    let folder = try Folder()
    let archive = try folder.archive()
    try folder.series()
    let output = try await run(["append", "run.gcodable", "state.gcodable", "state.gcodable"], folder)
    #expect(output.hasPrefix("run.gcodable: 5 entries in "))
    try #expect(steps("run.gcodable", folder) == [0, 100, 200, 201, 202])
    let last = try #require(GraphArchiveSeries(folder.file("run.gcodable")).last)
    try #expect(Array(last.archive()) == archive)
    #expect(last.time == 1)
    // The last entry of a series, into a new one.
    _ = try await run(["append", "new.gcodable", "run.gcodable", "--step", "7", "--time", "0.25"], folder)
    let only = try #require(GraphArchiveSeries(folder.file("new.gcodable")).first)
    #expect(only.step == 7 && only.time == 0.25)
    try #expect(Array(only.archive()) == archive)
  }

  @Test func damagedArchivesAreNotAppended() async throws {
    let folder = try Folder()
    try folder.archive()
    try folder.series()
    try folder.damage("state.gcodable", at: 5_000)
    let result = try await Tool.run(["series", "append", "run.gcodable", "state.gcodable"], in: folder)
    #expect(result.status == 1)
    #expect(result.diagnostics.hasPrefix("graphcodable: state.gcodable: damaged"))
    try #expect(steps("run.gcodable", folder) == [0, 100, 200])
  }

  @Test func entriesAreChosenByAllOptions() async throws {
    let folder = try Folder()
    for (options, left) in [
      (["--every", "2"], [0, 200, 400]), (["--last", "2"], [300, 400]),
      (["--steps", "100..300"], [100, 200, 300]), (["--times", "1.."], [200, 300, 400]),
      (["--steps", "100..", "--every", "2", "--last", "1"], [300]),
    ] {
      try folder.series(entryCount: 5, sharing: .blocks)
      _ = try await run(["prune", "run.gcodable", "-o", "new.gcodable"] + options, folder)
      try #expect(steps("new.gcodable", folder) == left)
      try #expect(steps("run.gcodable", folder).count == 5)
      _ = try await run(["prune", "run.gcodable"] + options, folder)
      try #expect(steps("run.gcodable", folder) == left)
      try FileManager.default.removeItem(at: folder.file("run.gcodable"))
    }
    let result = try await Tool.run(["series", "prune", "run.gcodable"], in: folder)
    #expect(result.status == 64)
  }

  @Test func entriesAreTakenOutAndSeriesJoined() async throws {
    let folder = try Folder()
    let series = try folder.series(sharing: .blocks)
    _ = try await run(["extract", "run.gcodable", "--entry", "1", "-o", "one.gcodable"], folder)
    try #expect(folder.bytes(of: "one.gcodable") == Array(series[1].archive()))
    _ = try await run(["concat", "run.gcodable", "run.gcodable", "-o", "both.gcodable"], folder)
    try #expect(steps("both.gcodable", folder) == [0, 100, 200, 0, 100, 200])
    _ = try await run(["compact", "both.gcodable"], folder)
    try #expect(steps("both.gcodable", folder) == [0, 100, 200, 0, 100, 200])
  }
}
