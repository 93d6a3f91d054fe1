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

  @Test func foldersAreSeries() async throws {
    let folder = try Folder()
    do {
      let writer = try GraphArchiveSeries.Writer(folder: folder.file("run"))
      for step in 0..<4 {
        try GraphEncoder().append(Simulation.State(), to: writer, step: 10 * step, time: Double(step))
      }
    }
    for (command, text) in [
      (["info", "run"], "4 entries"), (["ls", "run"], "positions"), (["dump", "run"], "At rest"),
      (["verify", "run"], "OK"), (["stats", "run", "--entry", "1"], "positions"),
    ] {
      let result = try await Tool.run(command, in: folder)
      #expect(result.status == 0 && result.diagnostics == "", "\(command)")
      #expect(result.output.contains(text), "\(command): \(result.output)")
    }
    let pruned = try await run(["prune", "run", "--steps", "20.."], folder)
    #expect(pruned.contains("\nrun: 2 entries"))
    try #expect(GraphArchiveSeries(folder: folder.file("run")).map(\.step) == [20, 30])
    let refused = try await Tool.run(["repack", "run"], in: folder)
    #expect(refused.status == 64 && refused.diagnostics.contains("-o"))
    #expect(try await Tool.run(["repack", "run", "-o", "file"], in: folder).status == 0)
    try #expect(steps("file", folder) == [20, 30])
    try FileManager.default.createDirectory(at: folder.file("empty"), withIntermediateDirectories: false)
    let empty = try await Tool.run(["ls", "empty"], in: folder)
    #expect(empty.status == 66 && empty.diagnostics.contains("Is a directory"))
    // All is lost but the index.
    for entry in try GraphArchiveSeries(folder: folder.file("run")) {
      try FileManager.default.removeItem(at: #require(entry.url))
    }
    let lost = try await Tool.run(["verify", "run"], in: folder)
    #expect(lost.status == 1 && lost.output.contains("entry 2, is gone"), "\(lost)")
  }

  @Test func seriesAreRepackedWithOtherSharing() async throws {
    let folder = try Folder()
    var sizes: [String: UInt64] = [:]
    for sharing in ["none", "differences", "blocks"] {
      try folder.series(sharing, sharing: .blocks)
      let options =
        ["--sharing", sharing, "--codec", "lz4hc"]
        + (sharing == "differences" ? ["--key-interval", "2"] : [])
      let result = try await Tool.run(["repack", sharing] + options, in: folder)
      #expect(result.status == 0 && result.diagnostics == "")
      try #expect(steps(sharing, folder) == [0, 100, 200])
      sizes[sharing] = try GraphArchiveSeries(folder.file(sharing)).byteCount
    }
    #expect(try #require(sizes["blocks"]) * 2 < #require(sizes["none"]))
    for options in [["--key-interval", "0"], ["--key-interval", "2"], ["--sharing", "all"]] {
      #expect(try await Tool.run(["repack", "blocks"] + options, in: folder).status == 64)
    }
  }

  @Test func aSeriesThatSomebodyHasIsNotRepackedInPlace() async throws {
    let folder = try Folder()
    try folder.series("run", sharing: .blocks)
    let writer = try GraphArchiveSeries.Writer(folder.file("run"))
    for options in [[], ["-o", "run"], ["-o", "./run"]] {
      let result = try await Tool.run(["repack", "run"] + options, in: folder)
      #expect(result.status == 1 && result.diagnostics.contains("locked"), "\(options)")
    }
    withExtendedLifetime(writer) {}
    #expect(try await Tool.run(["repack", "run", "-o", "other"], in: folder).status == 0)
  }
}
