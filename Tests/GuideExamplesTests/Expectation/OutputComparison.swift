import DocumentTestSupport

/// What may differ between what the guide shows and what a program prints.
enum OutputComparison: Sendable {
  /// Nothing.
  case exact
  /// The order of the elements inside each pair of square brackets: what a set prints.
  case unorderedBrackets
  /// The order of consecutive lines that begin with a text: what a dictionary prints.
  case unorderedLines(startingWith: String)
  /// What a dump may write in its own way; see `DumpText`.
  case dump
  /// That, and random numbers in data units.
  case dumpOfRandomNumbers

  /// A text that is the same for all outputs that pass for each other.
  func canonical(_ output: String) -> String {
    let lines = output.trimmedNewlines.split(separator: "\n", omittingEmptySubsequences: false)
    switch self {
    case .exact:
      return lines.joined(separator: "\n")
    case .unorderedBrackets:
      return lines.map { BracketList(parsing: $0).sortedText }.joined(separator: "\n")
    case .unorderedLines(let start):
      // The last line of such a group may carry what the program prints behind the group.
      let trimmed = lines.map(\.trimmedEnd)
      return Self.sortingGroups(of: trimmed, startingWith: start).joined(separator: "\n")
    case .dump:
      return DumpText.canonical(lines).joined(separator: "\n")
    case .dumpOfRandomNumbers:
      return DumpText.canonical(lines).map(DumpText.withoutNumbers).joined(separator: "\n")
    }
  }

  private static func sortingGroups(of lines: [String], startingWith start: String) -> [String] {
    var result: [String] = []
    var group: [String] = []
    for line in lines {
      if line.hasPrefix(start) {
        group.append(line)
      } else {
        result += group.sorted()
        group = []
        result.append(line)
      }
    }
    return result + group.sorted()
  }
}

/// A text with lists in square brackets, such as `Screen [Window [View []]]`.
private struct BracketList {
  /// The text up to the first bracket or, between lists, up to the next comma.
  private var pieces: [Piece] = []

  private enum Piece {
    case text(String)
    case list([BracketList])
  }

  init(parsing text: Substring) {
    var rest = text
    self.init(parsing: &rest, inList: false)
  }

  private init(parsing rest: inout Substring, inList: Bool) {
    var text = ""
    while let character = rest.first {
      if inList && (character == "," || character == "]") { break }
      rest.removeFirst()
      if character == "[" {
        pieces.append(.text(text))
        text = ""
        pieces.append(.list(Self.elements(of: &rest)))
      } else {
        text.append(character)
      }
    }
    pieces.append(.text(text))
  }

  private static func elements(of rest: inout Substring) -> [BracketList] {
    var elements: [BracketList] = []
    while true {
      elements.append(BracketList(parsing: &rest, inList: true))
      guard let character = rest.popFirst(), character == "," else { return elements }
    }
  }

  /// The text with the elements of each list in alphabetical order.
  var sortedText: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .list(let elements):
        "[" + elements.map(\.sortedText.trimmed).sorted().joined(separator: ", ") + "]"
      }
    }.joined()
  }
}

extension String {
  fileprivate var trimmedNewlines: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
