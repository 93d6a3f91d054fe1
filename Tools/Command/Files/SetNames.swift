import Foundation

/// The names of the files of sets, and of the folders of series of sets: see `Documentation/Format.md`.
enum SetNames {
  static let manifest = "set.gcodable"
  static let index = "index.gcodable"

  /// Whether a file of this name is a part of a set, or would be if its set had been committed.
  static func isPart(_ name: String) -> Bool {
    name.wholeMatch(of: /part-[0-9]{5,}-of-[0-9]{5,}\.[a-z0-9-]+\.gcodable/) != nil
  }

  /// Whether a folder of this name is that of a set, in a series.
  static func isSet(_ name: String) -> Bool {
    // Most names in most folders are others.
    name.hasPrefix("set-") && name.wholeMatch(of: /set-[0-9]{12,}/) != nil
  }
}
