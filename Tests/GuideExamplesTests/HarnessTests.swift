import DocumentTestSupport
import Testing

/// The harness reads guides and outputs as it should, whether or not the guide is there.
@Suite("Guide harness")
struct HarnessTests {
  @Test(arguments: [
    (" prints: true", "true"),
    (" true --> we use '===': same id!", "true"),
    (" print true \t--> \"b.a\" is alive", "true"),
    (" [A, B]", "[A, B]"),
    (" print 'Screen [View [], View []]' or equivalent...", "Screen [View [], View []]"),
    (" printed", "printed"),
  ])
  func commentPromisesText(comment: Substring, text: String) {
    #expect(CommentExpectation.text(of: comment) == text)
  }

  @Test func expectedLinesComeFromPrintsInOrder() throws {
    let program = """
      print( "http://x" )\t// http://x
      // print( 1 ) // 1
      do {
        print( 2 )  // 2
      }
      """
    #expect(try CommentExpectation.lines(of: program) == ["http://x", "2"])
  }

  @Test(arguments: [
    "func f() {\n  print( 1 )  // 1\n}", "for x in y {\n  print( x )  // 1\n}", "print( 1 )",
  ])
  func printThatDoesNotSayOnceWhatItPrintsIsRefused(program: String) {
    #expect(throws: DocumentProblem.self) { try CommentExpectation.lines(of: program) }
  }

  @Test func sectionsHoldTheirBlocksByLanguage() throws {
    let guide = MarkdownDocument(
      markdown: "# A\n```swift\nlet a = 1\n# no heading\n```\ntext\n```\nout\n```\n## B\n")
    #expect(guide.sections.map(\.heading) == ["A", "B"])
    let section = try guide.section("A")
    #expect(section.swiftBlocks.map(\.text) == ["let a = 1\n# no heading\n"])
    #expect(section.swiftBlocks.map(\.line) == [3])
    #expect(section.plainBlocks.map(\.text) == ["out\n"])
    #expect(throws: DocumentProblem.self) { try guide.section("C") }
  }

  @Test func unorderedBracketsCompareNestedSets() {
    let comparison = OutputComparison.unorderedBrackets
    let one = comparison.canonical("S [W [V [], V [V []]], W [V []]]\ntrue\n")
    #expect(one == comparison.canonical("S [W [V []], W [V [V []], V []]]\ntrue\n"))
    #expect(one != comparison.canonical("S [W [V [V []]], W [V [], V []]]\ntrue\n"))
    #expect(one != comparison.canonical("S [W [V [], V [V []]], W [V []]]\nfalse\n"))
  }

  @Test func unorderedLinesStayInTheirGroup() {
    let comparison = OutputComparison.unorderedLines(startingWith: "- ")
    #expect(comparison.canonical("a\n- 1\n- 2 \nb\n") == comparison.canonical("a\n- 2\n- 1\nb"))
    #expect(comparison.canonical("a\n- 1\nb\n- 2") != comparison.canonical("a\n- 2\nb\n- 1"))
  }

  @Test func dumpsMayDifferInTheLengthOfRules() {
    let comparison = OutputComparison.dump
    #expect(
      comparison.canonical("== BODY ====\n- VAL\n.\n====\n")
        == comparison.canonical("= BODY =======\n- VAL\n.\n==========="))
    #expect(comparison.canonical("- VAL\n\t- VAL") != comparison.canonical("- VAL\n- VAL"))
  }

  @Test func headersMayDifferInWhatIsNotPromised() {
    let comparison = OutputComparison.dump
    let one =
      "= HEADER ==\n- FileType  = 'x'\n- Flags = 1\n- BinaryIO --\n- Version = 1\n= BODY =\n- VAL\n.\n==\n"
    let other =
      "== HEADER =\n- FileType  = 'x'\n- Size = 7\n- BinaryIO ---\n- Version = 1\n= BODY =\n- VAL\n.\n==\n"
    #expect(comparison.canonical(one) == comparison.canonical(other))
    #expect(comparison.canonical(one) != comparison.canonical(one.replacing("'x'", with: "'y'")))
    #expect(
      comparison.canonical(one) != comparison.canonical(one.replacing("Version = 1", with: "Version = 2")))
    let sized = one.replacing("Version = 1\n", with: "Version = 1\n- Data size = 7 bytes\n")
    #expect(comparison.canonical(one) != comparison.canonical(sized))
  }

  @Test func helpMayExplainTheSameCodesInOtherWords() {
    let comparison = OutputComparison.dump
    let help = "= HELP ==\nCodes:\n\tVAL<objID?>   = value\n\tPTC<objID>   = pointer\n==\n"
    #expect(comparison.canonical(help) == comparison.canonical(help.replacing("pointer", with: "link")))
    #expect(comparison.canonical(help) != comparison.canonical(help.replacing("PTC", with: "PTS")))
  }

  @Test func randomNumbersMayDifferBehindWhatIsBeforeThem() {
    let comparison = OutputComparison.dumpOfRandomNumbers
    let one = "= BODY ==\n\t- BIV SIMD3<Double>(0.123456, 2.5…\n==\n"
    #expect(
      comparison.canonical(one) == comparison.canonical(one.replacing("0.123456, 2.5", with: "-1.5, 2.54321"))
    )
    #expect(comparison.canonical(one) != comparison.canonical(one.replacing("2.5…", with: "2.51…")))
    #expect(comparison.canonical(one) != comparison.canonical(one.replacing("SIMD3<D", with: "SIMD4<D")))
  }

  @Test func editMustFindWhatItChanges() throws {
    let edits: [GuideEdit] = [
      .replacing("b", by: "x", because: "test"), .cutting(from: "c", through: "e", because: "test"),
    ]
    #expect(try edits.applied(to: "abcdef") == "axf")
    #expect(throws: DocumentProblem.self) { try edits.applied(to: "acdef") }
    #expect(throws: DocumentProblem.self) { try edits.applied(to: "abdef") }
  }
}
