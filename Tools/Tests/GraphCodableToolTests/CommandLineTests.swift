import Testing

@Suite("command line")
struct CommandLineTests {
  @Test func helpNamesTheCommands() async throws {
    let folder = try Folder()
    let result = try await Tool.run(["--help"], in: folder)
    #expect(result.status == 0)
    for command in ["info", "ls", "dump", "verify"] {
      #expect(result.output.contains("\n  \(command) "))
      let help = try await Tool.run([command, "--help"], in: folder)
      #expect(help.status == 0)
      #expect(help.output.contains("USAGE: graphcodable \(command) "))
    }
  }

  @Test(arguments: [
    ["unknown"], ["verify"], ["verify", "--unknown", "x"], ["dump", "a", "b"], ["ls", "a", "b["],
    ["ls", "a", "--limit", "0"], ["ls", "a", "--depth", "0"], ["ls", "a", "--from=-1"],
  ])
  func nonsenseEndsWithTheStatusOfUsage(arguments: [String]) async throws {
    let result = try await Tool.run(arguments, in: Folder())
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.diagnostics.contains("Usage: graphcodable"))
  }
}
