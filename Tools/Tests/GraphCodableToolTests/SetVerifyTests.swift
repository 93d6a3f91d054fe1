import Foundation
import GraphCodable
import Simulation
import Testing

/// `graphcodable verify` on sets, on series of sets, and on folders with some in them.
@Suite("verify sets")
struct SetVerifyTests {
  @Test func soundSetsAreOK() async throws {
    let folder = try Folder()
    try folder.set()
    try folder.setSeries()
    let result = try await Tool.run(["verify", "checkpoint", "checkpoints/"], in: folder)
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(result.lines == ["checkpoint: OK, 3 parts", "checkpoints/: OK, 3 sets"])
    let one = try await Tool.run(["verify", "checkpoints", "--entry", "1"], in: folder)
    #expect(one.lines == ["checkpoints: OK, 1 set"])
  }

  /// Each of them, not the first one alone.
  @Test func everyPartThatIsNotAsItShouldBeIsTold() async throws {
    let folder = try Folder()
    let set = try folder.set(partCount: 6)
    let names = (0..<6).map { set.partURL($0).lastPathComponent }
    let bytes = try folder.bytes(of: "checkpoint/\(names[0])")
    try FileManager.default.removeItem(at: set.partURL(1))
    try folder.write(bytes.dropLast(100), to: "checkpoint/\(names[2])")
    // Of another step, or of another attempt.
    let other = try folder.archive("other", .init())
    #expect(other.count == bytes.count)
    var state = Simulation.State()
    state.title = "At work"
    try folder.write(folder.archive("other", state), to: "checkpoint/\(names[3])")
    try folder.damage("checkpoint/\(names[4])", at: 5_000)

    let result = try await Tool.run(["verify", "checkpoint"], in: folder)
    #expect(result.status == 1 && result.diagnostics == "")
    let lines = result.lines
    #expect(lines.count == 5)
    #expect(lines[0] == "checkpoint, part 1: damaged: \(names[1]) is missing")
    #expect(
      lines[1]
        == "checkpoint, part 2: wrongSize: \(names[2]) should have \(bytes.count) bytes but has "
        + "\(bytes.count - 100) (byte \(bytes.count - 100))")
    #expect(
      lines[2]
        == "checkpoint, part 3: damaged: \(names[3]) is another archive than the one of the set (byte 0)")
    #expect(lines[3].hasPrefix("checkpoint, part 4: damaged: block 0 of the bulk segment "))
    #expect(lines[4].contains("array at positions, elements 0 to 10000"))

    let json = try await Tool.run(["verify", "checkpoint", "--json"], in: folder)
    #expect(json.status == 1)
    let finding = try #require(JSONDecoder().decode([Finding].self, from: Data(json.output.utf8)).first)
    #expect(finding.kind == "set" && finding.parts == 6 && !finding.ok)
    #expect(finding.problems.map(\.part) == [1, 2, 3, 4])
    #expect(finding.problems.map(\.code) == ["damaged", "wrongSize", "damaged", "damaged"])
  }

  @Test func damageOfASeriesIsToldOfEachSet() async throws {
    let folder = try Folder()
    try folder.setSeries()
    // All sets have this file.
    try folder.damage(folder.part(0, of: Folder.set(0)), at: 5_000)
    try FileManager.default.removeItem(at: folder.file(folder.part(1, of: Folder.set(2))))
    let result = try await Tool.run(["verify", "checkpoints"], in: folder)
    #expect(result.status == 1)
    let lines = result.lines.filter { !$0.hasPrefix("  ") }
    #expect(lines.count == 4)
    for number in 0..<3 {
      #expect(lines[number].hasPrefix("checkpoints, entry \(number), part 0: damaged: block 0 of the bulk "))
    }
    #expect(lines[3].hasPrefix("checkpoints, entry 2, part 1: damaged: part-00001-of-00002."))
    #expect(lines[3].hasSuffix(" is missing"))
    let one = try await Tool.run(["verify", "checkpoints", "--entry", "2"], in: folder)
    #expect(one.status == 1)
    #expect(one.lines.filter { !$0.hasPrefix("  ") } == [lines[2], lines[3]])
  }

  @Test func manifestsAndIndexAreChecked() async throws {
    let folder = try Folder()
    try folder.set()
    try folder.setSeries()
    try folder.damage("checkpoint/set.gcodable", at: 20)
    try folder.damage("checkpoints/index.gcodable", at: 20)
    try folder.damage("\(Folder.set(1))/set.gcodable", at: 20)
    let result = try await Tool.run(["verify", "checkpoint", "checkpoints"], in: folder)
    #expect(result.status == 1)
    #expect(result.lines.count == 3)
    #expect(result.lines[0].hasPrefix("checkpoint: damaged: set.gcodable: the header "))
    #expect(result.lines[1].hasSuffix("set-000000000001 has no valid manifest"))
    #expect(result.lines[2].hasPrefix("checkpoints: damaged: index.gcodable: the header "))
  }

  /// The index of a series of sets, as `Format.md` has it.
  private struct Index: GCodable {
    var nextNumber: Int
    var (numbers, steps, times): ([Int], [Int], [Double])
    var (byteCounts, hashes): ([UInt64], [UInt64])
    var (pairCounts, texts): ([Int], [String])

    private enum Key: String { case nextNumber, numbers, steps, times, byteCounts, hashes, pairCounts, texts }

    init(from decoder: GDecoder) throws {
      nextNumber = try decoder.decode(for: Key.nextNumber)
      numbers = try decoder.decode(for: Key.numbers)
      steps = try decoder.decode(for: Key.steps)
      times = try decoder.decode(for: Key.times)
      byteCounts = try decoder.decode(for: Key.byteCounts)
      hashes = try decoder.decode(for: Key.hashes)
      pairCounts = try decoder.decode(for: Key.pairCounts)
      texts = try decoder.decode(for: Key.texts)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(nextNumber, for: Key.nextNumber)
      try encoder.encode(numbers, for: Key.numbers)
      try encoder.encode(steps, for: Key.steps)
      try encoder.encode(times, for: Key.times)
      try encoder.encode(byteCounts, for: Key.byteCounts)
      try encoder.encode(hashes, for: Key.hashes)
      try encoder.encode(pairCounts, for: Key.pairCounts)
      try encoder.encode(texts, for: Key.texts)
    }
  }

  @Test func anIndexThatSaysOtherThingsThanTheManifestsIsDamage() async throws {
    let folder = try Folder()
    try folder.setSeries()
    let url = folder.url.appendingPathComponent("checkpoints/index.gcodable")
    var index = try GraphDecoder().read(Index.self, from: url)
    index.steps[0] += 1
    try GraphEncoder().write(index, to: url)
    let result = try await Tool.run(["verify", "checkpoints"], in: folder)
    #expect(result.status == 1)
    #expect(result.lines.count == 1)
    #expect(
      result.lines[0].contains("the index of the series says other things of the set than its manifest"))
  }

  @Test func setsInFoldersAreFound() async throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      at: folder.file("a/b"), withIntermediateDirectories: true)
    try folder.archive("a/state.gcodable")
    try folder.set("a/b/checkpoint")
    try folder.setSeries("a/checkpoints")
    let sound = try await Tool.run(["verify", "a"], in: folder)
    #expect(sound.status == 0 && sound.diagnostics == "")
    #expect(
      sound.lines == [
        "a/b/checkpoint: OK, 3 parts", "a/checkpoints: OK, 3 sets", "a/state.gcodable: OK",
        "3 files and sets: 3 OK",
      ])
    try folder.damage(folder.part(0, of: "a/b/checkpoint"), at: 5_000)
    let damaged = try await Tool.run(["verify", "a"], in: folder)
    #expect(damaged.status == 1)
    #expect(damaged.lines.last == "3 files and sets: 2 OK, 1 damaged")
  }

  /// They belong to no set: a process was killed, or is still writing.
  @Test func partsWithoutAManifestAreLeftOut() async throws {
    let folder = try Folder()
    try folder.set()
    try folder.setSeries()
    let part = try folder.bytes(of: folder.part(0, of: "checkpoint"))
    try folder.write(part.dropLast(9), to: "checkpoint/part-00000-of-00002.0left.gcodable")
    try FileManager.default.createDirectory(
      at: folder.file(Folder.set(3)), withIntermediateDirectories: false)
    try folder.write(part.dropLast(9), to: "\(Folder.set(3))/part-00000-of-00002.0left.gcodable")
    // Not so an archive that somebody keeps beside them.
    try folder.write(part, to: "checkpoint/mesh.gcodable")
    let result = try await Tool.run(["verify", "checkpoint", "checkpoints"], in: folder)
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(
      result.lines == [
        "checkpoint: OK, 3 parts", "checkpoint/mesh.gcodable: OK", "checkpoints: OK, 3 sets",
        "3 files and sets: 3 OK",
      ])
    // As copies of parts that somebody has made.
    try FileManager.default.removeItem(at: folder.file("checkpoint/set.gcodable"))
    let copies = try await Tool.run(["verify", "checkpoint"], in: folder)
    #expect(copies.status == 1)
    #expect(copies.lines.last == "5 files: 4 OK, 1 damaged")
  }

  @Test func partWithoutPermissionCannotBeRead() async throws {
    // The superuser may read all.
    guard getuid() != 0 else { return }
    let folder = try Folder()
    try folder.set()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.file(folder.part(1, of: "checkpoint")).path)
    let result = try await Tool.run(["verify", "checkpoint"], in: folder)
    #expect(result.status == 66 && result.output == "")
    #expect(result.diagnostics == "graphcodable: checkpoint, part 1: Permission denied\n")
  }

  private struct Finding: Decodable {
    let kind: String?
    let parts: Int?
    let ok: Bool
    let problems: [Problem]

    struct Problem: Decodable {
      let code: String
      let entry, part: Int?
    }
  }
}
