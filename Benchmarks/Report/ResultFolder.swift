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
    let pictures = [
      ("comparison.svg", "Time as a multiple of GraphCodable's", ComparisonPlot(reports: reports).svg),
      ("time-per-unit.svg", GrowthPlot.times.title, GrowthPlot.times.svg(reports)),
      ("bytes-per-unit.svg", GrowthPlot.sizes.title, GrowthPlot.sizes.svg(reports)),
    ]
    var page = ["# Results of the benchmark suite", ""]
    for case (let name, let title, let svg?) in pictures {
      try write(svg, to: name)
      page += ["![\(title)](\(name))", ""]
    }
    page += ["```"] + lines + ["```"]
    try write(page.joined(separator: "\n") + "\n", to: "README.md")
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(to: url.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }
}
