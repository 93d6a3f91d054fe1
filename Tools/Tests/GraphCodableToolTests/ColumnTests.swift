import Testing

@testable import GraphCodableTool

@Suite("columns")
struct ColumnTests {
  private func lines(_ maximumWidth: Int?) -> [String] {
    var columns = Columns(.left, .right, .left, maximumWidth: maximumWidth)
    columns.add("positions", "10,000", "a value of many words, which is long")
    columns.add("x", "7", "")
    return columns.lines
  }

  @Test func withoutATerminalNothingIsCut() {
    #expect(lines(nil) == ["positions  10,000  a value of many words, which is long", "x               7"])
    #expect(lines(100) == lines(nil))
  }

  @Test(arguments: [54, 53, 40, 30, 27]) func linesFitTheTerminal(width: Int) {
    let lines = lines(width)
    #expect(lines.allSatisfy { $0.count <= width })
    #expect(lines[0].hasSuffix("…") == (width < 55) && lines[0].contains("10,000"))
  }

  @Test func numbersAreNeverCut() {
    for width in 1..<27 { #expect(lines(width)[0].contains("10,000")) }
    #expect(lines(1)[0] == "positio…  10,000  a value…")
  }

  @Test func theTerminalSaysItsWidth() async throws {
    let folder = try Folder()
    try folder.archive()
    let wide = try await Tool.run(["ls", "state.gcodable"], in: folder)
    let line = "script -qec 'stty cols 64; NO_COLOR=1 \"$tool\" ls state.gcodable' /dev/null"
    let narrow = try await Tool.shell("[ -x /usr/bin/script ] || exit 77; \(line)", in: folder)
    guard narrow.status != 77 else { return }
    #expect(narrow.status == 0)
    #expect(
      narrow.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 64 }
        && wide.lines.contains { $0.count > 64 })
  }

  /// Colours change nothing but colours.
  @Test func styledLinesHaveTheSameTexts() {
    for width in [nil, 20, 5] {
      var columns = Columns(.left, .right, .left, .left, maximumWidth: width)
      columns.add("name ", "1", "", "value")
      columns.add("", "1,234", "", " ")
      columns.add("longer name", "", "", "")
      columns.add(" ", " ", "", "another value  ")
      let styled = columns.styledLines([.strong, .plain, .faint, .value])
      #expect(styled.map { $0.parts.map(\.text).joined() } == columns.lines)
      #expect(columns.lines.allSatisfy { $0.last != " " })
      #expect(styled[0].parts.first { $0.style == .strong }?.text == "name")
    }
  }
}
