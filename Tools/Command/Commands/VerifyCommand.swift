import ArgumentParser
import Foundation
import GraphCodable

/// Compares all checksums.
struct VerifyCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare every byte of archives, series and sets with its checksums.",
    discussion: """
      All parts of a set are checked, and compared with its manifest. In a folder that is neither a set nor a series, all \
      sets, series and files that begin like archives, series or streams of messages, or are named like them, are checked, \
      including those in subfolders, and a last line says how many there were.
      """)

  @Argument(help: "Archives, sets, series of archives or sets, or folders.", completion: .file())
  var files: [String]

  @OptionGroup(title: "Options for one entry of each series in place of all") var entry: EntryOptions

  @Flag(help: "Print JSON.")
  var json = false

  func write(to output: Output) throws {
    var findings: [Finding] = []
    let search = try FileSearch(files)
    for file in search.files {
      let finding = try Verification(file, entry.choice).finding()
      findings.append(finding)
      guard !json else { continue }
      for line in finding.lines { try output.line(line) }
      // In the order in which they come about, also where both go to the same place.
      try output.flush()
      for failure in finding.failures { failure.print() }
    }
    if json {
      try output.json(findings)
    } else if search.folderCount > 0 {
      try output.line(summary(findings))
    }
    if findings.contains(where: \.isDamaged) { throw ExitCode.failure }
    if findings.contains(where: { !$0.ok }) { throw ExitCode.unreadable }
  }

  /// How many files there were, and how many of them are what.
  private func summary(_ findings: [Finding]) -> String {
    let (sound, damaged) = (findings.count(where: \.ok), findings.count(where: \.isDamaged))
    let unreadable = findings.count - sound - damaged
    let hasSets = findings.contains { $0.kind == .set || $0.kind == .setSeries }
    let number =
      hasSets
      ? "\(grouped(findings.count)) files and sets" : count(findings.count, "file", "files")
    return [
      "\(number): \(grouped(sound)) OK",
      damaged > 0 ? "\(grouped(damaged)) damaged" : nil,
      unreadable > 0 ? "\(grouped(unreadable)) cannot be read" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}
