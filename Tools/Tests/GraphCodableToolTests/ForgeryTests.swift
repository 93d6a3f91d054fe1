import Foundation
import Testing

/// Archives whose checksums match, but which were never encoded.
@Suite("forged files")
struct ForgeryTests {
  struct Forged: CustomTestStringConvertible {
    let testDescription: String
    let base64: String
  }

  /// Each ends in an error when its values are read, before it costs memory or time.
  static let senseless = [
    Forged(
      testDescription: "an array that says it has 2^64 - 1 elements",
      base64: "Z2NvZGFibGUBAAAADgAAADYAAAAAAAAAfiyY5cW3c+kq4F/QOqaKEwABAQgIAP//////////"),
    Forged(
      testDescription: "a packed array that says it has more elements than there are bytes",
      base64: "Z2NvZGFibGUBAAAADgAAADYAAAAAAAAAyZUR/cIs37gBtQW+ilqP2wABAQsXAP7+/v7+/v7+"),
  ]

  /// A box that holds a reference to itself.
  static let box = Forged(
    testDescription: "box", base64: "Z2NvZGFibGUBAAAADQAAADUAAAAAAAAAKusv4toPZ9y66OZxY1Ms3AYBAwQBAwMFBAEDBAE="
  )

  /// An array of an object whose class has a name with an escape sequence, the end of a line, and an override of
  /// the direction of writing.
  static let named = Forged(
    testDescription: "name",
    base64:
      "Z2NvZGFibGUBAAAAOwAAAGMAAAAAAAAA+IOUNoCXvEDMB6Qvntmh/A4BAzUxN0dyYXBoQ29kYWJsZVRlc3RzNVByb2JlQx9BG1sySgotIGZha2XigK4BAwkDAQMDCQgEAwED"
  )

  private func folder(with forged: Forged) throws -> Folder {
    let folder = try Folder()
    try folder.write(try #require(Data(base64Encoded: forged.base64)), to: "forged")
    return folder
  }

  @Test(arguments: senseless)
  func senselessArchivesAreMalformed(forged: Forged) async throws {
    let folder = try folder(with: forged)
    for command in ["ls", "dump"] {
      let result = try await Tool.run([command, "forged"], in: folder)
      #expect(result.status == 1)
      #expect(result.diagnostics.hasPrefix("graphcodable: forged: malformed: "))
    }
    let result = try await Tool.run(["verify", "forged"], in: folder)
    #expect(result.output.hasPrefix("forged: malformed: "))
    // The tables make sense.
    #expect(try await Tool.run(["info", "forged"], in: folder).status == 0)
  }

  @Test func boxOfItselfEnds() async throws {
    let folder = try folder(with: Self.box)
    let list = try await Tool.run(["ls", "--recursive", "forged"], in: folder)
    #expect(list.status == 1)
    #expect(list.diagnostics.hasPrefix("graphcodable: forged: malformed: "))
    #expect(try await Tool.run(["dump", "forged"], in: folder).status == 1)
  }

  @Test(arguments: [["info"], ["ls"], ["dump"], ["dump", "--reference-map", "--mangled-names"]])
  func namesStayOnTheirLines(command: [String]) async throws {
    let folder = try folder(with: Self.named)
    let result = try await Tool.run(command + ["forged"], in: folder)
    #expect(result.status == 0)
    #expect(result.output.contains(#"A\u{1B}[2J\n- fake\u{202E}"#))
    #expect(!result.lines.contains { $0.hasPrefix("- fake") })
    #expect(!result.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }
}
