import Foundation
import GraphCodable
import Simulation
import Testing

@Suite("serve")
struct ServeTests {
  /// A server that is running, which ends with this.
  ///
  /// `@unchecked`: nothing changes after it has begun.
  private final class Server: @unchecked Sendable {
    let process = Process()
    let input = Pipe()
    let address: String
    let port: Int

    init(_ arguments: [String], in folder: Folder) throws {
      let output = Pipe()
      process.executableURL = Tool.program
      process.arguments = ["serve"] + arguments
      process.currentDirectoryURL = folder.url
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      var text = ""
      while !text.contains("\n") {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        text += String(decoding: more, as: UTF8.self)
      }
      let address = String(text.prefix { $0 != "\n" })
      let match = address.wholeMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\/[0-9a-f]{32}\//)
      port = try #require(match.flatMap { Int($0.1) })
      self.address = address
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
    }

    var path: String { String(address.dropFirst("http://127.0.0.1:\(port)".count)) }

    /// Sends bytes as they are, and gives all that is answered until the connection ends.
    func answer(to request: String, isOpen: Bool = false) throws -> String {
      #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
      #else
        let stream = SOCK_STREAM
      #endif
      let client = socket(AF_INET, stream, 0)
      defer { close(client) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try #require(isConnected)
      _ = Array(request.utf8).withUnsafeBytes { Foundation.send(client, $0.baseAddress, $0.count, 0) }
      if !isOpen { shutdown(client, Int32(SHUT_WR)) }
      var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
      while true {
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return String(decoding: answer, as: Unicode.ASCII.self) }
        answer += buffer[..<count]
      }
    }

    /// The status and the body of an answer to a request with a right host.
    func get(_ target: String, method: String = "GET", _ headers: String...) throws -> (
      status: Int, head: String, body: String
    ) {
      let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
      let answer = try answer(to: lines.map { $0 + "\r\n" }.joined() + "\r\n")
      let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      let status = try #require(answer.firstMatch(of: /^HTTP\/1\.1 ([0-9]{3})/).flatMap { Int($0.1) })
      return (status, String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    func status(_ head: String) throws -> String {
      String(try answer(to: head + "\r\n\r\n").prefix { $0 != "\r" }.dropFirst("HTTP/1.1 ".count).prefix(3))
    }
  }

  @Test func thePageAndRangesOfTheFilesAreThere() throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    try folder.series("run.gcseries")
    let server = try Server(["state.gcodable", "run.gcseries"], in: folder)
    let page = try server.get(server.path)
    #expect(page.status == 200)
    #expect(
      page.body.contains(
        "\"served\":[{\"address\":\"0\",\"bytes\":\(bytes.count),\"name\":\"state.gcodable\"}"))
    #expect(page.body.contains("connect-src 'self';"))
    #expect(page.head.contains("Content-Security-Policy: frame-ancestors 'none'"))
    let whole = try server.get(server.path + "0", method: "HEAD")
    #expect(whole.head.contains("Content-Length: \(bytes.count)") && whole.body.isEmpty)
    #expect(try server.get(server.path + "0").body.utf8.count >= bytes.count)
    let count = bytes.count
    for (range, expected) in [
      ("0-7", "0-7"), ("\(count - 2)-", "\(count - 2)-\(count - 1)"), ("-3", "\(count - 3)-\(count - 1)"),
      ("0-99999999", "0-\(count - 1)"), ("-99999999", "0-\(count - 1)"),
    ] {
      let part = try server.get(server.path + "0", "Range: bytes=\(range)")
      #expect(
        part.status == 206 && part.head.contains("Content-Range: bytes \(expected)/\(count)"), "\(range)")
    }
    #expect(try server.get(server.path + "1", "Range: bytes=0-7").body == "gcseries")
    for range in [
      "\(count)-", "\(count)-\(count + 1)", "-0", "99999999999999999999-", "0-99999999999999999999",
    ] {
      #expect(try server.get(server.path + "0", "Range: bytes=\(range)").status == 416, "\(range)")
    }
    // What is no single range of bytes counts for nothing.
    for range in ["bytes=5-2", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b"] {
      #expect(try server.get(server.path + "0", "Range: \(range)").status == 200, "\(range)")
    }
  }

  @Test func nothingElseIsThere() throws {
    let folder = try Folder()
    try folder.archive()
    try folder.write("secret".utf8, to: "secret")
    let server = try Server(["state.gcodable"], in: folder)
    let (path, token) = (server.path, server.path.dropFirst().dropLast())
    for target in [
      "/", "/\(token)", "//\(token)/", "/\(token)x/", "/\(token.dropLast())/0", "/\(token.uppercased())A/",
      path + "1",
      path + "-1", path + "00", path + "+0", path + "0/", path + "0?x", path + "0%00", path + "%30",
      path + "0#",
      path + "../secret", path + "..%2Fsecret", path + "..\\secret", path + "/etc/passwd",
      path + "state.gcodable",
      path + "18446744073709551616", "/../../../../etc/passwd", "http://127.0.0.1:\(server.port)\(path)", "*",
    ] {
      #expect(try server.get(target).status == 404, "\(target)")
    }
    #expect(try server.get(path + "0").status == 200)
  }

  @Test func onlyOwnHostsAndReadingRequestsAreAnswered() throws {
    let folder = try Folder()
    try folder.archive()
    let server = try Server(["state.gcodable"], in: folder)
    let (path, port) = (server.path, server.port)
    for host in [
      "example.org", "example.org:\(port)", "127.0.0.1", "127.0.0.1:1", "localhost",
      "127.0.0.1:\(port).example.org",
      "127.0.0.2:\(port)", "[::1]:\(port)", "",
    ] {
      #expect(
        try server.status("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close") == "421", "\(host)")
    }
    #expect(
      try server.status("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close") == "200")
    #expect(try server.status("GET \(path) HTTP/1.1\r\nConnection: close") == "421")
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", "PROPFIND"] {
      #expect(try server.get(path, method: method).status == 405, "\(method)")
    }
  }

  @Test func requestsOfAnotherFormAreRefused() throws {
    let folder = try Folder()
    try folder.archive()
    let server = try Server(["state.gcodable"], in: folder)
    let host = "Host: 127.0.0.1:\(server.port)"
    for head in [
      "GET \(server.path)", "GET  \(server.path) HTTP/1.1\r\n\(host)", "GET \(server.path) HTTP/2\r\n\(host)",
      "GET \(server.path) HTTP/1.1\r\n\(host)\r\n\(host)",
      "GET \(server.path) HTTP/1.1\r\n\(host)\r\nContent-Length: 1",
      "GET \(server.path) HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked",
      "GET \(server.path) HTTP/1.1\r\n\(host)\r\n more", "GET \(server.path) HTTP/1.1\r\n\(host)\r\nA B: c",
      "GET \(server.path) HTTP/1.1\r\n\(host)\r\nnothing", "\u{16}\u{3}\u{1}",
    ] {
      #expect(try server.status(head) == "400", "\(head)")
    }
    let long = String(repeating: "a", count: 9_000)
    #expect(try server.status("GET \(server.path) HTTP/1.1\r\n\(host)\r\nA: \(long)") == "431")
    // Two requests on one connection, and the rest of a third one, at which the client leaves.
    let one = "GET \(server.path)0 HTTP/1.1\r\n\(host)\r\nRange: bytes=0-7\r\n\r\n"
    let answers = try server.answer(to: one + one + one.prefix(20))
    #expect(answers.components(separatedBy: "206 Partial Content").count == 3)
  }

  @Test func aSilentClientDoesNotKeepOthersWaiting() throws {
    let folder = try Folder()
    try folder.archive()
    let server = try Server(["state.gcodable"], in: folder)
    let silent = Thread { _ = try? server.answer(to: "GET ", isOpen: true) }
    silent.start()
    for _ in 0..<50 { #expect(try server.get(server.path + "0", "Range: bytes=0-0").status == 206) }
  }

  @Test func aFileThatGrowsAndOneThatIsReplaced() throws {
    let folder = try Folder()
    try folder.series("run.gcseries")
    let before = try folder.bytes(of: "run.gcseries").count
    let server = try Server(["run.gcseries"], in: folder)
    #expect(try server.get(server.path).body.contains("\"bytes\":\(before),"))
    let writer = try GraphArchiveSeries.Writer(folder.file("run.gcseries"))
    try GraphEncoder().append(Simulation.State(), to: writer, step: 300, time: 2)
    let after = try folder.bytes(of: "run.gcseries").count
    #expect(after > before)
    #expect(try server.get(server.path).body.contains("\"bytes\":\(after),"))
    // Another file by the name is not what was named.
    try FileManager.default.removeItem(at: folder.file("run.gcseries"))
    try folder.write("secret".utf8, to: "run.gcseries")
    #expect(try server.get(server.path + "0", "Range: bytes=0-7").body == "gcseries")
  }

  @Test func itEndsWithItsInputAndBySignals() async throws {
    let folder = try Folder()
    try folder.archive()
    for end in [
      { (server: Server) in try server.input.fileHandleForWriting.close() },
      { (server: Server) in _ = kill(server.process.processIdentifier, SIGINT) },
      { (server: Server) in _ = kill(server.process.processIdentifier, SIGHUP) },
    ] {
      let server = try Server(["state.gcodable"], in: folder)
      #expect(server.process.isRunning)
      try end(server)
      for _ in 0..<600 where server.process.isRunning { try await Task.sleep(for: .milliseconds(100)) }
      try #require(!server.process.isRunning)
      #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
    }
  }

  @Test func setsAndFoldersAreTheirArchives() throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    let server = try Server(["checkpoint", "checkpoints"], in: folder)
    let page = try server.get(server.path)
    #expect(page.body.contains("\"name\":\"checkpoint/part-00000-of-00003."))
    #expect(page.body.contains("\"name\":\"checkpoints/part-00000-of-00002."))
    #expect(try server.get(server.path + "0", "Range: bytes=0-7").body == "gcodable")
  }

  @Test func whatIsWrongIsSaid() async throws {
    let folder = try Folder()
    try folder.archive()
    try folder.write("a text that is no archive".utf8, to: "text")
    try FileManager.default.createDirectory(at: folder.file("empty"), withIntermediateDirectories: true)
    for (arguments, status) in [
      ([], 64), (["missing"], 66), (["text"], 1), (["empty"], 66),
      (["https://example.org/state.gcodable"], 66), (["-"], 66),
      (["state.gcodable", "--port", "65536"], 64), (["state.gcodable", "--port", "-1"], 64),
    ] as [([String], Int32)] {
      #expect(try await Tool.run(["serve"] + arguments, in: folder).status == status, "\(arguments)")
    }
    let server = try Server(["state.gcodable"], in: folder)
    let second = try await Tool.run(["serve", "state.gcodable", "--port", "\(server.port)"], in: folder)
    #expect(second.status == 74 && second.diagnostics.contains("cannot listen on port \(server.port)"))
  }
}
