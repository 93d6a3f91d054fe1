import DocumentTestSupport
import Testing

/// How blocks of one section of the guide become programs, and what these must print.
struct GuideExample: Sendable {
  /// The heading of the section whose blocks are used.
  let section: String
  /// What the example shows; empty where the section has only one.
  let title: String
  /// Run one after the other in one folder, so that a later program may read what an earlier one wrote.
  let programs: [GuideProgram]

  init(_ section: String, _ title: String = "", programs: [GuideProgram]) {
    self.section = section
    self.title = title
    self.programs = programs
  }

  /// An example of one program.
  init(
    _ section: String, _ title: String = "", _ sources: GuideSource...,
    prints output: GuideOutput, comparing comparison: OutputComparison = .exact
  ) {
    self.init(
      section, title,
      programs: [GuideProgram(sources: sources, output: output, comparison: comparison)])
  }

  /// The indices of the section's Swift blocks that some program holds.
  var usedBlocks: Set<Int> {
    Set(programs.flatMap(\.sources).flatMap(\.usedBlocks))
  }
}

extension GuideExample: CustomTestStringConvertible {
  var testDescription: String { title.isEmpty ? section : "\(section): \(title)" }
}

/// A program made of blocks of a section and of code that completes them.
struct GuideProgram: Sendable {
  let sources: [GuideSource]
  let output: GuideOutput
  let comparison: OutputComparison

  /// The program's text.
  func text(in section: MarkdownDocument.Section) throws -> String {
    try sources.map { try $0.text(in: section) }.joined(separator: "\n")
  }

  /// What the guide says that the program prints.
  func expectedOutput(in section: MarkdownDocument.Section) throws -> String {
    switch output {
    case .comments: try CommentExpectation.lines(of: text(in: section)).joined(separator: "\n")
    case .plainBlock(let index): try section.plainBlock(index).text
    }
  }
}

/// A part of a program.
enum GuideSource: Sendable {
  /// A Swift block of the section, by its index among these, unchanged.
  case block(Int)
  /// A Swift block in which each occurrence of a text is replaced by another one.
  case edited(Int, replacing: String, by: String)
  /// A Swift block in which the only line that begins with a text is replaced by another block.
  case withLine(Int, startingWith: String, replacedByBlock: Int)
  /// Code of this package, for what a fragment needs around it.
  case code(String)

  fileprivate var usedBlocks: [Int] {
    switch self {
    case .block(let index), .edited(let index, _, _): [index]
    case .withLine(let index, _, let replacement): [index, replacement]
    case .code: []
    }
  }

  fileprivate func text(in section: MarkdownDocument.Section) throws -> String {
    switch self {
    case .block(let index):
      return try section.swiftBlock(index).text
    case .edited(let index, let old, let new):
      let text = try section.swiftBlock(index).text
      guard text.contains(old) else {
        throw DocumentProblem("block \(index) of '\(section.heading)' does not hold '\(old)'")
      }
      return text.replacing(old, with: new)
    case .withLine(let index, let start, let replacement):
      var lines = try section.swiftBlock(index).text.split(
        separator: "\n", omittingEmptySubsequences: false)
      let found = lines.indices.filter { lines[$0].hasPrefix(start) }
      guard let line = found.first, found.count == 1 else {
        throw DocumentProblem(
          "block \(index) of '\(section.heading)' has \(found.count) lines starting with '\(start)'")
      }
      lines[line] = try section.swiftBlock(replacement).text[...]
      return lines.joined(separator: "\n")
    case .code(let text):
      return text
    }
  }
}

/// Where the text that a program must print is found.
enum GuideOutput: Sendable {
  /// In the comments behind the program's `print` lines.
  case comments
  /// In a plain block of the section, by its index among these.
  case plainBlock(Int)
}

extension MarkdownDocument.Section {
  func swiftBlock(_ index: Int) throws -> MarkdownDocument.Block {
    try block(index, of: swiftBlocks, kind: "Swift")
  }

  func plainBlock(_ index: Int) throws -> MarkdownDocument.Block {
    try block(index, of: plainBlocks, kind: "plain")
  }

  private func block(
    _ index: Int, of blocks: [MarkdownDocument.Block], kind: String
  ) throws -> MarkdownDocument.Block {
    guard blocks.indices.contains(index) else {
      throw DocumentProblem(
        "section '\(heading)' has \(blocks.count) \(kind) blocks, none with index \(index)")
    }
    return blocks[index]
  }
}
