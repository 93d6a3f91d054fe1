import Foundation
import GraphCodable
import Testing

/// Commands that read one file and write another: errors name the one that failed.
@Suite("inputs and outputs")
struct TransferTests {
  /// With `OUT` in place of the output.
  static let commands = [
    "repack state.gcodable -o OUT", "repack run.gcodable -o OUT", "series extract run.gcodable -o OUT",
    "series prune run.gcodable --last 1 -o OUT", "series concat run.gcodable run.gcodable -o OUT",
    "recover run.gcodable -o OUT", "series append OUT state.gcodable",
  ]

  private func folder() throws -> Folder {
    let folder = try Folder()
    try folder.archive()
    try folder.series()
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
    return folder
  }

  @Test(arguments: commands)
  func anOutputThatCannotBeWrittenIsNamed(command: String) async throws {
    let folder = try folder()
    for (output, reason) in [
      ("no/such/x", "No such file or directory"), ("state.gcodable/x", "Not a directory"),
      ("/dev/null", "Not a regular file"), ("pipe", "Not a regular file"), ("/proc/x", nil),
    ] as [(String, String?)] {
      // The last entry of a series is appended where the folder of entries is.
      if command.contains("append"), output == "pipe" || output == "/dev/null" { continue }
      let line = "[ \(output) = pipe ] && mkfifo pipe; exec $tool " + command.replacing("OUT", with: output)
      let result = try await Tool.shell(line, in: folder)
      #expect(result.status == 74, "\(command) \(output): \(result.diagnostics)")
      #expect(result.diagnostics.hasPrefix("graphcodable: \(output): "), "\(result.diagnostics)")
      #expect(result.diagnostics.filter { $0 == "\n" }.count == 1)
      if let reason { #expect(result.diagnostics.hasSuffix(": \(reason)\n"), "\(result.diagnostics)") }
      try? FileManager.default.removeItem(at: folder.file("pipe"))
    }
  }

  /// The limit stands for a full device.
  @Test(
    arguments: commands + ["repack state.gcodable", "repack run.gcodable", "series compact run.gcodable"])
  func aFullDeviceIsTheOutputs(command: String) async throws {
    let folder = try folder()
    let before = try folder.bytes(of: "run.gcodable")
    let name = command.contains("OUT") ? "new" : String(command.split(separator: " ").last ?? "")
    let result = try await Tool.shell(
      "trap '' XFSZ; ulimit -f 16; exec $tool " + command.replacing("OUT", with: "new"), in: folder)
    #expect(result.status == 74, "\(result.diagnostics)")
    #expect(result.diagnostics == "graphcodable: \(name): File too large\n")
    try #expect(folder.bytes(of: "run.gcodable") == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names.filter { $0 != "new" } == ["folder", "run.gcodable", "state.gcodable"])
  }

  @Test(arguments: commands.filter { !$0.contains("recover") })
  func anInputThatCannotBeReadIsNamed(command: String) async throws {
    let folder = try folder()
    for name in ["state.gcodable", "run.gcodable"] {
      try FileManager.default.removeItem(at: folder.file(name))
    }
    let result = try await Tool.shell("exec $tool " + command.replacing("OUT", with: "new"), in: folder)
    let input = command.contains("state") ? "state.gcodable" : "run.gcodable"
    #expect(result.status == 66)
    #expect(result.diagnostics == "graphcodable: \(input): No such file or directory\n")
  }

  @Test(
    arguments: commands.filter {
      !$0.contains("recover") && !$0.contains("prune") && !$0.contains("concat") && !$0.contains("extract")
    })
  func anInputThatIsDamagedIsNamed(command: String) async throws {
    let folder = try folder()
    for name in ["state.gcodable", "run.gcodable"] {
      var bytes = try folder.bytes(of: name)
      for place in stride(from: 3_000, to: bytes.count, by: 10_000) { bytes[place] ^= 1 }
      try folder.write(bytes, to: name)
    }
    let result = try await Tool.shell("exec $tool " + command.replacing("OUT", with: "new"), in: folder)
    let input = command.contains("state") ? "state.gcodable" : "run.gcodable"
    #expect(result.status == 1)
    #expect(result.diagnostics.hasPrefix("graphcodable: \(input): damaged: "), "\(result.diagnostics)")
  }

  @Test(.enabled(if: geteuid() == 0)) func repackingKeepsModeAndOwner() async throws {
    let folder = try folder()
    for name in ["state.gcodable", "run.gcodable"] {
      let line =
        "chown 4711:4712 \(name) && chmod 664 \(name) && $tool repack \(name) && stat -c '%a %u %g' \(name)"
      let result = try await Tool.shell(line, in: folder)
      #expect(result.lines.last == "664 4711 4712", "\(result.diagnostics)")
    }
  }

  @Test func whatALinkAndTwoDotsLeadToIsReplaced() async throws {
    let folder = try folder()
    let line =
      "mkdir -p far/in && ln -s far/in link && cp state.gcodable far/x && $tool repack link/../x --codec none"
      + " && $tool series append link/../s x state.gcodable; $tool series append link/../s state.gcodable;"
      + " $tool verify link/../x link/../s; ls far"
    let result = try await Tool.shell(line, in: folder)
    #expect(result.lines.suffix(5) == ["link/../x: OK", "link/../s: OK, 1 entry", "in", "s", "x"])
  }
}
