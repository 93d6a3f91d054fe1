import Foundation

/// One line on a terminal's standard error that says what is being measured.
enum Progress {
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  static func show(_ text: String) {
    if isTerminal { write("\r\u{1B}[2K\(text) …") }
  }

  static func clear() {
    if isTerminal { write("\r\u{1B}[2K") }
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
