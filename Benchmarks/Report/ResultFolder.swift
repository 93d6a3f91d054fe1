import Foundation

/// A folder with all that a run has found: for readers, for programs, and as pictures.
struct ResultFolder {
  let url: URL

  /// Makes the folder if it is not there, and writes its files in place of those that are.
  ///
  /// - Parameters:
  ///   - lines: what the run prints at its end.
  func write(_ lines: [String], _ report: JSONReport, _ reports: [WorkloadReport]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try report.write(to: url.appendingPathComponent("results.json"))
    try write(lines.joined(separator: "\n") + "\n", to: "tables.txt")
    try write(ComparisonPlot(reports: reports).svg, to: "comparison.svg")
    try write(GrowthPlot.times.svg(reports), to: "time-per-unit.svg")
    try write(GrowthPlot.sizes.svg(reports), to: "bytes-per-unit.svg")
  }

  private func write(_ text: String?, to name: String) throws {
    try text?.write(to: url.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }
}
