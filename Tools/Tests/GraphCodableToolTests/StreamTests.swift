import Foundation
import GraphCodable
import Testing

@testable import GraphCodableTool

@Suite("streams of messages")
struct StreamTests {
  /// A stream of five messages, three of them in the second frame, which is damaged if that is asked for.
  private func folder(isDamaged: Bool = false) throws -> Folder {
    let folder = try Folder()
    let writer = try GraphMessageWriter(folder.file("run.gclog"))
    for number in 0..<2 { try writer.write([number]) }
    try writer.flush()
    let start = try Data(contentsOf: folder.file("run.gclog")).count
    for number in 2..<5 { try writer.write([number]) }
    try writer.close()
    if isDamaged { try folder.damage("run.gclog", at: start + 34) }
    return folder
  }

  @Test func infoCountsMessagesAndFrames() async throws {
    let result = try await Tool.run(["info", "run.gclog"], in: folder())
    #expect(result.lines.first?.hasPrefix("run.gclog: stream, 5 messages, ") == true)
    #expect(result.lines.dropFirst().first == "messages 0 to 4 in 2 frames")
  }

  @Test func aMessageIsNamedByItsNumber() async throws {
    let folder = try folder()
    let information = try await Tool.run(["info", "run.gclog", "--entry", "3"], in: folder)
    #expect(information.output.hasPrefix("run.gclog, message 3: archive, format version 1"))
    let value = try await Tool.run(["get", "run.gclog", "[0]", "--entry", "3"], in: folder)
    #expect(value.output == "3\n")
    let check = try await Tool.run(["verify", "run.gclog", "--entry", "3"], in: folder)
    #expect(check.output == "run.gclog: OK, 1 message\n")
    let none = try await Tool.run(["verify", "run.gclog", "--entry", "5"], in: folder)
    #expect(none.status == 1)
    #expect(
      none.output == "run.gclog: valueNotFound: the stream has no message 5 that can be read\n",
      "\(none.diagnostics)")
  }

  @Test func lostMessagesAreNamed() async throws {
    let folder = try folder(isDamaged: true)
    let result = try await Tool.run(["verify", "run.gclog"], in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("damaged: the bytes are no frame with its checksum"))
    let dump = try await Tool.run(["dump", "run.gclog"], in: folder)
    #expect(dump.status == 1)
    #expect(dump.lines.filter { $0.hasPrefix("message ") } == ["message 0", "message 1"])
  }

  /// They were passed over, whatever was wrong with them.
  @Test(arguments: ["run.gclog", "events"])
  func streamsInFoldersAreVerified(name: String) async throws {
    let folder = try folder(isDamaged: true)
    try FileManager.default.moveItem(at: folder.file("run.gclog"), to: folder.file("1"))
    try FileManager.default.moveItem(at: folder.file("1"), to: folder.file(name))
    let result = try await Tool.run(["verify", "."], in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("/\(name): damaged"), "\(result.output)")
    #expect(result.lines.last == "1 file: 0 OK, 1 damaged")
  }

  @Test(arguments: [0, 5, 31])
  func aStreamThatWasNotBegunIsOneByItsName(count: Int) async throws {
    let folder = try folder()
    let start = try Data(contentsOf: folder.file("run.gclog")).prefix(count)
    try start.write(to: folder.file("new.gclog"))
    let result = try await Tool.run(["verify", "new.gclog"], in: folder)
    let rest = count == 0 ? "" : ", no finished frame in the last \(count) bytes"
    #expect(result.output == "new.gclog: OK, 0 messages\(rest)\n", "\(result.diagnostics)")
  }
}
