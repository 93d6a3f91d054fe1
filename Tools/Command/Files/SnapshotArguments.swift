import ArgumentParser

/// Says which archive a command looks into.
struct SnapshotArguments: ParsableArguments {
  @Argument(help: "An archive, or a series of archives.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("Which entry of a series: its number, or 'last'. (default: last)", valueName: "n|last")
  )
  var entry: EntryChoice?

  /// Opens the archive for `body`; whatever goes wrong is told with its name.
  func withSnapshot<Result>(_ body: (Snapshot) throws -> Result) throws(Failure) -> Result {
    var name = file
    do {
      let snapshot = try Snapshot(StoredFile(file), entry)
      name = snapshot.name
      return try body(snapshot)
    } catch {
      throw Failure(error, in: name)
    }
  }
}
