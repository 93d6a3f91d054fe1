import Foundation

/// A line on a terminal that says how far long work is, and goes when the work is done.
final class ProgressLine {
  private let timer: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "progress")

  /// Short reads need no line.
  static let minimumByteCount: UInt64 = 64 << 20

  /// Shows the line until `end` is called; nil if it would not be visible, or the work is short.
  ///
  /// - Parameters:
  ///   - subject: what is worked on.
  ///   - byteCount: how many bytes it has.
  ///   - progress: is looked at five times a second.
  init?(_ subject: String, byteCount: UInt64, _ progress: Progress) {
    guard byteCount >= Self.minimumByteCount, isatty(STDERR_FILENO) == 1 else { return nil }
    let subject = shownName(subject)
    func show() {
      let percent = Int(progress.fractionCompleted * 100)
      Self.show("\(subject.visible): \(percent) % of \(decimalSize(byteCount))")
    }
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { show() }
    timer.schedule(deadline: .now() + .milliseconds(200), repeating: .milliseconds(200))
    show()
    timer.activate()
  }

  /// Removes the line.
  func end() {
    timer.cancel()
    queue.sync { Self.show("") }
  }

  private static func show(_ text: String) {
    writeToStandardError("\r\u{1B}[K\(text)")
  }
}
