import ArgumentParser
import GraphCodable

/// Says which archive a command looks into.
struct SnapshotArguments: ParsableArguments {
  @Argument(
    help: "An archive, or a series of archives: a file, its address, or - for standard input.",
    completion: .file())
  var file: String

  @OptionGroup var entry: EntryOptions

  /// Opens the archive for `body`; whatever goes wrong is told with its name.
  ///
  /// - Parameters:
  ///   - stored: the file, if it has been opened: standard input can be read once.
  ///   - path: what is looked for; a key in it that is not there may be a slip.
  func withSnapshot<Result>(
    of stored: StoredFile? = nil, at path: GraphPath? = nil, _ body: (Snapshot) throws -> Result
  ) throws(Failure) -> Result {
    do {
      let snapshot = try Snapshot(stored ?? StoredFile(file), entry.choice)
      return try snapshot.naming {
        do { return try body(snapshot) } catch var error as GCodableError where error.code == .keyNotFound {
          if let path, let key = try? Suggestion.key(in: path, for: error, snapshot.archive()) {
            error.context.debugDescription += "; did you mean '\(key)'?"
          }
          throw error
        }
      }
    } catch {
      throw Failure(error, in: file)
    }
  }
}
