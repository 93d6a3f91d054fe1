import Foundation

/// How a text looks on a terminal; anywhere else it is only text.
enum Style: String {
  case plain = ""
  case strong = "1"
  case faint = "2"
  case bad = "31"
  case good = "32"
  case changed = "33"
  case value = "36"

  /// Whether standard output shows colours.
  static let isInOutput = isShown(on: STDOUT_FILENO)
  /// Whether standard error does.
  static let isInDiagnostics = isShown(on: STDERR_FILENO)

  /// A terminal shows colours, unless it cannot, or somebody has set NO_COLOR, to anything: see no-color.org.
  static func isShown(
    on descriptor: Int32, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// A text, which has no escapes of its own, in this style.
  func around(_ text: String) -> String {
    self == .plain || text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}

/// A line of texts in several styles.
struct StyledLine {
  private(set) var parts: [(text: String, style: Style)] = []

  init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

  mutating func add(_ text: String, _ style: Style = .plain) {
    if !text.isEmpty { parts.append((text, style)) }
  }
}
