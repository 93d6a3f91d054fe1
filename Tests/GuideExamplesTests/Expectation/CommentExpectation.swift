import DocumentTestSupport

/// Finds what a program prints in the comments behind its `print` lines.
///
/// The user guide writes them as `// true`, `// prints: true`, `// print true --> why` or
/// `// print 'text' or equivalent...`. A comment stands for one line, and the lines must be printed once and
/// in the order in which they are written, so a `print` inside a function or a loop is refused.
enum CommentExpectation {
  /// The expected lines of `program`, in order.
  static func lines(of program: String) throws -> [String] {
    var expected: [String] = []
    var scopes = ScopeTracker()
    for (index, line) in program.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let (code, comment) = split(line)
      if prints(code) {
        guard scopes.runOnce else {
          throw DocumentProblem("line \(index + 1) prints inside a function or a loop: \(line.trimmed)")
        }
        guard let comment else {
          throw DocumentProblem("line \(index + 1) does not say what it prints: \(line.trimmed)")
        }
        expected.append(text(of: comment))
      }
      scopes.read(code)
    }
    return expected
  }

  /// The output that a comment promises.
  static func text(of comment: Substring) -> String {
    var text = comment.trimmed[...]
    for word in ["prints:", "print:", "prints ", "print "] where text.hasPrefix(word) {
      text = text.dropFirst(word.count).trimmed[...]
      break
    }
    if text.first == "'", let end = text.dropFirst().lastIndex(of: "'") {
      return String(text[text.index(after: text.startIndex)..<end])
    }
    if let arrow = text.range(of: "-->") { text = text[..<arrow.lowerBound] }
    return text.trimmed
  }

  /// Cuts a line at the `//` that is not inside a string literal.
  static func split(_ line: Substring) -> (code: Substring, comment: Substring?) {
    var isInString = false
    var index = line.startIndex
    while index < line.endIndex {
      let next = line.index(after: index)
      switch line[index] {
      case "\\" where isInString && next < line.endIndex:
        index = line.index(after: next)
        continue
      case "\"":
        isInString.toggle()
      case "/" where !isInString && next < line.endIndex && line[next] == "/":
        return (line[..<index], line[line.index(after: next)...])
      default:
        break
      }
      index = next
    }
    return (line, nil)
  }

  private static func prints(_ code: Substring) -> Bool {
    guard let call = code.range(of: "print(") else { return false }
    // `fingerprint(` is another function.
    guard let before = code[..<call.lowerBound].last else { return true }
    return !before.isLetter && !before.isNumber && before != "_" && before != "."
  }
}

/// Follows braces, to tell whether code is run exactly once, from top to bottom.
private struct ScopeTracker {
  /// For each open brace, whether it belongs to a `do`.
  private var open: [Bool] = []

  var runOnce: Bool { open.allSatisfy { $0 } }

  mutating func read(_ code: Substring) {
    var words = ""
    for character in code {
      switch character {
      case "{":
        open.append(words.trimmed == "do")
        words = ""
      case "}":
        open.popLast().map { _ in words = "" }
      default:
        words.append(character)
      }
    }
  }
}

extension Substring {
  /// The first occurrence of `text`.
  fileprivate func range(of text: String) -> Range<Index>? {
    ranges(of: text).first
  }
}
