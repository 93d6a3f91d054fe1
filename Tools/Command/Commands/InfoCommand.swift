import ArgumentParser
import GraphCodable

/// Says what a file is and what it consists of.
struct InfoCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what a file is, and what an archive consists of or which entries a series has.")

  @Argument(help: "An archive, or a series of archives.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp(
      "Describe the archive of an entry: its number, or 'last'. (default: list the entries)",
      valueName: "n|last"))
  var entry: EntryChoice?

  @Flag(help: "Print JSON.")
  var json = false

  func write(to output: Output) throws {
    do {
      let stored = try StoredFile(file)
      if case .series(let series) = stored.content, entry == nil {
        let information = SeriesInformation(series, of: stored)
        return json ? try output.json(information) : try information.write(to: output)
      }
      let snapshot = try Snapshot(stored, entry)
      let information = try snapshot.naming { try ArchiveInformation(snapshot) }
      if json { try output.json(information) } else { try information.write(to: output) }
    } catch { throw Failure(error, in: file) }
  }
}
