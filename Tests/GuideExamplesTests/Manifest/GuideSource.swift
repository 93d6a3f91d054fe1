import DocumentTestSupport

/// A part of a program.
enum GuideSource: Sendable {
  /// A Swift block, unchanged, by its index among those of a section: the example's or another one.
  case block(Int, of: String? = nil)
  /// A Swift block that is changed.
  case edited(Int, of: String? = nil, [GuideEdit])
  /// A Swift block in which the only line that begins with a text is replaced by another block.
  case withLine(Int, startingWith: String, replacedByBlock: Int)
  /// Code of this package, for what a fragment needs around it.
  case code(String)

  /// The blocks of the guide that are used, where `home` is the example's section.
  func usedBlocks(home: String) -> [BlockReference] {
    switch self {
    case .block(let index, let section), .edited(let index, let section, _):
      [BlockReference(section: section ?? home, index: index)]
    case .withLine(let index, _, let replacement):
      [index, replacement].map { BlockReference(section: home, index: $0) }
    case .code: []
    }
  }

  func text(in guide: MarkdownDocument, home: String) throws -> String {
    switch self {
    case .block(let index, let section):
      return try guide.section(section ?? home).swiftBlock(index).text
    case .edited(let index, let section, let edits):
      return try edits.applied(to: guide.section(section ?? home).swiftBlock(index).text)
    case .withLine(let index, let start, let replacement):
      let section = try guide.section(home)
      var lines = try section.swiftBlock(index).text.split(
        separator: "\n", omittingEmptySubsequences: false)
      let found = lines.indices.filter { lines[$0].hasPrefix(start) }
      guard let line = found.first, found.count == 1 else {
        throw DocumentProblem(
          "block \(index) of '\(home)' has \(found.count) lines starting with '\(start)'")
      }
      lines[line] = try section.swiftBlock(replacement).text[...]
      return lines.joined(separator: "\n")
    case .code(let text):
      return text
    }
  }
}

/// A Swift block of a guide: its section and its index among the section's Swift blocks.
struct BlockReference: Hashable, Sendable {
  let section: String
  let index: Int
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
