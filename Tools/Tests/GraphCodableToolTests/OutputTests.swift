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
    let terminal = "script -qec 'NO_COLOR=1 \"$tool\" verify large.gcodable small.gcodable' /dev/null"
    let output = try await Tool.shell(terminal, in: folder).output
    #expect(output.hasPrefix("\r\u{1B}[Klarge.gcodable: 0 % of 67.1 MB, ratio 1.00"))
    #expect(output.hasSuffix("\r\u{1B}[Klarge.gcodable: OK\r\nsmall.gcodable: OK\r\n"))
  }

  @Test func progressSaysHowFastItGoesAndHowLongItTakes() {
    func text(_ fraction: Double, _ seconds: Double) -> String {
      ProgressLine.text("a", fraction, of: 1_200_000_000, after: .seconds(seconds))
    }
    #expect(text(0, 0) == "a: 0 % of 1.2 GB")
    #expect(text(0, 100) == "a: 0 % of 1.2 GB")
    #expect(text(0.5, 0.2) == "a: 50 % of 1.2 GB")
    #expect(text(0.25, 2) == "a: 25 % of 1.2 GB, 150.0 MB/s, 6 s left")
    #expect(text(1, 4) == "a: 100 % of 1.2 GB, 300.0 MB/s, 0 s left")
    #expect(text(1.5, 4) == text(1, 4))
    #expect(text(.nan, 4) == "a: 0 % of 1.2 GB")
    #expect(
      ProgressLine.text("a", 0.25, of: 1_200_000_000, ratio: 3.456, after: .seconds(2))
        == "a: 25 % of 1.2 GB, ratio 3.46, 150.0 MB/s, 6 s left")
    #expect(ProgressLine.timeText(59.2) == "1 min 0 s")
    #expect(ProgressLine.timeText(3_725) == "1 h 2 min")
    #expect(ProgressLine.timeText(.infinity) == "277777 h 46 min")
  }

  /// Elements that go to a file leave the terminal to the progress.
  @Test func arraysThatAreWrittenShowProgress() async throws {
    guard Self.hasTerminals else { return }
    let folder = try Folder()
    try folder.uncompressed("large.gcodable", byteCount: Int(ProgressLine.minimumByteCount))
    let command = "\"$tool\" get large.gcodable \"\" --format npy"
    let output = try await Self.onTerminal("\(command) >large.npy", in: folder)
    #expect(output.hasPrefix("\r\u{1B}[Kelements: 0 % of 67.1 MB"))
    #expect(output.hasSuffix("\r\u{1B}[K"))
    #expect(try folder.bytes(of: "large.npy").count > Int(ProgressLine.minimumByteCount))
    #expect(try await Tool.shell("\(command) >large.npy", in: folder).diagnostics == "")
  }

  /// On terminals alone, unless they cannot or shall not.
  @Test func coloursAreForTerminals() async throws {
    guard Self.hasTerminals else { return }
    let folder = try Folder()
    try folder.archive()
    let verify = "\"$tool\" verify state.gcodable"
    let (plain, green) = ("state.gcodable: OK\r\n", "\u{1B}[32mstate.gcodable: OK\u{1B}[0m\r\n")
    #expect(try await Self.onTerminal(verify, in: folder) == green)
    #expect(try await Self.onTerminal("NO_COLOR= \(verify)", in: folder) == green)
    #expect(try await Self.onTerminal("NO_COLOR=1 \(verify)", in: folder) == plain)
    #expect(try await Self.onTerminal("TERM=dumb \(verify)", in: folder) == plain)
    #expect(try await Self.onTerminal("\(verify) | cat", in: folder) == plain)
    let list = try await Self.onTerminal("\"$tool\" ls state.gcodable", in: folder)
    #expect(list.contains("\u{1B}[1m") && list.contains("\u{1B}[36m"))
    let error = try await Self.onTerminal("\"$tool\" verify $'no\\e[32mne'", in: folder)
    #expect(error.hasPrefix("\u{1B}[31mgraphcodable:\u{1B}[0m no\\u{1B}[32mne: "))
  }

  private static let hasTerminals = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

  /// What a command writes to the terminal that it has.
  private static func onTerminal(_ command: String, in folder: Folder) async throws -> String {
    try Data("unset NO_COLOR\nexport TERM=xterm\n\(command)\n".utf8).write(to: folder.file("command.sh"))
    return try await Tool.shell("script -qec 'bash command.sh' /dev/null", in: folder).output
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
