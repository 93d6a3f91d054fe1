import Foundation
import Simulation
import Testing

/// What the documents say of the tool.
@Suite("documents")
struct DocumentTests {
  static let documents = ["Documentation/Tour.md", "Tools/README.md"]

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()  // GraphCodableToolTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()  // Tools
    .deletingLastPathComponent()

  /// The commands that a document shows, each with what it prints.
  @Test(arguments: documents)
  func commandsPrintWhatIsShown(document: String) async throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    let runs = try Self.runs(in: document)
    #expect(!runs.isEmpty)
    for run in runs {
      let command = run.command.replacing("graphcodable ", with: "\"$tool\" ")
      let result = try await Tool.shell("\(command) 2>&1", in: folder)
      #expect(result.output == run.output, "\(run.command)")
    }
  }

  private struct Run {
    let command: String
    var output = ""
  }

  /// Lines that begin with `$ ` in blocks of the language `console`, and the lines behind each.
  private static func runs(in document: String) throws -> [Run] {
    var runs: [Run] = []
    var isConsole = false
    for line in try text(document).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isConsole = line == "```console"
      } else if isConsole, line.hasPrefix("$ ") {
        runs.append(Run(command: String(line.dropFirst(2))))
      } else if isConsole {
        runs[runs.count - 1].output += line + "\n"
      }
    }
    return runs
  }

  private static func text(_ document: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
  }

  /// The tables of keys are those of what is printed: no key is missing, and none is there that does not occur.
  @Test func keysOfJSONAreDocumented() async throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    try folder.texts("texts.gcodable")
    try folder.stream("log.gclog")
    _ = try folder.damagedBlock(of: "texts.gcodable")
    var keys: Set<String> = []
    try folder.rounded("rounded.gcodable")
    try FileManager.default.removeItem(at: folder.file(folder.part(1, of: "checkpoint")))
    let commands = [
      ["info", "checkpoint"], ["info", "checkpoints"], ["info", "checkpoints", "--entry", "1"],
      ["verify", "checkpoint", "checkpoints"],
      ["info", "rounded.gcodable"], ["info", "state.gcodable"], ["info", "run.gcodable"],
      ["info", "run.gcodable", "--entry", "1"], ["info", "log.gclog"],
      ["ls", "-r", "run.gcodable"], ["info", "cut.gcodable"],
      ["verify", "state.gcodable", "run.gcodable", "damaged.gcodable", "texts.gcodable"],
      ["recover", "damaged.gcodable", "-o", "new.gcodable"],
      ["recover", "tables.gcodable", "-o", "new.gcodable"],
      ["diff", "state.gcodable", "moved.gcodable"], ["stats", "run.gcodable"],
      ["stats", "run.gcodable", "positions"], ["stats", "damaged.gcodable", "positions", "--all-entries"],
      ["diff", "state.gcodable", "rounded.gcodable"],
      ["repack", "state.gcodable", "-o", "new.gcodable"],
      ["series", "prune", "run.gcodable", "--last", "2"], ["series", "compact", "run.gcodable"],
    ]
    var state = Simulation.State()
    state.positions[5] = -1
    try folder.archive("moved.gcodable", state)
    try folder.archive("tables.gcodable")
    try folder.damage("tables.gcodable", at: folder.bytes(of: "tables.gcodable").count - 9)
    for command in commands {
      let output = try await Tool.run(command + ["--json"], in: folder).output
      Self.collectKeys(try JSONSerialization.jsonObject(with: Data(output.utf8)), &keys)
    }
    // The user's own.
    keys.subtract(["cells", "ranks"])
    let documented = try Self.text("Tools/README.md").matches(of: /(?m)^\| (`\w+`(?:, `\w+`)*) \|/)
      .flatMap { $0.1.split(separator: ", ").map { String($0.dropFirst().dropLast()) } }
    // That of dictionaries whose keys are neither strings nor integers.
    #expect(keys.union(["key", "unknown"]) == Set(documented))
  }

  /// The manual page is that of these commands: `make manual` writes it anew.
  @Test func theManualPageIsThatOfTheTool() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
    let line = "\"$tool\" --experimental-dump-help | python3 '\(Self.root.path)/scripts/manual.py'"
    let page = try await Tool.shell(line, in: Folder())
    #expect(page.status == 0 && page.diagnostics == "")
    try #expect(page.output == Self.text("Tools/graphcodable.1"))
  }

  private static func collectKeys(_ value: Any, _ keys: inout Set<String>) {
    if let object = value as? [String: Any] {
      keys.formUnion(object.keys)
      for value in object.values { collectKeys(value, &keys) }
    } else if let array = value as? [Any] {
      for value in array { collectKeys(value, &keys) }
    }
  }
}
