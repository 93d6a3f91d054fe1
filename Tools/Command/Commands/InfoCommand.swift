import ArgumentParser
import GraphCodable

/// Says what a file is and what it consists of.
struct InfoCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describe a file: what an archive or a set consists of, or which entries a series has.")

  @Argument(help: "An archive, a set, or a series of archives or sets.", completion: .file())
  var file: String

  @OptionGroup(title: "Options for the archive, or the set, of an entry in place of a list of entries")
  var entry: EntryOptions

  @Flag(
    help: "Print a hash of the archive's values, which stays the same when it is repacked. All of it is read."
  )
  var identity = false

  @Flag(help: "Print JSON.")
  var json = false

  func write(to output: Output) throws {
    do {
      let information = try information(on: StoredFile(file))
      if json { try output.json(information) } else { try information.write(to: output) }
    } catch { throw Failure(error, in: file) }
  }

  /// Whether a single archive is described.
  private func isArchive(_ file: StoredFile) -> Bool {
    switch file.content {
    case .archive: true
    case .series, .messages: entry.choice != nil
    case .set, .setSeries: false
    }
  }

  private func information(on file: StoredFile) throws -> any Information {
    if identity, !isArchive(file) {
      throw Failure(
        "\(self.file): --identity is for an archive, or for an entry of a series: see --entry",
        status: .validationFailure)
    }
    switch (file.content, entry.choice) {
    case (.series(let series), nil): return SeriesInformation(series, of: file)
    case (.setSeries(let series), nil): return SeriesInformation(series, of: file)
    case (.setSeries(let series), let choice?):
      let entry = try choice.entry(of: series)
      return try SetInformation(GraphArchiveSet(entry), of: file, entry)
    case (.messages(let messages), nil): return try MessagesInformation(messages, of: file)
    case (.set(let set), nil): return try SetInformation(set, of: file)
    case (.set, _): throw file.hasNoEntries
    case (.archive, _), (.series, _), (.messages, _):
      let snapshot = try Snapshot(file, entry.choice)
      return try snapshot.naming { try ArchiveInformation(snapshot, identity: identity) }
    }
  }
}
