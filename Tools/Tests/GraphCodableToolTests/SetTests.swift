import Foundation
import GraphCodable
import Simulation
import Testing

@testable import GraphCodableTool

/// What commands say of sets and of series of sets, which are folders.
@Suite("sets")
struct SetTests {
  @Test func setIsDescribed() async throws {
    let folder = try Folder()
    let set = try folder.set()
    let result = try await Tool.run(["info", "checkpoint"], in: folder)
    #expect(result.status == 0 && result.diagnostics == "")
    let name = try folder.part(1, of: "checkpoint").dropFirst("checkpoint/".count)
    let size = try folder.bytes(of: folder.part(1, of: "checkpoint")).count
    #expect(
      result.lines.prefix(8) == [
        "checkpoint: set, 3 parts, \(grouped(set.byteCount)) bytes", "step      100", "time      0.5",
        "metadata  ranks=3", "arrays", "  positions   float64  30,000  3 pieces",
        "  velocities  float64  30,000  3 pieces", "parts",
      ])
    #expect(result.lines.count == 11)
    #expect(result.lines[9] == "  \(grouped(size)) bytes  \(name)")
  }

  @Test func jsonOfASetHasAllOfIt() async throws {
    let folder = try Folder()
    let set = try folder.set()
    let found: Information = try await json(["info", "checkpoint"], folder)
    #expect(found.kind == "set" && found.file == "checkpoint")
    #expect(found.step == 100 && found.time == 0.5 && found.metadata == ["ranks": "3"])
    #expect(found.bytes == set.byteCount && found.entry == nil)
    #expect(found.parts.map(\.name) == (0..<3).map { set.partURL($0).lastPathComponent })
    #expect(found.parts.reduce(0) { $0 + $1.bytes } == set.byteCount)
    #expect(found.arrays.map(\.name) == ["positions", "velocities"])
    #expect(found.arrays.map(\.formats) == [["float64"], ["float64"]])
    #expect(found.arrays.map(\.shape) == [[30_000], [30_000]])
    #expect(found.arrays.map(\.pieces) == [3, 3])
  }

  /// The manifest says all but the type of the elements.
  @Test func setWithoutItsPartsIsDescribed() async throws {
    let folder = try Folder()
    try folder.set()
    try FileManager.default.removeItem(at: folder.file(folder.part(0, of: "checkpoint")))
    let result = try await Tool.run(["info", "checkpoint"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines[5] == "  positions   30,000  3 pieces")
    let found: Information = try await json(["info", "checkpoint"], folder)
    #expect(found.parts.count == 3)
    #expect(found.arrays.map(\.formats) == [nil, nil])
  }

  @Test func setsOfASeriesAreListed() async throws {
    let folder = try Folder()
    let series = try folder.setSeries()
    let result = try await Tool.run(["info", "checkpoints/"], in: folder)
    let sizes = series.map { grouped($0.byteCount) }
    let total = grouped(series.reduce(0) { $0 + $1.byteCount })
    #expect(
      result.lines == [
        "checkpoints/: series of sets, 3 sets, \(total) bytes", "entry  step  time    bytes  metadata",
        "    0     0     0  \(sizes[0])  ranks=2", "    1   100   0.5  \(sizes[1])  ranks=2",
        "    2   200     1  \(sizes[2])  ranks=2",
      ])
    let listed: SeriesInformation = try await json(["info", "checkpoints"], folder)
    #expect(listed.kind == "setSeries" && listed.damage.isEmpty)
    #expect(listed.entries.map(\.number) == [0, 1, 2])
    #expect(listed.entries.map(\.bytes) == series.map(\.byteCount))

    let one = try await Tool.run(["info", "checkpoints", "--entry", "1"], in: folder)
    #expect(one.lines[0] == "checkpoints, entry 1: set, 2 parts, \(sizes[1]) bytes")
    let last: Information = try await json(["info", "checkpoints", "--entry", "last"], folder)
    #expect(last.entry?.number == 2 && last.step == 200)
    let none = try await Tool.run(["info", "checkpoints", "--entry", "3"], in: folder)
    #expect(none.status == 1 && none.diagnostics.contains("from 0 to 2"))
  }

  @Test func damageOfTheListIsTold() async throws {
    let folder = try Folder()
    try folder.setSeries()
    try folder.damage("\(Folder.set(1))/set.gcodable", at: 20)
    try FileManager.default.removeItem(at: folder.file(Folder.set(0)))
    // Whether the index knows it or not.
    for _ in 0..<2 {
      let result = try await Tool.run(["verify", "checkpoints"], in: folder)
      #expect(result.status == 1)
      let listed: SeriesInformation = try await json(["info", "checkpoints"], folder)
      #expect(!listed.damage.isEmpty && listed.damage.allSatisfy { $0.code == "damaged" })
      try? FileManager.default.removeItem(at: folder.file("checkpoints/index.gcodable"))
    }
  }

  /// None of them is "a directory", and what helps is said.
  @Test(arguments: [
    ["ls"], ["get"], ["dump"], ["stats"], ["repack"], ["recover"], ["diff"], ["series", "append"],
  ])
  func commandsForArchivesNameAPart(command: [String]) async throws {
    let folder = try Folder()
    try folder.archive()
    try folder.set()
    try folder.setSeries()
    let rest =
      switch command[0] {
      case "get": ["positions"]
      case "recover": ["-o", "new"]
      case "diff": ["state.gcodable"]
      default: [String]()
      }
    let target = command[0] == "series" ? ["new.gcodable"] : []
    let status: Int32 = command[0] == "diff" ? 2 : 64
    let part = try folder.part(0, of: "checkpoint")
    for name in ["checkpoint", "checkpoint/"] {
      let set = try await Tool.run(command + target + [name] + rest, in: folder)
      #expect(set.status == status && set.output == "")
      #expect(set.diagnostics == "graphcodable: \(name): a set of 3 archives; name one, as \(part)\n")
    }
    let series = try await Tool.run(command + target + ["checkpoints"] + rest, in: folder)
    #expect(series.status == status && series.output == "")
    let last = try folder.part(0, of: Folder.set(2))
    #expect(
      series.diagnostics
        == "graphcodable: checkpoints: a series of sets; name an archive of one of them, as \(last)\n")
  }

  @Test func chosenSetIsTheOneWhosePartIsNamed() async throws {
    let folder = try Folder()
    try folder.setSeries()
    let part = try folder.part(0, of: Folder.set(1))
    let result = try await Tool.run(["ls", "checkpoints", "--entry", "1"], in: folder)
    #expect(result.status == 64 && result.diagnostics.hasSuffix(" as \(part)\n"))
    #expect(try await Tool.run(["ls", part], in: folder).lines.count == 6)
    try folder.set()
    let single = try await Tool.run(["info", "checkpoint", "--entry", "0"], in: folder)
    #expect(single.status == 64 && single.diagnostics.contains("a single set has no entries"))
  }

  /// They would make a series of archives in the folder.
  @Test(arguments: ["checkpoint", "checkpoints"])
  func noArchiveIsAppendedToASet(name: String) async throws {
    let folder = try Folder()
    try folder.archive()
    try folder.set()
    try folder.setSeries()
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file(name).path).sorted()
    for arguments in [
      ["append", name, "state.gcodable"], ["compact", name], ["concat", name, "-o", "new"],
      ["extract", name, "-o", "new"],
    ] {
      let result = try await Tool.run(["series"] + arguments, in: folder)
      #expect(result.status == 64 && result.diagnostics.hasPrefix("graphcodable: \(name): a se"))
    }
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.file(name).path).sorted()
    #expect(left == names)
  }

  /// The set would be damaged.
  @Test func partIsNotRepackedInItsPlace() async throws {
    let folder = try Folder()
    try folder.set()
    let part = try folder.part(1, of: "checkpoint")
    for target in [[], ["-o", "checkpoint/../\(part)"]] {
      let result = try await Tool.run(["repack", part] + target, in: folder)
      #expect(result.status == 64 && result.diagnostics.contains("a part of a set"))
    }
    #expect(try await Tool.run(["repack", part, "-o", "new"], in: folder).status == 0)
    try GraphArchiveSet(folder.file("checkpoint")).verify()
  }

  @Test func setsAreRemovedAsEntriesAre() async throws {
    let folder = try Folder()
    for (options, left) in [
      (["--every", "2"], [0, 200, 400]), (["--last", "2"], [300, 400]),
      (["--steps", "100..", "--every", "2", "--last", "1"], [300]), (["--times", "1.."], [200, 300, 400]),
    ] {
      try folder.setSeries(setCount: 5)
      let result = try await Tool.run(["series", "prune", "checkpoints"] + options, in: folder)
      #expect(result.status == 0 && result.diagnostics == "")
      #expect(result.lines.last?.hasPrefix("checkpoints: \(left.count) set") == true)
      let series = try GraphArchiveSetSeries(folder.file("checkpoints"))
      #expect(series.map(\.step) == left && series.damage.isEmpty)
      for entry in series { try GraphArchiveSet(entry).verify() }
      try FileManager.default.removeItem(at: folder.file("checkpoints"))
    }
    try folder.setSeries()
    let elsewhere = try await Tool.run(
      ["series", "prune", "checkpoints", "--last", "1", "-o", "new"], in: folder)
    #expect(elsewhere.status == 64 && elsewhere.diagnostics.contains("without -o"))
    let writer = try GraphArchiveSetSeries.Writer(folder.file("checkpoints"))
    let locked = try await Tool.run(["series", "prune", "checkpoints", "--last", "1"], in: folder)
    #expect(locked.status == 1 && locked.diagnostics.contains("locked"))
    #expect(writer.series.count == 3)
  }

  private func json<Value: Decodable>(_ command: [String], _ folder: Folder) async throws -> Value {
    let result = try await Tool.run(command + ["--json"], in: folder)
    return try JSONDecoder().decode(Value.self, from: Data(result.output.utf8))
  }

  private struct Information: Decodable {
    let file, kind: String
    let entry: Entry?
    let step: Int
    let time: Double
    let metadata: [String: String]
    let bytes: UInt64
    let parts: [Part]
    let arrays: [Array]

    struct Part: Decodable {
      let name: String
      let bytes: UInt64
    }

    struct Array: Decodable {
      let name: String
      let shape: [Int]
      let pieces: Int
      let formats: [String]?
    }
  }

  private struct Entry: Decodable {
    let number: Int
    let bytes: UInt64
  }

  private struct SeriesInformation: Decodable {
    let kind: String
    let entries: [Entry]
    let damage: [Damage]

    struct Damage: Decodable { let code: String }
  }
}
