import ArgumentParser
import Foundation
import GraphCodable

/// Writes the intact parts of a damaged file into a new one.
struct RecoverCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Write everything intact in a damaged archive or series into a new one, and list what is lost.",
    discussion: """
      The damaged file is only read. Lost elements of arrays become NaN or zero, lost objects are left out, and what \
      nothing leads to any more is under 'recovered'. The exit status is 0 if nothing is lost, and 1 otherwise; the new \
      file is written in both cases, unless nothing is intact.
      """)

  @Argument(help: "A damaged archive, or a damaged series.", completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The new file.", completion: .file())
  var output: String

  @Flag(help: "Print JSON.")
  var json = false

  func write(to out: Output) throws {
    let report: RecoveryReport
    do {
      let newURL = try writableURL(output)
      guard !isAddress(file) else {
        throw Failure(
          "\(shownName(file)): what is damaged is recovered here: download it", status: .validationFailure)
      }
      let url = fileURL(file)
      if StoredFolder(url)?.hasSets == true { throw try StoredFile(file).isNoArchive(nil) }
      var status = stat()
      let byteCount = stat(url.path, &status) == 0 ? UInt64(status.st_size) : 0
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(file, byteCount: byteCount, progress)
      defer { line?.end() }
      report = try Transfer(inputs: [file], output: output).run {
        RecoveryReport(try GraphArchive.recover(url, to: newURL, progress: progress), file, output)
      }
    } catch { throw Failure(error, in: file) }
    if json { try out.json(report) } else { for line in report.lines { try out.line(line) } }
    if !report.ok { throw ExitCode.failure }
  }
}
