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

  /// The file of a part while it is written.
  ///
  /// Other than those of other temporary files, its name does not say the host: no matter where its process was killed,
  /// the one that begins the next set removes it.
  static func temporary(_ part: String) -> String { ".\(part)-tmp" }

  /// The token in the name of a part, or of one that is being written; nil for other files.
  static func token(of name: String) -> String? {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isTemporary = parts.first?.isEmpty == true
    if isTemporary { parts.removeFirst() }
    guard parts.count == 3, parts[0].hasPrefix(prefix),
      "." + parts[2] == (isTemporary ? suffix + "-tmp" : suffix)
    else { return nil }
    return String(parts[1])
  }

  // MARK: Series

  private static let folderPrefix = "set-"
  private static let removedPrefix = ".set-"

  /// The folder of a set in a series: `set-000000000042`.
  static func folder(_ number: Int) -> String {
    let digits = String(number)
    return folderPrefix + String(repeating: "0", count: max(12 - digits.count, 0)) + digits
  }

  /// The number of the set with this folder; nil for others.
  static func number(of name: String) -> Int? {
    guard name.hasPrefix(folderPrefix), let number = Int(name.dropFirst(folderPrefix.count)),
      0...SeriesRecord.maximumNumber ~= number, folder(number) == name
    else { return nil }
    return number
  }

  /// A name for the folder of a set that is to be removed, which no other has.
  static func removed(_ folder: String) -> String {
    ".\(folder)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Whether a name is that of a folder that is to be removed.
  static func isRemoved(_ name: String) -> Bool { name.hasPrefix(removedPrefix) }

  /// Whether a text can be a token: a part of the name of a file.
  static func isToken(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-")
      }
  }
}
