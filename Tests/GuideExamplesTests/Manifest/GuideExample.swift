import DocumentTestSupport
import Testing

/// How blocks of a guide become programs, and what these must print.
struct GuideExample: Sendable {
  let guide: Guide
  /// The heading of the section whose blocks are used.
  let section: String
  /// What the example shows; empty where the section has only one.
  let title: String
  /// Run one after the other in one folder, so that a later program may read what an earlier one wrote.
  let programs: [GuideProgram]

  init(_ section: String, _ title: String = "", of guide: Guide = .user, programs: [GuideProgram]) {
    self.guide = guide
    self.section = section
    self.title = title
    self.programs = programs
  }

  /// An example of one program.
  init(
    _ section: String, _ title: String = "", of guide: Guide = .user, _ sources: GuideSource...,
    prints output: GuideOutput, comparing comparison: OutputComparison = .exact
  ) {
    self.init(
      section, title, of: guide,
      programs: [GuideProgram(sources: sources, output: output, comparison: comparison)])
  }

  /// The guide's Swift blocks that some program holds.
  var usedBlocks: Set<BlockReference> {
    Set(programs.flatMap(\.sources).flatMap { $0.usedBlocks(home: section) })
  }
}

extension GuideExample: CustomTestStringConvertible {
  var testDescription: String { title.isEmpty ? section : "\(section): \(title)" }
}

/// A program made of blocks of a guide and of code that completes them.
struct GuideProgram: Sendable {
  let sources: [GuideSource]
  let output: GuideOutput
  let comparison: OutputComparison

  init(sources: [GuideSource], output: GuideOutput, comparison: OutputComparison = .exact) {
    self.sources = sources
    self.output = output
    self.comparison = comparison
  }

  init(
    _ sources: GuideSource..., prints output: GuideOutput, comparing comparison: OutputComparison = .exact
  ) {
    self.init(sources: sources, output: output, comparison: comparison)
  }

  /// The program's text, where `home` is the example's section.
  func text(in guide: MarkdownDocument, home: String) throws -> String {
    try sources.map { try $0.text(in: guide, home: home) }.joined(separator: "\n")
  }

  /// What the guide says that the program prints.
  func expectedOutput(in guide: MarkdownDocument, home: String) throws -> String {
    switch output {
    case .comments:
      try CommentExpectation.lines(of: text(in: guide, home: home)).joined(separator: "\n")
    case .plainBlock(let index, let section, let edits):
      try edits.applied(to: guide.section(section ?? home).plainBlock(index).text)
    case .text(let text): text
    }
  }
}

/// Where the text that a program must print is found.
enum GuideOutput: Sendable {
  /// In the comments behind the program's `print` lines.
  case comments
  /// In a plain block, by its index among those of a section: the example's or another one.
  case plainBlock(Int, of: String? = nil, [GuideEdit] = [])
  /// Here.
  case text(String)

  /// The program only has to compile and to end well.
  static let nothing = text("")
}
