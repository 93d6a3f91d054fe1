import Foundation
import GraphCodable
import Simulation
import Testing

@testable import GraphCodableTool

@Suite("verify")
struct VerifyTests {
  @Test func soundFilesAreOK() async throws {
    let folder = try Folder()
    let state = Simulation.State()
    try folder.archive()
    try folder.plainArchive("plain.gcodable", of: state)
    try folder.series()
    let result = try await Tool.run(
      ["verify", "state.gcodable", "plain.gcodable", "run.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines == ["state.gcodable: OK", "plain.gcodable: OK", "run.gcodable: OK, 3 entries"])
    #expect(result.diagnostics == "")
  }

  /// Any byte: the tool says what the library says.
  @Test(arguments: [0, 9, 17, 35, 40, 100, 5_000, -1])
  func damageOfAnArchiveIsToldWithCodeAndPlace(offset: Int) async throws {
    let folder = try Folder()
    let count = try folder.archive().count
    try folder.damage("state.gcodable", at: offset < 0 ? count + offset : offset)
    let result = try await Tool.run(["verify", "state.gcodable"], in: folder)
    #expect(result.status == 1)
    #expect(result.diagnostics == "")
    guard offset != 0 else {
      // It is not known any more what it was.
      #expect(
        result.output
          == "state.gcodable: notAnArchive: the file is neither an archive nor a series of archives (byte 0)\n"
      )
      return
    }
    let error = try #require(throws: GCodableError.self) {
      try GraphArchive(folder.file("state.gcodable")).verify()
    }
    #expect(result.lines.first == "state.gcodable: \(error)")
    #expect(result.output.contains("(byte "))
  }

  @Test func archiveThatWasCutIsOfWrongSize() async throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    for count in [1, 8, 39, 40, bytes.count / 2, bytes.count - 1] {
      try folder.write(bytes.prefix(count), to: "cut.gcodable")
      let result = try await Tool.run(["verify", "cut.gcodable"], in: folder)
      #expect(result.status == 1)
      #expect(result.output.hasPrefix(count < 8 ? "cut.gcodable: notAnArchive" : "cut.gcodable: wrongSize"))
    }
  }

  @Test func everyDamageOfASeriesIsTold() async throws {
    let folder = try Folder()
    let series = try folder.series(entryCount: 4)
    // In an archive, in the record of the next one, and in the header of the series.
    let places = [
      Int(series[0].offset) + 1_000, Int(series[1].offset + series[1].storedByteCount) + 100,
      Int(series[3].offset + series[3].storedByteCount) - 1, 1,
    ]
    for place in places { try folder.damage("run.gcodable", at: place) }
    let result = try await Tool.run(["verify", "run.gcodable"], in: folder)
    #expect(result.status == 1)
    let lines = result.lines.filter { !$0.hasPrefix("  ") }
    #expect(lines.count == 4)
    #expect(
      lines[0]
        == "run.gcodable: damaged: the header of the series does not match its checksum (byte 0)")
    #expect(lines[1].hasPrefix("run.gcodable: damaged: the "))
    #expect(lines[1].hasSuffix(" bytes from here on hold no valid entry (byte \(series[1].offset))"))
    #expect(lines[2].hasPrefix("run.gcodable, entry 0: damaged: block 0 of the bulk segment"))
    #expect(lines[3].hasPrefix("run.gcodable, entry 3: damaged: the contents do not match"))
    // Offsets are those of the file.
    let end = series[3].offset + series[3].storedByteCount
    let offset = try #require(lines[3].firstMatch(of: /\(byte (\d+)\)$/)?.1)
    #expect((series[3].offset..<end).contains(try #require(UInt64(offset))))

    let sound = try await Tool.run(["verify", "run.gcodable", "--entry", "2"], in: folder)
    #expect(sound.output == "run.gcodable: OK, 1 entry\n")
    #expect(try await Tool.run(["verify", "run.gcodable", "--entry", "0"], in: folder).status == 1)
    #expect(try await Tool.run(["verify", "run.gcodable", "--entry", "1"], in: folder).status == 1)
  }

  /// An entry that looks as if it were not finished, but has others behind it: seen by reading all of the file.
  @Test func damageThatHidesEntriesIsTold() async throws {
    let folder = try Folder()
    let series = try folder.series(entryCount: 3)
    var bytes = try folder.bytes(of: "run.gcodable")
    let start = Int(series[1].offset)
    for place in start..<(start + 40) { bytes[place] = 0 }
    bytes += Array(repeating: 0, count: 1_000)
    try folder.write(bytes, to: "run.gcodable")
    #expect(try GraphArchiveSeries(folder.file("run.gcodable")).count == 1)
    let result = try await Tool.run(["verify", "run.gcodable"], in: folder)
    #expect(result.status == 1)
    #expect(
      result.output
        == """
        run.gcodable, entry 1: damaged: the archive of entry 1 is not the one that its record was written for \
        (byte \(start))
        run.gcodable: no finished entry in the last 1,000 bytes

        """)
    #expect(try await Tool.run(["dump", "run.gcodable"], in: folder).output.contains("\"Entry 2\""))
  }

  /// They are no damage, but whoever has copied the file wants to know of them.
  @Test func bytesAfterTheLastEntryAreReported() async throws {
    let folder = try Folder()
    let entry = try folder.series()[2]
    let bytes = try folder.bytes(of: "run.gcodable")
    try folder.write(bytes.dropLast(), to: "cut.gcodable")
    let rest = bytes.count - 1 - Int(entry.offset)
    let text = "no finished entry in the last \(grouped(rest)) bytes"
    let cut = try await Tool.run(["verify", "cut.gcodable"], in: folder)
    #expect(cut.status == 0)
    #expect(cut.lines == ["cut.gcodable: OK, 2 entries, \(text)"])
    let json = try await Tool.run(["verify", "--json", "cut.gcodable", "run.gcodable"], in: folder)
    let findings = try JSONDecoder().decode([Finding].self, from: Data(json.output.utf8))
    #expect(findings.map(\.unfinishedBytes) == [rest, nil])
    let information = try await Tool.run(["info", "cut.gcodable"], in: folder)
    #expect(information.status == 0)
    #expect(information.lines.count == 5)
    #expect(information.lines.last == text)
    // One entry alone says nothing of what is behind the last one.
    let single = try await Tool.run(["verify", "cut.gcodable", "--entry", "0"], in: folder)
    #expect(single.lines == ["cut.gcodable: OK, 1 entry"])
    // Beside damage they have a line of their own.
    try folder.damage("cut.gcodable", at: 1_000)
    let damaged = try await Tool.run(["verify", "cut.gcodable"], in: folder)
    #expect(damaged.status == 1)
    #expect(damaged.lines.filter { !$0.hasPrefix("  ") }.count == 2)
    #expect(damaged.lines.last == "cut.gcodable: \(text)")
    try folder.write(bytes.prefix(64) + [0], to: "one")
    #expect(
      try await Tool.run(["verify", "one"], in: folder).lines
        == ["one: OK, 0 entries, no finished entry in the last 1 byte"])
  }

  @Test func filesGoOnAfterOneThatIsDamagedOrMissing() async throws {
    let folder = try Folder()
    try folder.archive("good.gcodable")
    try folder.archive("bad.gcodable")
    try folder.damage("bad.gcodable", at: 500)
    let all = try await Tool.run(["verify", "none", "bad.gcodable", "good.gcodable"], in: folder)
    #expect(all.status == 1)
    #expect(all.lines.count == 3)
    #expect(all.lines[0].hasPrefix("bad.gcodable: damaged: "))
    #expect(all.lines[1].hasPrefix("  block 0 of bulk segment 0 "))
    #expect(all.lines[2] == "good.gcodable: OK")
    #expect(all.diagnostics == "graphcodable: none: No such file or directory\n")
    #expect(try await Tool.run(["verify", "none", "good.gcodable"], in: folder).status == 66)
  }

  @Test func jsonHasAllOfIt() async throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    let entry = try folder.series()[1]
    try folder.damage("run.gcodable", at: Int(entry.offset) + 1_000)
    let result = try await Tool.run(
      ["verify", "--json", "state.gcodable", "run.gcodable", "none"], in: folder)
    #expect(result.status == 1)
    let findings = try JSONDecoder().decode([Finding].self, from: Data(result.output.utf8))
    #expect(findings.map(\.file) == ["state.gcodable", "run.gcodable", "none"])
    #expect(findings.map(\.kind) == ["archive", "series", nil])
    #expect(findings.map(\.ok) == [true, false, false])
    #expect(findings.map(\.entries) == [nil, 3, nil])
    #expect(findings[0].bytes == bytes.count)
    #expect(findings[0].problems.isEmpty)
    #expect(findings[1].problems.map(\.code) == ["damaged"])
    #expect(findings[1].problems[0].entry == 1)
    #expect(findings[1].problems[0].byteOffset ?? 0 >= entry.offset)
    #expect(findings[2].problems.map(\.code) == ["file"])
    #expect(findings[2].problems.map(\.message) == ["No such file or directory"])
  }

  @Test func damagedBlocksAreToldWithWhatLivesInThem() async throws {
    let folder = try Folder()
    try folder.texts("texts.gcodable")
    let block = try folder.damagedBlock(of: "texts.gcodable")
    let result = try await Tool.run(["verify", "texts.gcodable"], in: folder)
    #expect(result.status == 1)
    #expect(
      result.lines.dropFirst() == [
        "  block 1 of the graph stream (byte \(block.lowerBound), \(grouped(block.count)) bytes): root, "
          + "from [10][0] on"
      ])
    let json = try await Tool.run(["verify", "--json", "texts.gcodable"], in: folder)
    let problem = try JSONDecoder().decode([Finding].self, from: Data(json.output.utf8))[0].problems[0]
    #expect(problem.damagedBlocks == 1)
    let found = try #require(problem.damage?.first)
    #expect((found.segment, found.block, found.objects) == ("graph", 1, 0))
    #expect((found.byteOffset, found.bytes) == (UInt64(block.lowerBound), block.count))
    #expect(found.losses.map(\.path) == [""])
    #expect(found.losses.map(\.firstLostPath) == ["[10][0]"])
  }

  private struct Finding: Decodable {
    let file: String
    let kind: String?
    let bytes: Int?
    let entries, unfinishedBytes: Int?
    let ok: Bool
    let problems: [Problem]

    struct Problem: Decodable {
      let code: String
      let message: String
      let byteOffset: UInt64?
      let entry: Int?
      let damage: [Block]?
      let damagedBlocks: Int?
    }

    struct Block: Decodable {
      let segment: String
      let block: Int?
      let byteOffset: UInt64
      let bytes: Int
      let objects: Int?
      let losses: [Loss]

      struct Loss: Decodable { let path, firstLostPath: String? }
    }
  }
}
