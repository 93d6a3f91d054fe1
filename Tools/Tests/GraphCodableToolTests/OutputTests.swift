import Foundation
import Testing

@testable import GraphCodableTool

@Suite("output")
struct OutputTests {
  /// `head` goes after one line of many; whether its writer's parent ignored the signal makes no difference.
  @Test(arguments: ["", "trap '' PIPE; "])
  func readerThatGoesEndsItQuietly(before: String) async throws {
    let folder = try Folder()
    try folder.archive("state.gcodable", .init(particleCount: 10, cellCount: 20_000))
    let result = try await Tool.shell("\(before)\"$tool\" dump state.gcodable | head -n 1", in: folder)
    #expect(result.lines.count == 1)
    #expect(result.diagnostics == "")
    let whole = try await Tool.run(["dump", "state.gcodable"], in: folder)
    #expect(whole.output.utf8.count > 1_000_000)
  }

  @Test func outputThatCannotBeWrittenIsAnError() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let folder = try Folder()
    try folder.archive()
    let result = try await Tool.shell("exec \"$tool\" dump state.gcodable >/dev/full", in: folder)
    #expect(result.status == 74)
    #expect(result.diagnostics == "graphcodable: cannot write the output: No space left on device\n")
    let silent = try await Tool.shell("exec \"$tool\" dump none 2>/dev/full", in: folder)
    #expect(silent.status == 66)
  }

  /// A line on the terminal, which is gone at the end; none where the error output is a file.
  @Test func progressIsForTerminals() async throws {
    let folder = try Folder()
    let count = Int(ProgressLine.minimumByteCount)
    try folder.uncompressed("large.gcodable", byteCount: count)
    try folder.uncompressed("small.gcodable", byteCount: count / 4)
    let file = try await Tool.run(["verify", "large.gcodable"], in: folder)
    #expect(file.output == "large.gcodable: OK\n")
    #expect(file.diagnostics == "")

    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return }
    let terminal = "script -qec '\"$tool\" verify large.gcodable small.gcodable' /dev/null"
    let output = try await Tool.shell(terminal, in: folder).output
    #expect(output.hasPrefix("\r\u{1B}[Klarge.gcodable: 0 % of 67.1 MB"))
    #expect(output.hasSuffix("\r\u{1B}[Klarge.gcodable: OK\r\nsmall.gcodable: OK\r\n"))
  }

  @Test func hiddenCharactersAreEscaped() {
    #expect("a\tb\r\n\u{1B}\u{7F}\u{9B}".visible == "a\\tb\\r\\n\\u{1B}\\u{7F}\\u{9B}")
    #expect("abc\u{202E}cba\u{2066}\u{2028}".visible == "abc\\u{202E}cba\\u{2066}\\u{2028}")
    #expect("größer \\ 👩‍👩‍👧 日本".visible == "größer \\ 👩‍👩‍👧 日本")
    #expect("\ta\u{9B}\tb\r".visibleWithTabs == "\ta\\u{9B}\tb\\r")
    #expect("\u{9B}\u{2028}".visibleJSON == "\\u009b\\u2028")
  }

  @Test func numbersAreEasyToRead() {
    #expect(grouped(0) == "0")
    #expect(grouped(1_234_567) == "1,234,567")
    #expect(grouped(123_456) == "123,456")
    #expect(count(1, "entry", "entries") == "1 entry")
    #expect(decimalSize(999) == "999 bytes")
    #expect(decimalSize(1000) == "1.0 kB")
    #expect(decimalSize(3_250_000_000) == "3.2 GB")
    #expect(decimalSize(.max) == "18.4 EB")
  }
}
