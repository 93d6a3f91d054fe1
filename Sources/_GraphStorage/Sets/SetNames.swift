import _GraphSupport

/// The names of the files of a set.
enum SetNames {
  /// The manifest, whose name is what makes a set.
  static let manifest = "set.gcodable"
  private static let prefix = "part-"
  private static let suffix = ".gcodable"
  private static let temporarySuffix = "-tmp"

  /// The file of a part: `part-00003-of-00008.TOKEN.gcodable`.
  static func part(_ number: Int, of count: Int, _ token: String) -> String {
    let numbers = [number, count].map { NumberedName.digits($0, atLeast: 5) }
    return "\(prefix)\(numbers[0])-of-\(numbers[1]).\(token)\(suffix)"
  }

  /// The file of a part while it is written.
  ///
  /// Unlike those of other temporary files, its name does not include the host: wherever its process was killed,
  /// the one that begins the next set removes it.
  /// Each is another one: a part may be written again while somebody still writes it.
  static func temporary(_ part: String) -> String { ".\(part)-\(random)\(temporarySuffix)" }

  private static var random: String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// The token in the name of a part, or of one that is being written; nil for other files.
  static func token(of name: String) -> String? {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isTemporary = parts.first?.isEmpty == true
    if isTemporary { parts.removeFirst() }
    guard parts.count == 3, isNumbered(parts[0]), isToken(String(parts[1])) else { return nil }
    let isEnd =
      isTemporary
      ? parts[2].hasPrefix(suffix.dropFirst() + "-") && parts[2].hasSuffix(temporarySuffix)
      : "." + parts[2] == suffix
    return isEnd ? String(parts[1]) : nil
  }

  /// Whether a text is `part-00003-of-00008`, with these or other numbers.
  private static func isNumbered(_ text: Substring) -> Bool {
    let numbers = text.dropFirst(prefix.count).split(separator: "-of-", omittingEmptySubsequences: false)
    return text.hasPrefix(prefix) && numbers.count == 2 && numbers.allSatisfy { isDigits($0, atLeast: 5) }
  }

  private static func isDigits(_ text: Substring, atLeast count: Int) -> Bool {
    text.utf8.count >= count && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  // MARK: Series

  private static let removedPrefix = ".set-"

  /// A unique name for the folder of a set to be removed.
  static func removed(_ folder: String) -> String { ".\(folder)-\(random)" }

  /// Whether a name is that of a folder to be removed.
  static func isRemoved(_ name: String) -> Bool {
    let parts = name.dropFirst(removedPrefix.count).split(separator: "-", omittingEmptySubsequences: false)
    return name.hasPrefix(removedPrefix) && parts.count == 2 && isDigits(parts[0], atLeast: 12)
      && isToken(String(parts[1]))
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
