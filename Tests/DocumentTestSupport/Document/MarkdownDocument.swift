/// A document in Markdown, cut into its sections and their code blocks.
package struct MarkdownDocument {
  /// What stands between two fences.
  package struct Block {
    /// The word behind the opening fence, empty for plain text.
    package let language: String
    /// The lines between the fences, each ended by a newline.
    package let text: String
    /// The number of the line after the opening fence, from 1.
    package let line: Int
  }

  /// A heading and what follows it up to the next heading of any level.
  package struct Section {
    package let heading: String
    package var blocks: [Block] = []

    package var swiftBlocks: [Block] { blocks.filter { $0.language == "swift" } }
    package var plainBlocks: [Block] { blocks.filter { $0.language.isEmpty } }
  }

  package private(set) var sections: [Section] = []

  /// - Parameter unmarkedLanguage: the language of blocks whose opening fence names none.
  package init(markdown: String, unmarkedLanguage: String = "") {
    var open: (language: String, line: Int, text: String)?
    // Both ends of a line: the documents have Unix ones, a checkout on another system may not.
    let lines = markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          append(Block(language: block.language, text: block.text, line: block.line))
          open = nil
        } else {
          let language = line.dropFirst(3).trimmed
          open = (language.isEmpty ? unmarkedLanguage : language, number + 2, "")
        }
      } else if open != nil {
        open?.text += line + "\n"
      } else if line.hasPrefix("#") {
        sections.append(Section(heading: line.drop { $0 == "#" }.trimmed))
      }
    }
  }

  private mutating func append(_ block: Block) {
    if sections.isEmpty { sections.append(Section(heading: "")) }
    sections[sections.count - 1].blocks.append(block)
  }

  /// The section with this heading.
  ///
  /// Throws where the document has none, or several.
  package func section(_ heading: String) throws -> Section {
    let found = sections.filter { $0.heading == heading }
    guard let section = found.first, found.count == 1 else {
      throw DocumentProblem("the document has \(found.count) sections with the heading '\(heading)'")
    }
    return section
  }

  /// The sections from one heading through another.
  package func sections(from first: String, through last: String) throws -> ArraySlice<Section> {
    guard let start = sections.firstIndex(where: { $0.heading == first }),
      let end = sections.firstIndex(where: { $0.heading == last }), start <= end
    else { throw DocumentProblem("the document has no sections from '\(first)' through '\(last)'") }
    return sections[start...end]
  }
}

/// Something about a document, or about what a test says of it, that does not hold.
package struct DocumentProblem: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension StringProtocol {
  /// The text without white space at either end.
  package var trimmed: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The text without white space at its end.
  package var trimmedEnd: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
