#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  // The compiler reports errors in macro-generated code at lines that the user never sees. So `#sourceLocation` maps each
  // generated line to one of the user's.

  /// Where a declaration and its parts stand in the user's file.
  struct UserLines {
    /// Whether expansions include locations; those compared by tests do not.
    @TaskLocal static var areWritten = true

    private let context: any MacroExpansionContext
    /// As a literal; nil where it is not known.
    private let file: String?
    let start: Int?

    init(_ declaration: some SyntaxProtocol, _ context: some MacroExpansionContext) {
      self.context = context
      let location =
        Self.areWritten
        ? context.location(of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath) : nil
      file = location?.file.trimmedDescription
      start = location.flatMap { Int($0.line.trimmedDescription) }
    }

    /// Precedes code for the whole declaration; empty if its line is unknown.
    var directive: String {
      guard let file, let start else { return "" }
      return "#sourceLocation(file: \(file), line: \(start))\n"
    }

    /// The line of a part, or of the whole declaration if that is unknown.
    func line(of node: some SyntaxProtocol) -> Int? {
      guard file != nil else { return nil }
      let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
      return location.flatMap { Int($0.line.trimmedDescription) } ?? start
    }

    /// Text of lines, some of them mapped to the user's.
    ///
    /// - Parameter isEnd: whether the compiler's own lines follow.
    func text(of lines: [String], isEnd: Bool = true) -> [String] {
      guard let file else { return lines.map { $0.withoutUserLine.text } }
      var result: [String] = []
      var next: Int?
      for line in lines {
        let (text, userLine) = line.withoutUserLine
        let wanted = userLine ?? (next == nil ? start : next)
        if let wanted, wanted != next {
          if let known = next, (1...3).contains(wanted - known) {
            result += Array(repeating: "", count: wanted - known)
          } else {
            result.append("#sourceLocation(file: \(file), line: \(wanted))")
          }
          next = wanted
        }
        result.append(text)
        next = next.map { $0 + 1 }
      }
      return next == nil || !isEnd ? result : result + ["#sourceLocation()"]
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
