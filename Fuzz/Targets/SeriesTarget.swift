import Foundation
import GraphCodable

extension FuzzTarget {
  /// Files of several archives: listed, read, verified and continued.
  static let series = FuzzTarget(
    name: "series", form: .series,
    seeds: {
      // With large texts, blocks of the graph stream are shared.
      try [(0, ""), (1, ""), (3, ""), (2, String(repeating: "large ", count: 500))].map { count, text in
        try seed(.blocks) { writer in
          for number in 0..<count {
            let encoder = GraphEncoder()
            encoder.compression = .none
            try encoder.append(
              (0...number).map { "text \($0)" } + [text], to: writer, step: number, time: Double(number),
              metadata: number == 1 ? [:] : ["a": "b", "number": "\(number)"])
          }
        }
      } + [
        // Arrays that the entry before has, and arrays as differences to those of a key entry.
        seed(.blocks) { writer in
          let numbers = (0..<3_000).map { Double($0 / 100) }
          for step in 0..<2 { try GraphEncoder().append(numbers, to: writer, step: step, time: 0) }
        },
        seed(.differences(keyInterval: 2)) { writer in
          for step in 0..<3 {
            let numbers = (0..<3_000).map { Double($0 / 100) + ($0 % 997 == step ? 1 : 0) }
            try GraphEncoder().append(numbers, to: writer, step: step, time: 0)
          }
        },
      ]
    },
    run: { bytes in
      try withFile(bytes) { url in
        for isThorough in [false, true] {
          try accepts("series") {
            let series = try GraphArchiveSeries(url, isThorough: isThorough)
            for entry in series.prefix(20) {
              try accepts("entry") { _ = try GraphDecoder().read([String].self, from: entry) }
              try accepts("entry") { _ = try GraphDecoder().read([Double].self, from: entry) }
              try accepts("entry") { try GraphDecoder().verify(entry) }
              try accepts("entry") { _ = try entry.archive() }
            }
            try accepts("series") { try GraphDecoder().verify(series) }
          }
        }
        try accepts("append") {
          let offsets = try GraphArchiveSeries(url, isThorough: true).map(\.offset)
          try GraphEncoder().append("next", to: GraphArchiveSeries.Writer(url), step: -7, time: 0)
          let series = try GraphArchiveSeries(url, isThorough: true)
          guard series.dropLast().map(\.offset) == offsets, let last = series.last, last.step == -7 else {
            throw Finding("entries at \(offsets) became those at \(series.map(\.offset))")
          }
          guard try GraphArchiveSeries(url).map(\.offset) == series.map(\.offset) else {
            throw Finding("not all entries are listed where the file ends with one")
          }
          guard try GraphDecoder().read(String.self, from: last) == "next" else {
            throw Finding("the entry that was appended is another")
          }
        }
      }
    })

  /// The file of a series that `append` writes to.
  private static func seed(
    _ sharing: GraphArchiveSeries.Writer.Sharing, _ append: (GraphArchiveSeries.Writer) throws -> Void
  ) throws -> Bytes {
    try withFile([]) { url in
      try FileManager.default.removeItem(at: url)
      let writer = try GraphArchiveSeries.Writer(url)
      writer.sharing = sharing
      try append(writer)
      return Bytes(try Data(contentsOf: url))
    }
  }
}
