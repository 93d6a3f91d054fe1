import ArgumentParser
import Foundation
import GraphCodable

/// Writes an archive anew with other compression or precision.
struct RepackCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "repack",
    abstract: "Write an archive anew, with other compression or precision.",
    discussion: """
      No type is needed: the graph stays what it is, byte for byte, and large arrays are filtered and compressed anew. \
      The new archive takes the place of the old one when it is complete, unless another name is given.
      """)

  @Argument(help: "An archive.", completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The new archive. (default: FILE)", completion: .file())
  var output: String?

  @Option(help: "How blocks are compressed: none, lz4 or lz4hc.")
  var codec = Codec.lz4

  @Option(help: "The level of lz4hc, 1 to 12.")
  var level = 9

  @Option(help: "Round the floating-point numbers of large arrays: absolute:0.001, relative:1e-6 or bits:12.")
  var precision: PrecisionArgument?

  @Flag(help: "Print JSON.")
  var json = false

  /// How blocks are compressed.
  enum Codec: String, CaseIterable, ExpressibleByArgument { case none, lz4, lz4hc }

  func validate() throws {
    guard (1...12).contains(level) else { throw ValidationError("--level is 1 to 12.") }
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
      guard case .archive(let url) = try StoredFile(file).content else {
        throw Failure("\(file): a series is not repacked; extract its entries", status: .validationFailure)
      }
      let archive = try GraphArchive(url)
      let oldByteCount = try archive.info.byteCount
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(file, byteCount: oldByteCount, progress)
      defer { line?.end() }
      let newURL = output.map(fileURL) ?? url
      try encoder.repack(archive, to: newURL, progress: progress)
      report = Report(
        file: file, output: output ?? file, oldBytes: oldByteCount,
        bytes: try GraphArchive(newURL).info.byteCount)
    } catch { throw Failure(error, in: file) }
    if json { return try out.json(report) }
    try out.line("\(report.output): \(grouped(report.bytes)) bytes, \(grouped(report.oldBytes)) before")
  }

  private var encoder: GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression =
      switch codec {
      case .none: .none
      case .lz4: .lz4
      case .lz4hc: .lz4hc(level: level)
      }
    encoder.precision = precision?.precision
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
