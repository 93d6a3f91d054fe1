import ArgumentParser
import Foundation
import GraphCodable

/// Rewrites an archive or a series with other compression or precision.
struct RepackCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "repack",
    abstract: "Rewrite an archive or a series with other compression or precision.",
    discussion: """
      No types are needed: graphs are copied byte for byte, and large arrays are filtered and compressed again. \
      The new file replaces the old one when it is complete, unless another name is given. Without -o a series must not \
      be appended to meanwhile.
      """)

  @Argument(help: "An archive or a series.", completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The new file. (default: FILE)", completion: .file())
  var output: String?

  @Option(help: "How blocks are compressed: none, lz4, lz4hc or small.")
  var codec = Codec.lz4

  @Option(help: "The level of lz4hc, 1 to 12.")
  var level = 9

  @Option(help: "Round the floating-point numbers of large arrays: absolute:0.001, relative:1e-6 or bits:12.")
  var precision: PrecisionArgument?

  @Option(help: "What entries of a series share: blocks, differences or none. (default: blocks)")
  var sharing: Sharing?

  @Option(help: "With differences, how many entries there are from one key entry to the next. (default: 10)")
  var keyInterval: Int?

  @Flag(help: "Add a directory of large arrays, by which they are found without the rest of the graph.")
  var directory = false

  @Flag(
    help:
      "Read the new file back from the disk, and compare it with its checksums, before it replaces an earlier one."
  )
  var verifyAfterWrite = false

  @Flag(help: "Print JSON.")
  var json = false

  /// What entries of a series share.
  enum Sharing: String, CaseIterable, ExpressibleByArgument { case blocks, differences, none }

  /// How blocks are compressed.
  enum Codec: String, CaseIterable, ExpressibleByArgument { case none, lz4, lz4hc, small }

  func validate() throws {
    guard (1...12).contains(level) else { throw ValidationError("--level is 1 to 12.") }
    guard let keyInterval else { return }
    guard keyInterval >= 1 else { throw ValidationError("--key-interval is at least 1.") }
    guard sharing == .differences else {
      throw ValidationError("--key-interval is for --sharing differences.")
    }
  }

  private struct Report: Encodable {
    let file: String
    let output: String
    let oldBytes: UInt64
    let bytes: UInt64
  }

  func write(to out: Output) throws {
    let report: Report
    do {
      let stored = try StoredFile(file)
      switch stored.content {
      case .archive(let archive): report = try repack(archive.open())
      case .series(let series): report = try repack(series)
      case .messages: throw stored.refusal("a stream of messages is not repacked: its messages are small")
      case .set, .setSeries: throw stored.isNoArchive(nil)
      }
    } catch { throw Failure(error, in: file) }
    if json { return try out.json(report) }
    try out.line("\(report.output): \(grouped(report.bytes)) bytes, \(grouped(report.oldBytes)) before")
  }

  private func repack(_ archive: GraphArchive) throws -> Report {
    guard sharing == nil else {
      throw Failure("\(file): --sharing is for series, and this is an archive", status: .validationFailure)
    }
    let oldByteCount = try archive.info.byteCount
    let newURL = try writableURL(output ?? file)
    if isInPlace, isPart(newURL) {
      throw Failure(
        "\(file): a part of a set, which takes no other archive in its place; see -o",
        status: .validationFailure)
    }
    try transfer.run {
      try withProgress(oldByteCount, archive.compressionRatio, newURL) {
        try encoder.repack(archive, to: newURL, progress: $0)
      }
    }
    return Report(
      file: shownName(file), output: output ?? file, oldBytes: oldByteCount,
      bytes: try GraphArchive(newURL).info.byteCount)
  }

  /// Whether a set has the file: its manifest says what the part's header is.
  private func isPart(_ url: URL) -> Bool {
    guard SetNames.isPart(url.lastPathComponent) else { return false }
    let set = try? GraphArchiveSet(url.deletingLastPathComponent())
    return set.map { set in
      (0..<set.partCount).contains { set.partURL($0).lastPathComponent == url.lastPathComponent }
    } ?? false
  }

  private func repack(_ series: GraphArchiveSeries) throws -> Report {
    guard !isInPlace || !series.isFolder else {
      throw Failure("\(file): a folder is repacked into a file; see -o", status: .validationFailure)
    }
    let newURL = try writableURL(output ?? file)
    // Locks it.
    let writer = try isInPlace ? transfer.run { try GraphArchiveSeries.Writer(newURL) } : nil
    let old = writer?.series ?? series
    let sharing: GraphArchiveSeries.Writer.Sharing =
      switch sharing ?? .blocks {
      case .blocks: .blocks
      case .differences: .differences(keyInterval: keyInterval ?? 10)
      case .none: .none
      }
    try withExtendedLifetime(writer) {
      try transfer.run {
        try withProgress(old.byteCount, old.compressionRatio, newURL) {
          try encoder.repack(old, to: newURL, sharing: sharing, progress: $0)
        }
      }
    }
    return Report(
      file: shownName(file), output: output ?? file, oldBytes: old.byteCount,
      bytes: try GraphArchiveSeries(newURL).byteCount)
  }

  /// Whether the new file takes the place of the old one.
  private var isInPlace: Bool {
    guard let output else { return true }
    return !isAddress(file) && isSameFile(fileURL(output).path, fileURL(file).path)
  }

  private var transfer: Transfer { Transfer(inputs: [file], output: output ?? file) }

  private func withProgress(
    _ byteCount: UInt64, _ ratio: @autoclosure () -> Double?, _ newURL: URL, _ body: (Progress) throws -> Void
  ) throws {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let line = ProgressLine(file, byteCount: byteCount, ratio: ratio(), progress)
    var newByteCount: UInt64?
    defer { line?.end(newByteCount: newByteCount) }
    try body(progress)
    newByteCount = fileByteCount(newURL)
  }

  private var encoder: GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression =
      switch codec {
      case .none: .none
      case .lz4: .lz4
      case .lz4hc: .lz4hc(level: level)
      case .small: .small
      }
    encoder.precision = precision?.precision
    encoder.verifiesAfterWrite = verifyAfterWrite
    encoder.storesDirectory = directory
    return encoder
  }
}

/// A precision as `absolute:0.001`, `relative:1e-6` or `bits:12`.
struct PrecisionArgument: ExpressibleByArgument {
  let precision: GPrecision

  init?(argument: String) {
    let parts = argument.split(separator: ":")
    guard parts.count == 2, let number = Double(parts[1]) else { return nil }
    switch parts[0] {
    case "absolute": precision = .absolute(number)
    case "relative": precision = .relative(number)
    case "bits":
      guard let count = Int(parts[1]) else { return nil }
      precision = .bits(count)
    default: return nil
    }
  }
}
