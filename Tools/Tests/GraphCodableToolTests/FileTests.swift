import Foundation
import GraphCodable
import Testing

/// Files that are not what they should be, for all commands.
@Suite("files")
struct FileTests {
  static let commands = [["info"], ["ls", "--recursive"], ["dump"], ["verify"]]

  @Test(arguments: commands)
  func filesThatCannotBeReadAreErrorsOfTheirOwn(command: [String]) async throws {
    let folder = try Folder()
    let cases = [
      ("no/such", "no/such: No such file or directory"),
      ("", ": No such file or directory"),
      (".", ".: Is a directory"),
      ("/dev/null", "/dev/null: Not a regular file"),
    ]
    for (name, message) in cases {
      let result = try await Tool.run(command + ["--", name], in: folder)
      #expect(result.status == 66)
      #expect(result.output == "")
      #expect(result.diagnostics == "graphcodable: \(message)\n")
    }
    // Nothing writes to it, so waiting for it would never end.
    let pipe = try await Tool.shell("mkfifo pipe && exec \"$tool\" \(command[0]) pipe", in: folder)
    #expect(pipe.status == 66)
    #expect(pipe.diagnostics == "graphcodable: pipe: Not a regular file\n")
  }

  /// No shell has expanded them, so they are the names of files.
  @Test(arguments: commands)
  func tildesAreLettersOfNames(command: [String]) async throws {
    let folder = try Folder()
    for name in ["~", "~root", "~.gcodable"] {
      try folder.archive("state.gcodable", .init(particleCount: 10))
      try FileManager.default.moveItem(
        atPath: folder.file("state.gcodable").path, toPath: "\(folder.url.path)/\(name)")
      let result = try await Tool.run(command + [name], in: folder)
      #expect(result.status == 0)
      #expect(result.diagnostics == "")
    }
  }

  @Test(arguments: commands)
  func fileWithoutPermissionIsToldSo(command: [String]) async throws {
    // The superuser may read all.
    guard getuid() != 0 else { return }
    let folder = try Folder()
    try folder.archive()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.file("state.gcodable").path)
    let result = try await Tool.run(command + ["state.gcodable"], in: folder)
    #expect(result.status == 66)
    #expect(result.diagnostics == "graphcodable: state.gcodable: Permission denied\n")
  }

  @Test(arguments: commands)
  func filesThatAreNoArchiveAreRefused(command: [String]) async throws {
    let folder = try Folder()
    try folder.write([], to: "empty")
    try folder.write("What is this?\n".utf8, to: "text")
    try folder.write(repeatElement(0xFF, count: 100_000), to: "noise")
    // To the library, series not yet begun.
    try folder.write("gc".utf8, to: "start")
    try folder.write("gcseries".utf8, to: "magic")
    try folder.write(repeatElement(0, count: 64), to: "zeros")
    let cases = [
      ("empty", "the file is empty"), ("text", "neither"), ("noise", "neither"), ("start", "has no header"),
      ("magic", "has no header"), ("zeros", "has no header"),
    ]
    for (name, message) in cases {
      let result = try await Tool.run(command + [name], in: folder)
      #expect(result.status == 1)
      let text = result.output + result.diagnostics
      #expect(text.contains("\(name): notAnArchive: "))
      #expect(text.contains(message))
    }
  }

  /// A run that was stopped before its first byte was on the disk has no entries, and is not damaged.
  @Test(arguments: [[], Array("gc".utf8), Array("gcseries".utf8), [UInt8](repeating: 0, count: 64)])
  func seriesThatWasNotBegunHasNoEntries(bytes: [UInt8]) async throws {
    let folder = try Folder()
    try folder.write(bytes, to: "run.gcseries")
    let found = try await Tool.run(["verify", "run.gcseries"], in: folder)
    #expect(found.status == 0 && found.lines == ["run.gcseries: OK, 0 entries"])
    #expect(try await Tool.run(["info", "run.gcseries"], in: folder).status == 0)
    let listed = try await Tool.run(["ls", "run.gcseries"], in: folder)
    #expect(listed.status == 1 && listed.diagnostics.contains("the series has no entries"))
    let server = try TestServer(["run.gcseries": .init(bytes: bytes)])
    #expect(try await Tool.run(["verify", server.address("run.gcseries")], in: folder).status == 0)
    // It may as well be what is left of an archive, or anything else.
    for name in ["run.gcodable", "run"] {
      try folder.write(bytes, to: name)
      #expect(try await Tool.run(["verify", name], in: folder).status == 1)
    }
    try folder.archive("state.gcodable")
    let appended = try await Tool.run(["series", "append", "run.gcseries", "state.gcodable"], in: folder)
    #expect(appended.status == 0)
    let verified = try await Tool.run(["verify", "run.gcseries"], in: folder)
    #expect(verified.lines == ["run.gcseries: OK, 1 entry"])
  }

  /// Of a small archive they are all in what each command reads, but for `info`, which reads tables alone.
  @Test(arguments: commands)
  func changedBytesEndInAnError(command: [String]) async throws {
    let folder = try Folder()
    let bytes = try folder.archive("state.gcodable", .init(particleCount: 100))
    for offset in stride(from: 0, to: bytes.count, by: bytes.count / 25) {
      var changed = bytes
      changed[offset] = ~changed[offset]
      try folder.write(changed, to: "changed")
      let result = try await Tool.run(command + ["changed"], in: folder)
      #expect(result.status == 1 || command == ["info"] && result.status == 0, "\(offset)")
      #expect(result.status == 0 || (result.output + result.diagnostics).contains("changed: "))
    }
  }

  @Test func namesInMessagesCannotMoveTheCursor() async throws {
    let folder = try Folder()
    try folder.write([1], to: "a\u{1B}[2J\nb")
    let result = try await Tool.run(["dump", "a\u{1B}[2J\nb"], in: folder)
    #expect(result.diagnostics.hasPrefix("graphcodable: a\\u{1B}[2J\\nb: notAnArchive"))
    let found = try await Tool.run(["verify", "a\u{1B}[2J\nb"], in: folder)
    #expect(found.lines.count == 1)
    #expect(found.output.hasPrefix("a\\u{1B}[2J\\nb: notAnArchive"))
  }
}
