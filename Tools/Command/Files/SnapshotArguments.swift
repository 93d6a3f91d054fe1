import ArgumentParser

/// Says which archive a command looks into.
struct SnapshotArguments: ParsableArguments {
  @Argument(help: "An archive, or a series of archives: a file, or its address.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("Which entry of a series: its number, or 'last'. (default: last)", valueName: "n|last")
  )
  var entry: EntryChoice?

  /// Opens the archive for `body`; whatever goes wrong is told with its name.
  func withSnapshot<Result>(_ body: (Snapshot) throws -> Result) throws(Failure) -> Result {
    do {
      let snapshot = try Snapshot(StoredFile(file), entry)
      return try snapshot.naming { try body(snapshot) }
    } catch {
      throw Failure(error, in: file)
    }
  }
}
