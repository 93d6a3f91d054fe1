import DocumentTestSupport
import Testing

/// The code of the guides does what the guides say.
@Suite("Guides", .enabled(if: Guide.user.isPresent, "there is no user guide in \(Guide.folder)"))
struct GuideExamplesTests {
  /// The name of the program that the guide shows, in mangled names among others.
  private static let programName = "MyGraphCodableApp"

  @Test(arguments: GuideManifest.examples)
  func exampleCompilesAndPrintsWhatTheGuideSays(_ example: GuideExample) async throws {
    try await check(example)
  }

  @Test(
    .enabled(if: Guide.early.isPresent, "there is no early guide in \(Guide.folder)"),
    arguments: GuideManifest.earlyExamples)
  func exampleOfTheEarlyGuideCompilesAndPrintsWhatItSays(_ example: GuideExample) async throws {
    try await check(example)
  }

  @Test(
    .enabled(if: Guide.polyCodable.isPresent, "there is no guide to PolyCodable in \(Guide.folder)"),
    arguments: GuideManifest.polyCodable)
  func exampleOfPolyCodableCompilesAndPrintsWhatItSays(_ example: GuideExample) async throws {
    try await check(example)
  }

  @Test(
    .enabled(if: Guide.cyclicCoding.isPresent, "there is no guide to CyclicCoding in \(Guide.folder)"),
    arguments: GuideManifest.cyclicCoding)
  func exampleOfCyclicCodingCompilesAndPrintsWhatItSays(_ example: GuideExample) async throws {
    try await check(example)
  }

  private func check(_ example: GuideExample) async throws {
    let guide = try example.guide.read()
    let programs = try example.programs.map { try $0.text(in: guide, home: example.section) }
    // The guide's programs were written for Swift 5; Swift 6 refuses their `private (set)` and a generic
    // parameter that shadows another one.
    let outcomes = try await ExampleRunner.outcomes(
      of: programs, named: Self.programName, importing: SimdModule.modules(for: programs),
      languageMode: .swift5)
    for (program, outcome) in zip(example.programs, outcomes) {
      switch outcome {
      case .prints(let output):
        let promised = try program.expectedOutput(in: guide, home: example.section)
        let expected = program.comparison.canonical(promised)
        guard program.comparison.canonical(output) != expected else { continue }
        Issue.record("prints:\n\(output)\nand the guide says:\n\(promised)")
      case .doesNotCompile(let diagnostics):
        Issue.record("does not compile:\n\(diagnostics)")
      case .fails(let exitStatus, let output, let diagnostics):
        Issue.record("ends with status \(exitStatus) after printing:\n\(output)\n\(diagnostics)")
      }
    }
  }

  @Test(arguments: [Guide.user, .polyCodable, .cyclicCoding].filter(\.isPresent))
  func everySwiftBlockIsAccountedFor(of guide: Guide) throws {
    let repetitions = guide == .user ? Set(GuideManifest.repetitions.keys) : []
    let used = GuideManifest.examples(of: guide).reduce(into: repetitions) { $0.formUnion($1.usedBlocks) }
    for section in try guide.read().sections {
      for (index, block) in section.swiftBlocks.enumerated()
      where !used.contains(BlockReference(section: section.heading, index: index)) {
        Issue.record("block \(index) of '\(section.heading)' (line \(block.line)) is in no example")
      }
    }
  }

  /// A fragment that repeats a part of a program is run with it.
  @Test func repetitionsAreWordForWord() throws {
    let guide = try Guide.user.read()
    let used = GuideManifest.examples.reduce(into: Set<BlockReference>()) { $0.formUnion($1.usedBlocks) }
    for (part, index) in GuideManifest.repetitions {
      let whole = BlockReference(section: part.section, index: index)
      let section = try guide.section(part.section)
      let partText = words(try section.swiftBlock(part.index).text)
      #expect(words(try section.swiftBlock(index).text).contains(partText), "\(part)")
      #expect(used.contains(whole), "\(whole)")
    }
  }

  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
