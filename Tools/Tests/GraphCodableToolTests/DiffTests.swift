import Foundation
import GraphCodable
import Simulation
import Testing

@testable import GraphCodableTool

@Suite("diff, stats and repack")
struct DiffTests {
  @Test func theStatusSaysWhetherGraphsAreTheSame() async throws {
    let folder = try Folder()
    var state = Simulation.State()
    state.positions[3] = 1
    try folder.archive("state.gcodable", state)
    state.title = "Another one"
    state.positions[3] = 1.5
    try folder.archive("other.gcodable", state)
    let same = try await Tool.run(["diff", "state.gcodable", "state.gcodable"], in: folder)
    #expect(same.status == 0 && same.output == "" && same.diagnostics == "")
    let other = try await Tool.run(["diff", "state.gcodable", "other.gcodable"], in: folder)
    #expect(other.status == 1)
    #expect(
      other.lines == [
        #"title: "At rest", "Another one""#, "positions[3]: 1.0, 1.5; 1 elements differ, by up to 0.5",
      ])
    let tolerant = try await Tool.run(
      ["diff", "state.gcodable", "other.gcodable", "--absolute", "1"], in: folder)
    #expect(tolerant.lines.count == 1)
    let missing = try await Tool.run(["diff", "state.gcodable", "no.gcodable"], in: folder)
    #expect(missing.status == 2)
    #expect(missing.diagnostics.hasPrefix("graphcodable: no.gcodable: "))
    let json = try await Tool.run(["diff", "state.gcodable", "other.gcodable", "--json"], in: folder)
    #expect(json.status == 1 && json.output.contains(#""differenceCount" : 2"#))
  }

  @Test func entriesOfASeriesAreCompared() async throws {
    let folder = try Folder()
    try folder.series()
    let result = try await Tool.run(
      ["diff", "run.gcodable", "run.gcodable", "--entry", "0", "--second-entry", "1"], in: folder)
    #expect(result.status == 1)
    #expect(result.lines == [#"title: "Entry 0", "Entry 1""#])
  }

  @Test func statsSayWhereTheBytesGo() async throws {
    let folder = try Folder()
    let byteCount = try folder.archive().count
    let result = try await Tool.run(["stats", "state.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines.contains { $0.hasPrefix("  root.positions ") })
    #expect(result.lines.last?.hasSuffix(" of \(grouped(byteCount))") == true)
    let json = try await Tool.run(["stats", "state.gcodable", "--json"], in: folder)
    #expect(json.output.contains(#""name" : "Simulation.Ion""#))
  }

  @Test func repackReplacesTheFile() async throws {
    let folder = try Folder()
    let before = try folder.archive()
    let result = try await Tool.run(["repack", "state.gcodable", "--codec", "none"], in: folder)
    #expect(result.status == 0)
    let after = try folder.bytes(of: "state.gcodable")
    #expect(after.count > before.count)
    #expect(
      result.output == "state.gcodable: \(grouped(after.count)) bytes, \(grouped(before.count)) before\n")
    try GraphArchive(folder.file("state.gcodable")).verify()
    let back = try await Tool.run(["repack", "state.gcodable", "-o", "back.gcodable"], in: folder)
    #expect(back.status == 0)
    #expect(try folder.bytes(of: "back.gcodable") == before)
    let wrong = try await Tool.run(["repack", "state.gcodable", "--precision", "much"], in: folder)
    #expect(wrong.status == 64)
    // An archive has nothing to share.
    let shared = try await Tool.run(["repack", "state.gcodable", "--sharing", "blocks"], in: folder)
    #expect(shared.status == 64 && shared.diagnostics.contains("is for series"))
  }

  @Test func foldersAreVerified() async throws {
    let folder = try Folder()
    let inner = folder.file("a/b")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try folder.archive("a/state.gcodable")
    try folder.series("a/b/run.gcodable")
    try folder.write("text".utf8, to: "a/readme.txt")
    let sound = try await Tool.run(["verify", "a"], in: folder)
    #expect(sound.status == 0)
    #expect(sound.lines == ["a/b/run.gcodable: OK, 3 entries", "a/state.gcodable: OK", "2 files: 2 OK"])
    try folder.damage("a/state.gcodable", at: 20_000)
    let damaged = try await Tool.run(["verify", "a"], in: folder)
    #expect(damaged.status == 1)
    #expect(damaged.lines.last == "2 files: 1 OK, 1 damaged")
    // Files whose first bytes were lost are known by their names.
    try folder.write([], to: "a/begun.gcseries")
    try folder.write(repeatElement(0, count: 100), to: "a/lost.gcodable")
    let named = try await Tool.run(["verify", "a"], in: folder)
    #expect(named.lines.last == "4 files: 2 OK, 2 damaged")
    try FileManager.default.createDirectory(at: folder.file("empty"), withIntermediateDirectories: true)
    #expect(try await Tool.run(["verify", "empty"], in: folder).status == 66)
  }
}
