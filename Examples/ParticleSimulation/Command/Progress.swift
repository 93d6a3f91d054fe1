import Foundation
import ParticleModel

/// A bar on a terminal, and a line now and then where the output is a file or a pipe.
///
/// It writes to standard error, so that the results on standard output stay clean.
final class Progress {
  private let total: Int
  private let unit: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastDraw: ContinuousClock.Instant?
  private var lastTenth = 0
  private var line = ""

  init(total: Int, unit: String) {
    self.total = total
    self.unit = unit
    start = clock.now
  }

  /// Shows that `count` of the total are done.
  func update(_ count: Int, _ text: String) {
    let tenth = count * 10 / max(total, 1)
    let share = Double(count) / Double(max(total, 1))
    let milliseconds = (clock.now - start) / .milliseconds(1) / Double(max(count, 1))
    line = "\(unit) \(count)/\(total)  \(text)  \(decimal(milliseconds, 1)) ms/\(unit)"
    if isTerminal {
      // Ten times a second is as much as anyone sees.
      if let lastDraw, clock.now - lastDraw < .milliseconds(100), count < total { return }
      lastDraw = clock.now
      let width = 30
      let filled = Int(share * Double(width))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      write("\r\u{1B}[K\(bar) \(line)")
    } else if tenth > lastTenth {
      lastTenth = tenth
      write("\(line)\n")
    }
  }

  /// Shows a line that stays.
  func note(_ text: String) {
    write(isTerminal ? "\r\u{1B}[K\(text)\n" : "\(text)\n")
  }

  /// Ends the bar.
  func finish() {
    if isTerminal { write("\r\u{1B}[K\(line)\n") }
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
