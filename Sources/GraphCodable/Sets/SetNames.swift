/// The names of the files of a set.
enum SetNames {
  /// The manifest, whose name is what makes a set.
  static let manifest = "set.gcodable"
  private static let prefix = "part-"
  private static let suffix = ".gcodable"

  /// The file of a part: `part-00003-of-00008.TOKEN.gcodable`.
  static func part(_ number: Int, of count: Int, _ token: String) -> String {
    "\(prefix)\(digits(number))-of-\(digits(count)).\(token)\(suffix)"
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(5 - text.count, 0)) + text
  }

  /// The token in the name of a part; nil for other files.
  static func token(of name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasPrefix(prefix), "." + parts[2] == suffix else { return nil }
    return String(parts[1])
  }

  /// Whether a text can be a token: a part of the name of a file.
  static func isToken(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-")
      }
  }
}
