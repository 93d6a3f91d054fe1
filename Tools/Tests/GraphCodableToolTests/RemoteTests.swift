import Foundation
import GraphCodable
import Simulation
import Testing

@Suite("Addresses")
struct RemoteTests {
  /// A server with an archive of some megabytes, and a folder with the same one.
  private func largeArchive(
    _ change: @escaping @Sendable (Int, TestServer.Request, inout TestServer.Answer) -> Void = { _, _, _ in }
  ) throws -> (server: TestServer, folder: Folder, byteCount: Int) {
    let folder = try Folder()
    let bytes = try folder.archive("state.gcodable", .init(particleCount: 1_000_000))
    return (try TestServer(["state.gcodable": .init(bytes: bytes)], change), folder, bytes.count)
  }

  @Test(arguments: [
    ["ls"], ["ls", "-r", "--limit", "5"], ["info"], ["dump"], ["stats"], ["verify"], ["info", "--json"],
  ])
  func commandsSayWhatTheySayOfAFile(command: [String]) async throws {
    let (server, folder, _) = try largeArchive()
    let address = server.address("state.gcodable")
    let remote = try await Tool.run(command + [address], in: folder)
    let local = try await Tool.run(command + ["state.gcodable"], in: folder)
    #expect(remote.status == 0, "\(remote.diagnostics)")
    func names(_ text: String) -> String { text.replacing("\\/", with: "/") }
    #expect(names(remote.output) == local.output.replacing("state.gcodable", with: address))
    #expect(remote.diagnostics == "")
  }

  @Test func listingTakesThreeRequests() async throws {
    let (server, folder, _) = try largeArchive()
    let result = try await Tool.run(["ls", server.address("state.gcodable")], in: folder)
    #expect(result.lines.count == 6)
    #expect(server.requests.count <= 3)
    #expect(server.requests.allSatisfy { $0.method == "GET" && $0.range != nil })
    #expect(server.requests.dropFirst().allSatisfy { $0.headers["if-match"] == "\"1\"" })
  }

  @Test func anElementTakesFourRequests() async throws {
    let (server, folder, byteCount) = try largeArchive()
    #expect(byteCount > 7 << 20)
    let path = "positions[700000..<700001]"
    let result = try await Tool.run(["get", server.address("state.gcodable"), path], in: folder)
    try await #expect(result.output == Tool.run(["get", "state.gcodable", path], in: folder).output)
    #expect(server.requests.count <= 4)
    #expect(server.requestedByteCount <= 3 << 20)
  }

  @Test func aSmallFileIsOneRequest() async throws {
    let folder = try Folder()
    let bytes = try folder.archive("a", .init(particleCount: 100))
    let server = try TestServer(["a": .init(bytes: bytes)])
    for command in [["ls", "-r"], ["dump"], ["verify"], ["info"]] {
      let count = server.requests.count
      try await #expect(Tool.run(command + [server.address("a")], in: folder).status == 0)
      #expect(server.requests.count == count + 1)
    }
  }

  @Test(arguments: [GraphArchiveSeries.Writer.Sharing.none, .blocks, .differences(keyInterval: 2)])
  func aSeriesIsThatOfTheFile(sharing: GraphArchiveSeries.Writer.Sharing) async throws {
    let folder = try Folder()
    try folder.series(entryCount: 5, sharing: sharing)
    let server = try TestServer(["run.gcodable": .init(bytes: folder.bytes(of: "run.gcodable"))])
    let address = server.address("run.gcodable")
    for command in [
      ["info"], ["verify"], ["ls"], ["dump", "--entry", "1"], ["ls", "--entry", "0"],
      ["verify", "--entry", "3"],
    ] {
      let (name, rest) = (command[0], Array(command.dropFirst()))
      let remote = try await Tool.run([name, address] + rest, in: folder)
      let local = try await Tool.run([name, "run.gcodable"] + rest, in: folder)
      #expect(remote.status == 0, "\(remote.diagnostics)")
      #expect(remote.output == local.output.replacing("run.gcodable", with: address))
    }
    let extracted = try await Tool.run(
      ["series", "extract", address, "--entry", "2", "-o", "two"], in: folder)
    #expect(extracted.status == 0)
    try #expect(Array(folder.series("again")[2].archive()).count > 0)
    try #expect(
      Array(GraphArchiveSeries(folder.file("run.gcodable"))[2].archive()) == folder.bytes(of: "two"))
    let same = try await Tool.run(["diff", address, "two", "--entry", "2"], in: folder)
    #expect(same.status == 0 && same.output == "")
    let pruned = try await Tool.run(["series", "prune", address, "--last", "2", "-o", "last"], in: folder)
    #expect(pruned.status == 0, "\(pruned.diagnostics)")
    try #expect(GraphArchiveSeries(folder.file("last")).count == 2)
  }

  @Test func addressesOfFilesWork() async throws {
    let folder = try Folder()
    try folder.archive("a b", .init(particleCount: 100))
    let address = folder.file("a b").absoluteString
    #expect(address.hasPrefix("file:///") && address.contains("%20"))
    let result = try await Tool.run(["ls", address], in: folder)
    #expect(result.status == 0)
    try await #expect(result.output == Tool.run(["ls", "a b"], in: folder).output)
  }

  @Test func nothingIsWrittenToAServer() async throws {
    let folder = try Folder()
    try folder.series()
    try folder.archive()
    let server = try TestServer([
      "run": .init(bytes: folder.bytes(of: "run.gcodable")),
      "state": .init(bytes: folder.bytes(of: "state.gcodable")),
    ])
    let (run, state) = (server.address("run"), server.address("state"))
    for arguments in [
      ["series", "append", run, "state.gcodable"], ["series", "compact", run],
      ["series", "prune", run, "--last", "1"], ["series", "extract", "run.gcodable", "-o", state],
      ["series", "concat", "run.gcodable", "-o", run], ["repack", state],
      ["repack", "state.gcodable", "-o", state], ["recover", "state.gcodable", "-o", state],
      ["recover", state, "-o", "new"],
    ] {
      let result = try await Tool.run(arguments, in: folder)
      #expect(result.status == 64, "\(arguments): \(result.diagnostics)")
      #expect(result.diagnostics.contains("http://"))
    }
    #expect(server.requests.allSatisfy { $0.method == "GET" })
    let other = try await Tool.run(["ls", "s3://bucket/key"], in: folder)
    #expect(other.status == 66)
    #expect(other.diagnostics.contains("s3: is not known, but http:, https: and file: are"))
  }
}
