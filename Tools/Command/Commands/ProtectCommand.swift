import ArgumentParser
import Foundation
import GraphCodable

/// Writes parity beside files.
struct ProtectCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "protect",
    abstract: "Write parity beside a file, from which 'repair' restores lost bytes.",
    discussion: """
      The parity of FILE is FILE.gcparity; FILE itself is not changed. Of a folder, all archives and series in it are \
      protected, so sets, and series in folders, are. With the default of 2%, any burst of up to 1% of a file comes back, and \
      so do scattered sectors of 4 KiB, up to 0.1% of all.
      """)

  @Argument(help: "An archive, a series, a set or a folder.", completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The size of the parity, in percent of the file, from 0.5 to 100.")
  var percent = 2.0

  func validate() throws {
    guard (0.5...100).contains(percent) else { throw ValidationError("The size is from 0.5 to 100 percent.") }
  }

  func write(to out: Output) throws {
    do {
      guard !isAddress(file) else {
        throw Failure("\(shownName(file)): only files here are protected", status: .validationFailure)
      }
      let url = fileURL(file)
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let line = ProgressLine(
        file, byteCount: fileByteCount(url), ratio: compressionRatio(ofFile: file), progress)
      defer { line?.end() }
      let byteCount = try GraphArchive.protect(url, redundancy: .percent(percent), progress: progress)
      line?.end()
      try out.line("\(file): \(count(byteCount, "byte", "bytes")) of parity")
    } catch { throw Failure(error, in: file) }
  }
}

/// How large a file is; no number of bytes of a folder.
func fileByteCount(_ url: URL) -> UInt64 {
  let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
  return attributes?[.type] as? FileAttributeType == .typeDirectory
    ? 0 : (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
}
