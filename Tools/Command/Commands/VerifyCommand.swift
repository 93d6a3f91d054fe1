import ArgumentParser
import Foundation
import GraphCodable

/// Compares all checksums.
struct VerifyCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare every byte of archives and series with its checksums.")

  @Argument(help: "Archives, or series of archives.", completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp("Only this entry of each series: its number, or 'last'.", valueName: "n|last"))
  var entry: EntryChoice?

  @Flag(help: "Print JSON.")
  var json = false

  func write(to output: Output) throws {
    var findings: [Finding] = []
    for file in files {
      let finding = try Verification(file, entry).finding()
      findings.append(finding)
      guard !json else { continue }
      for line in finding.lines { try output.line(line) }
      // In the order in which they come about, also where both go to the same place.
      try output.flush()
      for failure in finding.failures { failure.print() }
    }
    if json { try output.json(findings) }
    if findings.contains(where: \.isDamaged) { throw ExitCode.failure }
    if findings.contains(where: { !$0.ok }) { throw ExitCode.unreadable }
  }
}
