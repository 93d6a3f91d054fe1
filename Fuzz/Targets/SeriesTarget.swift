import Foundation
import GraphCodable

extension FuzzTarget {
  /// Files of several archives: listed, read, verified and continued.
  static let series = FuzzTarget(
    name: "series", form: .series,
    seeds: {
      // With large texts, blocks of the graph stream are shared.
      try [(0, ""), (1, ""), (3, ""), (2, String(repeating: "large ", count: 500))].map { count, text in
        try withFile([]) { url in
          try FileManager.default.removeItem(at: url)
          let writer = try GraphArchiveSeries.Writer(url)
          for number in 0..<count {
            let encoder = GraphEncoder()
            encoder.compression = .none
            try encoder.append(
              (0...number).map { "text \($0)" } + [text], to: writer, step: number, time: Double(number),
              metadata: number == 1 ? [:] : ["a": "b", "number": "\(number)"])
          }
          return Bytes(try Data(contentsOf: url))
        }
      }
    },
    run: { bytes in
      try withFile(bytes) { url in
        for isThorough in [false, true] {
          try accepts("series") {
            let series = try GraphArchiveSeries(url, isThorough: isThorough)
            for entry in series.prefix(20) {
              try accepts("entry") { _ = try GraphDecoder().read([String].self, from: entry) }
              try accepts("entry") { try GraphDecoder().verify(entry) }
              try accepts("entry") { _ = try entry.archive() }
            }
            try accepts("series") { try GraphDecoder().verify(series) }
          }
        }
        try accepts("append") {
          let count = try GraphArchiveSeries(url, isThorough: true).count
          try GraphEncoder().append("next", to: GraphArchiveSeries.Writer(url), step: -7, time: 0)
          let series = try GraphArchiveSeries(url, isThorough: true)
          guard series.count == count + 1, let last = series.last, last.step == -7 else {
            throw Finding("\(count) entries became \(series.count)")
          }
          guard try GraphDecoder().read(String.self, from: last) == "next" else {
            throw Finding("the entry that was appended is another")
          }
        }
      }
    })

  private static func withFile<Result>(_ bytes: Bytes, _ body: (URL) throws -> Result) throws -> Result {
    // In memory, where there is such a folder.
    let shared = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let folder =
      FileManager.default.isWritableFile(atPath: shared.path)
      ? shared : FileManager.default.temporaryDirectory
    let url = folder.appendingPathComponent("graphcodable-fuzz-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(bytes).write(to: url)
    return try body(url)
  }
}
