import Foundation

/// A folder of this run's own for the files that are written and read.
struct ScratchFolder {
  let url: URL

  init(in parent: URL) throws {
    url = parent.appendingPathComponent("benchmarks-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}
