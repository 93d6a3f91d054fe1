import DocumentTestSupport
import Testing

/// The code of the user guide does what the user guide says.
@Suite(
  "User guide",
  .enabled(if: GuideLocation.isGuidePresent, "there is no user guide at \(GuideLocation.path)"))
struct GuideExamplesTests {
  @Test(arguments: GuideManifest.examples)
  func exampleCompilesAndPrintsWhatTheGuideSays(_ example: GuideExample) async throws {
    let section = try GuideLocation.readGuide().section(example.section)
    let programs = try example.programs.map { try $0.text(in: section) }
    // The guide's programs were written for Swift 5; Swift 6 refuses their `private (set)` and a generic
    // parameter that shadows another one.
    let outcomes = try await ExampleRunner.outcomes(of: programs, languageMode: .swift5)
    for (program, outcome) in zip(example.programs, outcomes) {
      switch outcome {
      case .prints(let output):
        let expected = program.comparison.canonical(try program.expectedOutput(in: section))
        guard program.comparison.canonical(output) != expected else { continue }
        Issue.record("prints:\n\(output)\nand the guide says:\n\(expected)")
      case .doesNotCompile(let diagnostics):
        Issue.record("does not compile:\n\(diagnostics)")
      case .fails(let exitStatus, let output, let diagnostics):
        Issue.record("ends with status \(exitStatus) after printing:\n\(output)\n\(diagnostics)")
      }
    }
  }

  @Test func everySwiftBlockOfTheGuideIsAccountedFor() throws {
    let sections = try GuideLocation.readGuide().sections(
      from: GuideManifest.firstSection, through: GuideManifest.lastSection)
    for section in sections {
      let used = GuideManifest.examples.filter { $0.section == section.heading }
        .reduce(into: Set<Int>()) { $0.formUnion($1.usedBlocks) }
      for (index, block) in section.swiftBlocks.enumerated() where !used.contains(index) {
        Issue.record("block \(index) of '\(section.heading)' (line \(block.line)) is in no example")
      }
    }
  }

  @Test func everyExampleBelongsToTheRangeThatIsCovered() throws {
    let headings = try GuideLocation.readGuide().sections(
      from: GuideManifest.firstSection, through: GuideManifest.lastSection
    ).map(\.heading)
    for example in GuideManifest.examples {
      #expect(headings.contains(example.section))
    }
  }
}
