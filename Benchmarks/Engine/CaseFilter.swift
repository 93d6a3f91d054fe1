import Foundation

/// Chooses cases by their names, as the engine's `--filter` and `--filter-not` do.
struct CaseFilter {
  private let wanted: NSRegularExpression?
  private let unwanted: NSRegularExpression?

  /// - Throws: when a pattern is not a regular expression.
  init(wanted: String?, unwanted: String?) throws {
    self.wanted = try wanted.map { try NSRegularExpression(pattern: $0, options: .caseInsensitive) }
    self.unwanted = try unwanted.map { try NSRegularExpression(pattern: $0, options: .caseInsensitive) }
  }

  func includes(_ label: CaseLabel) -> Bool {
    includes(label.name)
  }

  func includes(_ name: String) -> Bool {
    (wanted.map { matches($0, name) } ?? true) && !(unwanted.map { matches($0, name) } ?? false)
  }

  private func matches(_ expression: NSRegularExpression, _ name: String) -> Bool {
    expression.firstMatch(in: name, range: NSRange(name.startIndex..., in: name)) != nil
  }
}
