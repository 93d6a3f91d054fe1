import GraphCodable
import Simulation
import Testing

@Suite("dump")
struct DumpTests {
  @Test func archiveIsDumpedAsByTheLibrary() async throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    let result = try await Tool.run(["dump", "state.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.output == (try GraphDecoder().dump(from: bytes)))
    #expect(result.output.contains("REF0002 Simulation.Ion"))
    #expect(result.diagnostics == "")
  }

  @Test func flagsAreTheOptionsOfTheLibrary() async throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    let cases: [([String], GraphDumpOptions)] = [
      (["--help-text", "--no-body"], .showHelp),
      (["--header", "--no-body"], .showHeader),
      (["--codes"], .showBody),
      (["--reference-map"], [.readable, .showReferenceMap]),
      (["--mangled-names", "--no-body"], [.showReferenceMap, .showMangledNamesInReferenceMap]),
    ]
    for (flags, options) in cases {
      let result = try await Tool.run(["dump", "state.gcodable"] + flags, in: folder)
      #expect(result.output == (try GraphDecoder().dump(from: bytes, options: options)), "\(flags)")
    }
  }

  @Test func entryOfASeriesIsChosen() async throws {
    let folder = try Folder()
    try folder.series()
    for (arguments, title) in [
      ([], "Entry 2"), (["--entry", "last"], "Entry 2"), (["--entry", "1"], "Entry 1"),
    ] {
      let result = try await Tool.run(["dump", "run.gcodable"] + arguments, in: folder)
      #expect(result.status == 0)
      #expect(result.output.contains("+ \"title\": BIV \"\(title)\""))
    }
  }

  @Test func nonsenseIsRefused() async throws {
    let folder = try Folder()
    try folder.archive()
    try folder.series()
    let missing = try await Tool.run(["dump", "run.gcodable", "--entry", "3"], in: folder)
    #expect(missing.status == 1)
    let message = "valueNotFound: the series has no entry 3, but from 0 to 2"
    #expect(missing.diagnostics == "graphcodable: run.gcodable: \(message)\n")
    let verified = try await Tool.run(
      ["verify", "run.gcodable", "state.gcodable", "--entry", "3"], in: folder)
    #expect(verified.status == 1)
    #expect(verified.lines == ["run.gcodable: \(message)", "state.gcodable: OK"])
    let single = try await Tool.run(["dump", "state.gcodable", "--entry", "last"], in: folder)
    #expect(single.status == 64)
    #expect(single.diagnostics.contains("state.gcodable: a single archive has no entries"))
    #expect(try await Tool.run(["dump", "run.gcodable", "--entry", "-1"], in: folder).status == 64)
    #expect(try await Tool.run(["dump"], in: folder).status == 64)
  }

  @Test func damageIsAnErrorWithTheNameOfTheEntry() async throws {
    let folder = try Folder()
    let entry = try folder.series()[1]
    // The contents stand at the end of its archive.
    try folder.damage("run.gcodable", at: Int(entry.offset + entry.storedByteCount) - 1)
    let result = try await Tool.run(["dump", "run.gcodable", "--entry", "1"], in: folder)
    #expect(result.status == 1)
    #expect(result.output == "")
    // The place is that in the file, as `verify` tells it.
    let found = try await Tool.run(["verify", "run.gcodable"], in: folder).output
    #expect(found.hasPrefix("run.gcodable, entry 1: damaged: "))
    #expect(result.diagnostics == "graphcodable: \(found)")
    for command in ["info", "ls"] {
      let other = try await Tool.run([command, "run.gcodable", "--entry", "1"], in: folder)
      #expect(other.diagnostics == result.diagnostics)
    }
    #expect(try await Tool.run(["dump", "run.gcodable", "--entry", "2"], in: folder).status == 0)
  }
}
