import Foundation
import GraphCodable

/// Numbers that forged files may contain, and what is tried with such files.
package enum Forgeries {
  /// The ends of the ranges of integers, with their neighbours.
  package static let extremes: [UInt64] = [
    0, 1, 2, 1 << 31 - 1, 1 << 31, 1 << 31 + 1, 1 << 32 - 1, 1 << 32, 1 << 63 - 40, 1 << 63 - 2, 1 << 63 - 1,
    1 << 63, 1 << 63 + 1, .max - 63, .max - 1, .max,
  ]

  /// In place of a number: the extremes, its neighbours, and what is aligned as it is.
  package static func numbers(for value: UInt64) -> [UInt64] {
    let neighbours = [value &- 64, value &- 1, value &+ 1, value &+ 64]
    return (extremes + neighbours).filter { $0 != value }
  }

  /// Notes what a process tries next, for the waiting process: the attempt may end it.
  package static func say(_ text: String, in log: String) {
    try? Data(text.utf8).write(to: url(log))
  }

  /// What a process has tried last, which is forgotten.
  package static func last(in log: String) -> String {
    defer { try? FileManager.default.removeItem(at: url(log)) }
    return (try? Data(contentsOf: url(log))).map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
  }

  private static func url(_ log: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("graphcodable-forged-\(log)")
  }

  /// Does what may fail, with an error of the library.
  ///
  /// - Throws: any other error.
  package static func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch is GCodableError {}
  }
}

extension Forgeries {
  /// Does with a series whatever can be done with one.
  ///
  /// - Parameter copy: the name of a file that may be written.
  package static func exercise(_ url: URL, copy: URL, isReading: Bool = false) throws {
    for isThorough in [false, true] {
      try attempt { try exercise(GraphArchiveSeries(url, isThorough: isThorough)) }
    }
    if isReading { return }
    try attempt { try GraphArchiveSeries(url).copy(to: copy, progress: .discreteProgress(totalUnitCount: 0)) }
    try attempt {
      _ = try GraphArchive.recover(url, to: copy, progress: .discreteProgress(totalUnitCount: 0))
    }
    try attempt {
      try GraphEncoder().repack(
        GraphArchiveSeries(url), to: copy, progress: .discreteProgress(totalUnitCount: 0))
    }
    try attempt {
      let writer = try GraphArchiveSeries.Writer(url)
      try attempt { try GraphEncoder().append([1, 2], to: writer, step: 1, time: 1) }
      try attempt { try writer.retain(last: 2, progress: .discreteProgress(totalUnitCount: 0)) }
    }
  }

  /// Reads all of a series.
  package static func exercise(_ series: GraphArchiveSeries) throws {
    _ = (
      series.byteCount, series.damage.map { "\($0)" }, series.entry(nearestToTime: 1), series.entry(atStep: 1)
    )
    try attempt { try GraphDecoder().verify(series, progress: .discreteProgress(totalUnitCount: 0)) }
    for entry in series {
      _ = (entry.metadata, "\(entry)")
      try attempt { _ = try entry.fileOffset(ofByte: entry.byteCount &- 1) }
      try attempt { _ = try entry.fileOffset(ofByte: .max) }
      try attempt { try GraphDecoder().verify(entry, progress: .discreteProgress(totalUnitCount: 0)) }
      try attempt { _ = try entry.archive() }
      try attempt {
        let archive = try GraphArchive(entry)
        try attempt { _ = try archive.info }
        try attempt { _ = try archive.statistics(progress: .discreteProgress(totalUnitCount: 0)) }
        try attempt { _ = try archive.damage() }
        try attempt { _ = try archive.rawArray(at: "moving")[0..<10] }
      }
    }
  }
}
