#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  // The compiler reports errors in macro-generated code at lines that the user never sees. So `#sourceLocation` maps each
  // generated line to one of the user's.

  /// Where a declaration and its parts stand in the user's file.
  struct UserLines {
    /// Whether expansions include locations; those compared by tests do not.
    @TaskLocal static var areWritten = true

    /// As a literal; nil where it is not known.
    private let file: String?
    /// The line of the attribute.
    let start: Int?
    private let lines: SourceLines?

    init(
      _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, _ context: some MacroExpansionContext
    ) {
      // Asking for a location costs as much as reading a property, so it is done once for a type.
      let location =
        Self.areWritten
        ? context.location(of: declaration, at: .beforeLeadingTrivia, filePathMode: .filePath) : nil
      file = location?.file.trimmedDescription
      lines = location.flatMap { Int($0.line.trimmedDescription) }.map { SourceLines(declaration, from: $0) }
      let written = declaration.attributes.first {
        $0.as(AttributeSyntax.self)?.baseName == attribute.baseName
      }
      if let written {
        start = lines?.line(of: Syntax(written))
      } else {
        start = Self.line(of: attribute, context)
      }
    }

    /// The line of an attribute that is not directly at the declaration, but under a condition.
    private static func line(of attribute: AttributeSyntax, _ context: some MacroExpansionContext) -> Int? {
      guard areWritten else { return nil }
      let location = context.location(of: attribute, at: .afterLeadingTrivia, filePathMode: .filePath)
      return location.flatMap { Int($0.line.trimmedDescription) }
    }

    /// Precedes code for the whole declaration; empty if its line is unknown.
    var directive: String { start.flatMap { directive($0) }.map { "\($0)\n" } ?? "" }

    private func directive(_ line: Int) -> String? {
      file.map { "#sourceLocation(file: \($0), line: \(line))" }
    }

    /// The line of a part, or of the whole declaration if that is unknown.
    func line(of node: some SyntaxProtocol) -> Int? { lines?.line(of: Syntax(node)) ?? start }

    /// Text of lines, some of them mapped to the user's.
    ///
    /// - Parameter isEnd: whether the compiler's own lines follow. What it reports at their start is still mapped.
    func text(of lines: [String], isEnd: Bool = true) -> [String] {
      guard file != nil else { return lines.map { $0.withoutUserLine.text } }
      var result: [String] = []
      var next: Int?
      for line in lines {
        let (text, userLine) = line.withoutUserLine
        let wanted = userLine ?? (next == nil ? start : next)
        if let wanted, wanted != next {
          if let known = next, (1...3).contains(wanted - known) {
            result += Array(repeating: "", count: wanted - known)
          } else if let directive = directive(wanted) {
            result.append(directive)
          }
          next = wanted
        }
        result.append(text)
        next = next.map { $0 + 1 }
      }
      return next == nil || !isEnd ? result : result + ["", "#sourceLocation()"]
    }
  }

  /// Finds the lines of the parts of a declaration without the help of the compiler.
  private struct SourceLines {
    private let root: Syntax
    private let first: Int
    /// Where the second line begins, the third, and so on.
    private var starts: [Int] = []

    /// - Parameter line: that of the declaration's first byte, comments in front of it included.
    init(_ declaration: some DeclGroupSyntax, from line: Int) {
      root = declaration.root
      first = line
      var offset = declaration.position.utf8Offset
      var previous: UInt8 = 0
      for byte in declaration.syntaxTextBytes {
        offset += 1
        if byte == UInt8(ascii: "\n"), previous == UInt8(ascii: "\r") {
          starts[starts.count - 1] = offset
        } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
          starts.append(offset)
        }
        previous = byte
      }
    }

    /// Nil for a node that was made or taken out of its declaration.
    func line(of node: Syntax) -> Int? {
      guard node.root == root else { return nil }
      let offset = node.positionAfterSkippingLeadingTrivia.utf8Offset
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] > offset { high = middle } else { low = middle + 1 }
      }
      return first + low
    }
  }

  extension String {
    private static let (open, close): (Character, Character) = ("\u{1}", "\u{2}")

    /// The line, mapped to one of the user's.
    func at(_ userLine: Int?) -> String {
      guard let userLine, !contains(Self.open) else { return self }
      return "\(Self.open)\(userLine)\(Self.close)\(self)"
    }

    fileprivate var withoutUserLine: (text: String, line: Int?) {
      guard let start = firstIndex(of: Self.open), let end = firstIndex(of: Self.close) else {
        return (self, nil)
      }
      let text = self[..<start] + self[index(after: end)...]
      return (String(text), Int(self[index(after: start)..<end]))
    }
  }

  extension [String] {
    func at(_ userLine: Int?) -> [String] { map { $0.at(userLine) } }
  }
#endif
