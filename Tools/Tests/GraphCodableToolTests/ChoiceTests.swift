import Foundation
import GraphCodable
import Testing

@testable import GraphCodableTool

/// How entries and files are named on the command line, and what a slip is answered with.
@Suite("choices")
struct ChoiceTests {
  @Test(arguments: ["ls", "info", "dump", "stats", "verify", "get", "series extract"])
  func entriesAreChosenByStepAndTime(command: String) async throws {
    let folder = try Folder()
    try folder.series()
    let words = command.split(separator: " ").map(String.init) + ["run.gcodable"]
    let end = command == "get" ? ["title"] : command == "series extract" ? ["-o", "new"] : []
    let wanted = try await Tool.run(words + ["--entry", "1"] + end, in: folder)
    #expect(wanted.status == 0)
    for choice in [["--step", "100"], ["--time", "0.5"], ["--time", "5e-1"]] {
      let result = try await Tool.run(words + choice + end, in: folder)
      #expect(result.status == 0 && result.output == wanted.output, "\(choice): \(result.diagnostics)")
    }
    for (choice, text) in [
      (["--step", "150"], "no entry of step 150, but from step 0 to 200"),
      (["--time", "0.6"], "no entry of time 0.6; the nearest time is 0.5"),
      (["--time", "nan"], "no entry of time nan"), (["--entry", "3"], "no entry 3, but from 0 to 2"),
    ] {
      let result = try await Tool.run(words + choice + end, in: folder)
      #expect(
        result.status == 1 && (result.diagnostics + result.output).contains(text), "\(result.diagnostics)")
    }
    let both = try await Tool.run(words + ["--step", "100", "--entry", "1"] + end, in: folder)
    #expect(both.status == 64)
  }

  @Test func theLastOfSeveralStepsIsMeant() async throws {
    let folder = try Folder()
    let writer = try GraphArchiveSeries.Writer(folder.file("run"))
    for (value, step) in [("a", 1), ("b", 2), ("c", 1)] {
      try GraphEncoder().append(value, to: writer, step: step, time: 0)
    }
    #expect(try await Tool.run(["get", "run", "", "--step", "1"], in: folder).output == "c\n")
    #expect(try await Tool.run(["get", "run", "", "--step=-1"], in: folder).status == 1)
    withExtendedLifetime(writer) {}
  }

  @Test func bothSeriesOfAComparisonAreChosenFrom() async throws {
    let folder = try Folder()
    try folder.series()
    let line = ["diff", "run.gcodable", "run.gcodable", "--step", "0"]
    #expect(try await Tool.run(line + ["--second-time", "0"], in: folder).status == 0)
    #expect(try await Tool.run(line + ["--second-step", "200"], in: folder).status == 1)
    #expect(
      try await Tool.run(line + ["--second-step", "200", "--second-entry", "1"], in: folder).status == 64)
  }

  @Test(arguments: ["cat FILE | $tool", "$tool <FILE"])
  func aMinusIsStandardInput(start: String) async throws {
    let folder = try Folder()
    try folder.archive()
    try folder.series()
    let parts = start.split(separator: "$tool", omittingEmptySubsequences: false).map(String.init)
    func run(_ file: String, _ command: String) async throws -> Tool.Result {
      let line =
        parts[0].replacing("FILE", with: file) + "$tool " + command + parts[1].replacing("FILE", with: file)
      return try await Tool.shell(line, in: folder)
    }
    for file in ["state.gcodable", "run.gcodable"] {
      for command in [
        "info X", "ls X", "get X 'positions[5..<9]'", "dump X", "verify X", "stats X", "diff X FILE",
      ] {
        let words = command.replacing("FILE", with: file)
        let named = try await Tool.shell("$tool " + words.replacing("X", with: file), in: folder)
        let result = try await run(file, words.replacing("X", with: "-"))
        #expect(result.status == 0, "\(command): \(result.diagnostics)")
        #expect(result.output == named.output.replacing("\(file):", with: "-:"), "\(command)")
      }
    }
    #expect(try await run("run.gcodable", "series extract - --step 100 -o new").status == 0)
    #expect(try await run("state.gcodable", "repack - -o new2").status == 0)
    #expect(try await run("state.gcodable", "series append new3 -").status == 0)
    for command in [
      "repack -", "repack state.gcodable -o -", "series append - state.gcodable", "series compact -",
    ] {
      let refused = try await run("state.gcodable", command)
      #expect(
        refused.status == 64 && refused.diagnostics.contains("./-"), "\(command): \(refused.diagnostics)")
    }
    let empty = try await Tool.shell("$tool info - </dev/null", in: folder)
    #expect(empty.status == 1 && empty.diagnostics == "graphcodable: -: notAnArchive: the file is empty\n")
    #expect(try await Tool.shell("$tool info - <.", in: folder).status == 66)
  }

  @Test func slipsAreAnsweredWithWhatMayBeMeant() async throws {
    let folder = try Folder()
    try folder.archive()
    for (words, meant) in [
      (["inof", "x"], "'info'"), (["verfiy"], "'verify'"), (["series", "purne", "x"], "'prune'"),
      (["series", "extrat"], "'extract'"), (["ls", "--limt", "3", "x"], "'--limit'"),
    ] {
      let result = try await Tool.run(words, in: folder)
      #expect(result.status == 64 && result.diagnostics.lowercased().contains("did you mean \(meant)"))
    }
    let unlike = try await Tool.run(["xyzzy"], in: folder)
    #expect(
      unlike.status == 64 && !unlike.diagnostics.contains("mean") && unlike.diagnostics.contains("no command")
    )
    for (path, meant) in [
      ("positons", "'positions'"), ("Positions", "'positions'"), ("species[0].mas", "'mass'"),
      ("cells[0].naem", "'name'"),
    ] {
      for command in ["ls", "get"] {
        let result = try await Tool.run([command, "state.gcodable", path], in: folder)
        #expect(
          result.status == 1 && result.diagnostics.contains("did you mean \(meant)?"), "\(result.diagnostics)"
        )
      }
    }
    let none = try await Tool.run(["ls", "state.gcodable", "temperature"], in: folder)
    #expect(none.status == 1 && !none.diagnostics.contains("mean"))
  }

  @Test func distancesCountSlips() {
    for (one, other, distance) in [
      ("info", "info", 0), ("inof", "info", 1), ("ifo", "info", 1), ("infoo", "info", 1), ("unfo", "info", 1),
      ("INFO", "info", 0), ("ab", "ba", 1), ("abc", "cba", 2), ("", "ab", 2),
    ] {
      #expect(Suggestion.distance(one, other, limit: 9) == distance, "\(one) \(other)")
    }
    #expect(Suggestion.distance("info", "repack", limit: 1) > 1)
    #expect(Suggestion.nearest(to: "x", of: ["y", "ls"]) == nil)
  }

  @Test func theVersionIsPrinted() async throws {
    #expect(try await Tool.run(["--version"], in: Folder()).output == "\(toolVersion)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsNameTheCommands(shell: String) async throws {
    let script = try await Tool.run(["--generate-completion-script", shell], in: Folder())
    #expect(script.status == 0 && ["verify", "prune", "dry-run"].allSatisfy(script.output.contains))
  }
}
