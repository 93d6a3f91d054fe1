import Foundation

/// A line on a terminal that says how far long work is, how fast it goes and how long it will take; it goes when the work is
/// done.
final class ProgressLine {
  private let timer: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "progress")
  private let subject: String
  private let byteCount: UInt64
  private let start = ContinuousClock.now
  // Used on `queue` alone.
  private let isVisible = Visibility()

  private final class Visibility: @unchecked Sendable { var isTrue = false }

  /// Work on so much is shown at once, and on less when it turns out to take long.
  static let minimumByteCount: UInt64 = 64 << 20
  private static let delay = 400
  /// Work that took longer has a line about what it came to.
  private static let longWork = Duration.seconds(1)

  /// Shows the line until `end` is called; nil if it would not be visible.
  ///
  /// - Parameters:
  ///   - subject: what is worked on.
  ///   - byteCount: how many bytes it has.
  ///   - ratio: how many bytes there are before compression for each of them, where that is known; not asked for where the line
  ///     would not be visible.
  ///   - progress: is looked at five times a second.
  init?(_ subject: String, byteCount: UInt64, ratio: @autoclosure () -> Double? = nil, _ progress: Progress) {
    guard let width = Self.terminalWidth else { return nil }
    let ratio = ratio()
    let subject = shownName(subject).visible
    (self.subject, self.byteCount) = (subject, byteCount)
    let (start, isVisible) = (start, isVisible)
    func show() {
      isVisible.isTrue = true
      let text = Self.text(
        subject, progress.fractionCompleted, of: byteCount, ratio: ratio, after: ContinuousClock.now - start)
      // A line that is longer than the terminal would not go.
      Self.show(String(text.suffix(max(width - 1, 0))))
    }
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { show() }
    let isLong = byteCount >= Self.minimumByteCount
    timer.schedule(deadline: .now() + .milliseconds(isLong ? 200 : Self.delay), repeating: .milliseconds(200))
    if isLong { queue.sync { show() } }
    timer.activate()
  }

  /// What the line says.
  static func text(
    _ subject: String, _ fraction: Double, of byteCount: UInt64, ratio: Double? = nil, after elapsed: Duration
  ) -> String {
    let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let text =
      "\(subject): \(Int(share * 100)) % of \(decimalSize(byteCount))"
      + (ratio.map { ", ratio \(decimal($0, digits: 2))" } ?? "")
    let seconds = elapsed / .seconds(1)
    // Before that, both would jump.
    guard share > 0, seconds >= 0.5 else { return text }
    return
      "\(text), \(rate(share * Double(byteCount), seconds)), \(timeText(seconds * (1 - share) / share)) left"
  }

  private static func rate(_ byteCount: Double, _ seconds: Double) -> String {
    "\(decimalSize(UInt64(min(byteCount / max(seconds, 1e-6), 1e18))))/s"
  }

  /// Seconds, or minutes and seconds, or hours and minutes.
  static func timeText(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 1e9))
    if whole < 60 { return "\(whole) s" }
    return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// Removes the line; after long work one takes its place that says how fast it was, and what became of the bytes.
  ///
  /// - Parameter newByteCount: of the file that was written.
  func end(newByteCount: UInt64? = nil) {
    timer.cancel()
    let elapsed = ContinuousClock.now - start
    var last = ""
    if let newByteCount, elapsed >= Self.longWork {
      let seconds = elapsed / .seconds(1)
      let ratio = Double(byteCount) / Double(max(newByteCount, 1))
      last =
        "\(subject): \(decimalSize(byteCount)) in \(decimal(seconds, digits: 1)) s, "
        + "\(Self.rate(Double(byteCount), seconds)), ratio \(decimal(ratio, digits: 2))\n"
    }
    queue.sync {
      if isVisible.isTrue || !last.isEmpty { Self.show(last) }
      isVisible.isTrue = false
    }
  }

  /// The width of the terminal that standard error is; nil if it is none, or none that can remove a line.
  private static var terminalWidth: Int? {
    guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
      return nil
    }
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  private static func show(_ text: String) {
    writeToStandardError("\r\u{1B}[K\(text)")
  }
}
