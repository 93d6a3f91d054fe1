import ArgumentParser
import Foundation
import GraphCodable

/// Restores lost bytes of a file from its parity.
struct RepairCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Restore lost bytes of a file from the parity beside it.",
    discussion: """
      FILE gets the bytes that it had when 'protect' made FILE.gcparity, or is left as it is. The exit status is 0 if all its \
      bytes are there now, and 1 if more is lost than can be restored: 'recover' then writes what is intact.
      """)

  @Argument(help: "A damaged file with parity.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong, help: "Where the repaired file goes. (default: in place of FILE)",
    completion: .file())
  var output: String?

  @Flag(help: "Only say what is lost.")
  var check = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !check || output == nil else { throw ValidationError("--check writes no file.") }
  }

  func write(to out: Output) throws {
    let repair: GraphRepair
    do {
      guard !isAddress(file) else {
        throw Failure(
          "\(shownName(file)): what is damaged is repaired here: download it", status: .validationFailure)
      }
      let url = fileURL(file)
      let newURL = try output.map { try writableURL($0) }
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(file, byteCount: fileByteCount(url), progress)
      defer { line?.end() }
      repair =
        try check
        ? GraphArchive.checkParity(url, progress: progress)
        : GraphArchive.repair(url, to: newURL, progress: progress)
    } catch { throw Failure(error, in: file) }
    let report = RepairReport(repair, file, isDone: !check)
    if json { try out.json(report) } else { for line in report.lines { try out.line(line) } }
    if check, !repair.isIntact { throw ExitCode.failure }
  }
}

/// What was lost of a file; its properties are the keys in JSON.
struct RepairReport: Encodable {
  let file: String
  let ok: Bool
  let sectors: Int
  let lostSectors: Int
  let restoredSectors: Int
  let parityWasDamaged: Bool
  let unprotectedBytes: UInt64

  init(_ repair: GraphRepair, _ file: String, isDone: Bool) {
    self.file = file
    ok = repair.isIntact || isDone
    sectors = repair.sectorCount
    lostSectors = repair.lostSectorCount
    restoredSectors = repair.restoredSectorCount
    parityWasDamaged = repair.parityWasDamaged
    unprotectedBytes = repair.unprotectedByteCount
  }

  /// For people.
  var lines: [String] {
    var lines: [String] = []
    if lostSectors == 0 {
      lines.append("\(file): nothing is lost")
    } else {
      lines.append(
        "\(file): \(grouped(lostSectors)) of \(count(sectors, "sector", "sectors")) were lost, \(grouped(restoredSectors)) can be restored"
      )
    }
    if parityWasDamaged { lines.append("\(file): the parity was damaged") }
    if unprotectedBytes > 0 {
      lines.append("\(file): \(count(unprotectedBytes, "byte", "bytes")) at the end are not protected")
    }
    return lines
  }
}
