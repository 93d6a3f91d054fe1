import Foundation

/// Standard output, in large pieces.
final class Output {
  private var bytes: [UInt8] = []

  private static let pieceByteCount = 1 << 16

  /// Adds a line; what could move the cursor of a terminal is escaped.
  func line(_ text: String) throws(Failure) {
    bytes += text.visible.utf8
    try endLine()
  }

  /// Adds a line in a style.
  func line(_ text: String, _ style: Style) throws(Failure) { try line(StyledLine(text, style)) }

  /// Adds a line in several styles; what could move the cursor, or change the colour, is escaped in its texts.
  func line(_ line: StyledLine) throws(Failure) {
    for (text, style) in line.parts {
      bytes += (Style.isInOutput ? style.around(text.visible) : text.visible).utf8
    }
    try endLine()
  }

  /// Adds a line with tabs in it, which stay.
  func indentedLine(_ text: String) throws(Failure) {
    bytes += text.visibleWithTabs.utf8
    try endLine()
  }

  /// Adds bytes as they are.
  func bytes(_ more: [UInt8]) throws(Failure) {
    bytes += more
    if bytes.count >= Self.pieceByteCount { try flush() }
  }

  private func endLine() throws(Failure) {
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.pieceByteCount { try flush() }
  }

  /// Writes what has been added.
  func flush() throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        let reason = errno
        if reason == EINTR { continue }
        throw Failure("cannot write the output: \(String(cString: strerror(reason)))", status: .outputFailed)
      }
      rest = rest.dropFirst(count)
    }
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Writes a text at once.
///
/// If that fails, there is no way to report it.
func writeToStandardError(_ text: String) {
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
