import DocumentTestSupport

/// A change to what a guide shows, where that cannot be meant as it stands.
struct GuideEdit: Sendable {
  private enum Change: Sendable {
    case replace(String, by: String)
    case cut(from: String, through: String)
  }

  private let change: Change
  /// Why the guide cannot be followed to the letter.
  let reason: String

  /// Replaces each occurrence of a text.
  static func replacing(_ old: String, by new: String, because reason: String) -> GuideEdit {
    GuideEdit(change: .replace(old, by: new), reason: reason)
  }

  /// Removes what begins with one text, up to the next occurrence of another, which is removed, too.
  static func cutting(from start: String, through end: String, because reason: String) -> GuideEdit {
    GuideEdit(change: .cut(from: start, through: end), reason: reason)
  }

  /// Throws where the text has nothing to change: the guide has changed, or the edit is wrong.
  func applied(to text: String) throws -> String {
    switch change {
    case .replace(let old, let new):
      guard text.contains(old) else { throw DocumentProblem("there is no '\(old)' to be replaced") }
      return text.replacing(old, with: new)
    case .cut(let start, let end):
      guard let first = text.firstRange(of: start),
        let last = text[first.upperBound...].firstRange(of: end)
      else { throw DocumentProblem("there is nothing from '\(start)' through '\(end)' to be cut") }
      var rest = text
      rest.removeSubrange(first.lowerBound..<last.upperBound)
      return rest
    }
  }
}

extension [GuideEdit] {
  func applied(to text: String) throws -> String {
    try reduce(text) { try $1.applied(to: $0) }
  }
}
