import Foundation
import GraphCodable
import Simulation
import Testing

/// Servers that fail, change their files, or lie.
@Suite("Addresses: errors")
struct RemoteErrorTests {
  typealias Change = @Sendable (Int, TestServer.Request, inout TestServer.Answer) -> Void

  /// The arguments behind the file's name.
  private static let arguments = ["positions[700000..<700003]"]

  /// An archive of some megabytes, and what `get` makes of it.
  private static let sample = Task {
    let folder = try Folder()
    let bytes = try folder.archive("a", .init(particleCount: 800_000))
    #expect(bytes.count > 6_000_000)
    let right = try await Tool.run(["get", "a"] + arguments, in: folder)
    return (bytes, right.output)
  }

  /// Runs `get` for some elements of the archive on a server that does something else.
  ///
  /// - Parameter prepare: changes the file before it is on the server.
  private func get(
    of prepare: (inout TestServer.File) -> Void = { _ in }, change: @escaping Change = { _, _, _ in }
  ) async throws -> (result: Tool.Result, isRight: Bool, server: TestServer) {
    let (bytes, right) = try await Self.sample.value
    var stored = TestServer.File(bytes: bytes)
    prepare(&stored)
    let server = try TestServer(["a": stored], change)
    let result = try await Tool.run(["get", server.address("a")] + Self.arguments, in: Folder())
    return (result, result.status == 0 && result.output == right, server)
  }

  /// What the message of a run says behind the address.
  private func message(_ run: (result: Tool.Result, isRight: Bool, server: TestServer)) -> String {
    #expect(run.result.status == 66)
    let start = "graphcodable: \(run.server.address("a")): "
    #expect(run.result.diagnostics.hasPrefix(start))
    return String(run.result.diagnostics.dropFirst(start.count).dropLast())
  }

  @Test func messagesLeaveOutWhatSignsAnAddress() async throws {
    let server = try TestServer([:])
    let address = server.address("a")
    let signed = address.replacing("http://", with: "http://me:secret@") + "?X-Signature=secret"
    for arguments in [
      ["get", signed, "x"], ["info", "--json", signed], ["verify", "--json", signed],
      ["series", "prune", signed, "--last", "1"],
      ["recover", signed, "-o", "new"],
    ] {
      let run = try await Tool.run(arguments, in: Folder())
      #expect(run.status != 0)
      #expect(!(run.output + run.diagnostics).contains("secret"), "\(run.output) \(run.diagnostics)")
      #expect((run.output + run.diagnostics).replacing("\\/", with: "/").contains("\(address)?…"))
    }
  }

  @Test func anErrorWithoutEndIsCut() async throws {
    let run = try await get(of: { _ in }) { number, _, answer in
      if number == 1 { answer = .init(status: 404, body: Array(repeating: 32, count: 20 << 20)) }
    }
    #expect(message(run) == "there is no such file (404)")
  }

  /// A server that asks for credentials gets none, and is not waited for.
  @Test(
    .timeLimit(.minutes(2)),
    arguments: [(401, "WWW-Authenticate"), (407, "Proxy-Authenticate"), (403, "WWW-Authenticate")])
  func aServerThatWantsAPasswordIsAnError(status: Int, header: String) async throws {
    for challenge in ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Bearer", ""] {
      for place in 0..<2 {
        let run = try await get(of: { _ in }) { number, _, answer in
          guard number >= place else { return }
          answer = .init(status: status, headers: [header: challenge], body: Array("who is there?".utf8))
        }
        #expect(run.result.status == 66)
        #expect(run.result.diagnostics.filter { $0 == "\n" }.count == 1, "\(run.result.diagnostics)")
        #expect(message(run).contains("(\(status))"))
        #expect(run.server.requests.count == place + 1)
      }
    }
  }

  // MARK: What passes

  @Test(arguments: [429, 500, 503, 408]) func aPassingErrorIsTriedAgain(status: Int) async throws {
    let all = try await get()
    #expect(all.isRight)
    for place in 0..<3 {
      let run = try await get(of: { _ in }) { number, _, answer in
        if number == place { answer = .init(status: status, headers: ["Retry-After": "0"]) }
      }
      #expect(run.isRight, "\(run.result.diagnostics)")
      #expect(run.server.requests.count == all.server.requests.count + 1)
    }
  }

  @Test func aLostConnectionIsTriedAgain() async throws {
    for (place, cut) in [(0, -1), (0, 0), (1, 100), (2, -1), (2, 1_000)] {
      let run = try await get(of: { _ in }) { number, _, answer in if number == place { answer.cut = cut } }
      #expect(run.isRight, "\(place), \(cut): \(run.result.diagnostics)")
    }
  }

  @Test func aSlowAnswerIsWaitedFor() async throws {
    let run = try await get(of: { _ in }) { number, _, answer in
      answer.delay = number.isMultiple(of: 2) ? 0.2 : 0
    }
    #expect(run.isRight)
  }

  @Test func noAnswerInTimeIsTriedAgain() async throws {
    let folder = try Folder()
    let server = try TestServer(["a": .init(bytes: folder.archive("a", .init(particleCount: 100)))]) {
      if $0 == 0 { $2.delay = 20 }
    }
    let result = try await Tool.shell(
      "GRAPHCODABLE_TIMEOUT=1 $tool ls \(server.address("a")) title", in: folder)
    #expect(result.output == "title  string  \"At rest\"\n", "\(result.diagnostics)")
    #expect(server.requests.count == 2)
  }

  @Test func aServerThatSendsAByteNowAndThenIsAbandoned() async throws {
    let folder = try Folder()
    let server = try TestServer(["a": .init(bytes: folder.archive("a", .init(particleCount: 100)))]) {
      $2.pause = 0.2
    }
    let result = try await Tool.shell("GRAPHCODABLE_TIMEOUT=1 $tool ls \(server.address("a"))", in: folder)
    #expect(result.status == 66)
    #expect(
      result.diagnostics.hasSuffix("the server sends less than 1 KiB a second\n"), "\(result.diagnostics)")
    #expect(server.requests.count == 1)
  }

  @Test func aServerThatNeverWorksIsAbandoned() async throws {
    let run = try await get(of: { _ in }) { _, _, answer in
      answer = .init(status: 503, headers: ["Retry-After": "0"])
    }
    #expect(message(run) == "the server answers with an error (503)")
    #expect(run.server.requests.count == 5)
  }

  @Test func aRedirectionIsFollowed() async throws {
    let run = try await get(of: { _ in }) { _, request, answer in
      if request.path == "/a" { answer = .init(status: 302, headers: ["Location": "/b"]) }
    }
    #expect(message(run) == "there is no such file (404)")
    let folder = try Folder()
    let file = TestServer.File(bytes: try folder.archive("a", .init(particleCount: 1_000_000)))
    let server = try TestServer(["b": file]) { _, request, answer in
      if request.path == "/a" { answer = .init(status: 307, headers: ["Location": "/b"]) }
    }
    let result = try await Tool.run(["ls", server.address("a")], in: folder)
    #expect(result.lines.count == 6, "\(result.diagnostics)")
    #expect(server.requests.count <= 6)
    #expect(server.requests.allSatisfy { $0.range != nil })
  }

  // MARK: What does not

  @Test(arguments: [
    (404, "there is no such file (404)"), (410, "there is no such file (410)"),
    (403, "access is denied (403)"), (401, "access is denied (401)"),
    (412, "it was replaced while it was read (412)"), (418, "the server answers with an error (418)"),
  ])
  func otherErrorsAreNotTriedAgain(status: Int, text: String) async throws {
    for place in 0..<3 {
      let run = try await get(of: { _ in }) { number, _, answer in
        if number >= place { answer = .init(status: status, body: Array("<html>".utf8)) }
      }
      #expect(message(run) == text)
      if place == 0 { #expect(run.server.requests.count == 1) }
    }
  }

  @Test func aServerThatIsNotThereIsAnError() async throws {
    let folder = try Folder()
    // Nothing listens there any more.
    let address = try TestServer().address("a")
    let result = try await Tool.run(["ls", address], in: folder)
    #expect(result.status == 66)
    #expect(
      result.diagnostics == "graphcodable: \(address): there is no connection to the server\n"
        || result.diagnostics == "graphcodable: \(address): the connection was lost\n")
    let none = try await Tool.run(["ls", "http://"], in: folder)
    #expect(none.diagnostics == "graphcodable: http://: this is no address of a file\n")
  }

  @Test(arguments: ["\"2\"", "W/\"2\"", nil]) func aFileThatIsReplacedIsAnError(tag: String?) async throws {
    // A server that does not look at If-Match.
    let run = try await get(of: { _ in }) { number, _, answer in
      if number > 1 { answer.headers["ETag"] = tag }
    }
    #expect(message(run) == "\(run.server.address("a")) was replaced while it was read")
  }

  @Test func withoutAStrongTagTheTimeOfTheLastChangeCounts() async throws {
    for tag in ["W/\"1\"", nil] {
      let same = try await get(of: { file in
        (file.tag, file.lastModified) = (tag, "Mon, 01 Jan 2024 00:00:00 GMT")
      })
      #expect(same.isRight)
      #expect(same.server.requests.allSatisfy { $0.headers["if-match"] == nil })
      let run = try await get(of: { file in
        (file.tag, file.lastModified) = (tag, "Mon, 01 Jan 2024 00:00:00 GMT")
      }) { number, _, answer in
        if number > 1 { answer.headers["Last-Modified"] = "Tue, 02 Jan 2024 00:00:00 GMT" }
      }
      #expect(message(run).hasSuffix("was replaced while it was read"))
    }
    let nothing = try await get(of: { $0.tag = nil })
    #expect(nothing.isRight)
  }

  @Test func aServerWithoutRangesIsRefusedUnlessTheFileIsSmall() async throws {
    let run = try await get(of: { file in
      file.hasRanges = false
      file.bytes += [UInt8](repeating: 0, count: 3 << 20)
    })
    #expect(message(run).hasPrefix("the server does not send ranges, and the file is too large"))
    #expect(run.server.requests.count == 1)
    let folder = try Folder()
    let bytes = try folder.archive("a", .init(particleCount: 200_000))
    #expect(bytes.count > 1 << 17)
    let server = try TestServer(["a": .init(bytes: bytes, hasRanges: false)])
    let small = try await Tool.run(["verify", server.address("a")], in: folder)
    #expect(small.status == 0, "\(small.diagnostics)")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "bytes 0-0/1", "bytes 5-10/20", "bytes 0-65535/*", "bytes 0-18446744073709551616/18446744073709551617",
    "bytes 0-65535/18446744073709551615", "bytes 0-65535/99999999999999999999999", "bytes 9-3/100",
    "items 0-65535/9000000", "", "bytes 0-65535/65535", "bytes -1-65535/9000000",
  ])
  func aLyingRangeIsAnError(text: String) async throws {
    for place in [0, 2] {
      let run = try await get(of: { _ in }) { number, _, answer in
        if number >= place, answer.status == 206 { answer.headers["Content-Range"] = text }
      }
      #expect(!message(run).isEmpty)
    }
  }

  @Test func aBodyOfAnotherLengthIsAnError() async throws {
    for place in 0..<3 {
      let short = try await get(of: { _ in }) { number, _, answer in
        if number >= place { answer.body.removeLast() }
      }
      #expect(message(short).contains(" bytes"))
      let long = try await get(of: { _ in }) { number, _, answer in
        if number >= place { answer.body.append(0) }
      }
      #expect(message(long) == "the server sends more than it was asked for")
    }
  }

  /// By the system's client, or by this program.
  @Test func whatIsCompressedOnTheWayIsRefused() async throws {
    let run = try await get(of: { _ in }) { _, _, answer in answer.headers["Content-Encoding"] = "br" }
    #expect(!message(run).isEmpty)
    #expect(run.server.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
  }

  @Test func whatIsNoArchiveIsToldSo() async throws {
    let folder = try Folder()
    let server = try TestServer([
      "a": .init(bytes: Array("<html></html>".utf8)), "empty": .init(bytes: []),
    ])
    let page = try await Tool.run(["ls", server.address("a")], in: folder)
    #expect(page.status == 1 && page.diagnostics.contains("neither an archive nor a series of archives"))
    let empty = try await Tool.run(["ls", server.address("empty")], in: folder)
    #expect(empty.status == 1 && empty.diagnostics.contains("the file is empty"))
  }

  @Test func damageIsFoundOnTheWayToo() async throws {
    let run = try await get(of: { _ in }) { number, _, answer in
      if number == 2, !answer.body.isEmpty { answer.body[answer.body.count / 2] ^= 1 }
    }
    #expect(run.result.status == 1)
    #expect(run.result.diagnostics.contains("damaged: "))
  }
}
