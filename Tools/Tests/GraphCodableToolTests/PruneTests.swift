import Foundation
import GraphCodable
import Testing

/// `graphcodable series prune`: what it removes, and what it refuses to.
@Suite("prune")
struct PruneTests {
  private func steps(_ name: String, _ folder: Folder) throws -> [Int] {
    try GraphArchiveSeries(folder.file(name)).map(\.step)
  }

  @Test(arguments: [
    ["--steps", "50..20"], ["--times", "2..1"], ["--times", "nan.."], ["--times", "0..nan"],
    ["--every", "0"],
    ["--last", "-1"],
  ])
  func boundsWithNothingBetweenThemAreRefused(options: [String]) async throws {
    let folder = try Folder()
    try folder.series()
    for more in [[], ["--all"]] {
      let result = try await Tool.run(
        ["series", "prune", "run.gcodable"] + options.dropLast() + [options[1]] + more, in: folder)
      #expect(result.status == 64 && result.output == "", "\(result.output)")
    }
    try #expect(steps("run.gcodable", folder).count == 3)
  }

  @Test(arguments: [
    ["--steps", "1000.."], ["--last", "0"], ["--times", "7..8"], ["--steps", "20..50"],
    ["--every", "2", "--last", "0"],
  ])
  func removingAllEntriesNeedsAWord(options: [String]) async throws {
    let folder = try Folder()
    try folder.series()
    try folder.setSeries()
    for (name, what) in [("run.gcodable", "3 entries"), ("checkpoints", "3 sets")] {
      let before = try await Tool.run(["info", name], in: folder).output
      for more in name == "checkpoints" ? [[]] : [[], ["-o", "new"]] {
        let refused = try await Tool.run(["series", "prune", name] + options + more, in: folder)
        #expect(refused.status == 64 && refused.output == "")
        #expect(
          refused.diagnostics
            == "graphcodable: \(name): this would remove all \(what); see --all if that is meant\n")
      }
      #expect(try await Tool.run(["info", name], in: folder).output == before)
      let done = try await Tool.run(["series", "prune", name, "--all"] + options, in: folder)
      #expect(done.status == 0 && done.lines.first?.contains("removes entries 0 to 2") == true)
      #expect(done.lines.last?.contains(": 0 ") == true)
    }
    // Nothing is there any more that could be removed.
    let empty = try await Tool.run(["series", "prune", "run.gcodable"] + options, in: folder)
    #expect(empty.status == 0 && empty.lines.count == 1)
  }

  @Test func whatIsRemovedIsSaidBefore() async throws {
    let folder = try Folder()
    try folder.series(entryCount: 6)
    let options = ["series", "prune", "run.gcodable", "--steps", "200..", "--every", "2"]
    let dry = try await Tool.run(options + ["--dry-run"], in: folder)
    #expect(
      dry.lines == [
        "run.gcodable: would remove entries 0 to 1, steps 0 to 100, times 0 to 0.5",
        "run.gcodable: would remove entry 3, step 300, time 1.5",
        "run.gcodable: would remove entry 5, step 500, time 2.5",
      ])
    try #expect(steps("run.gcodable", folder).count == 6)
    let report = try await Tool.run(options + ["--dry-run", "--json"], in: folder).output
    let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    #expect(object?["removed"] as? [Int] == [0, 1, 3, 5] && object?["entries"] as? Int == 6)
    // Also where it cannot be done.
    let writer = try GraphArchiveSeries.Writer(folder.file("run.gcodable"))
    let locked = try await Tool.run(options, in: folder)
    #expect(locked.status == 1 && locked.lines.count == 3 && locked.diagnostics.contains("another writer"))
    withExtendedLifetime(writer) {}
  }

  @Test func aLongListIsCut() async throws {
    let folder = try Folder()
    let writer = try GraphArchiveSeries.Writer(folder.file("long"))
    for step in 0..<100 { try GraphEncoder().append(step, to: writer, step: step, time: 0) }
    let result = try await Tool.run(["series", "prune", "long", "--every", "2", "-o", "new"], in: folder)
    #expect(result.lines.count == 22)
    #expect(result.lines[20] == "long: leaves out 30 more entries")
    withExtendedLifetime(writer) {}
  }
}
