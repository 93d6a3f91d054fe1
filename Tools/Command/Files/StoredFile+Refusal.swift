import GraphCodable

extension StoredFile {
  /// Says that there is no entry to choose.
  var hasNoEntries: Failure {
    refusal("a single \(kind == .set ? "set" : "archive") has no entries to choose from")
  }

  /// Says which archive of a set to name, where a command needs one.
  ///
  /// - Parameter choice: the set that was chosen in a series of sets; the last one if none was.
  func isNoArchive(_ choice: EntryChoice?) -> Failure {
    let (text, example) =
      switch content {
      case .set(let set):
        ("a set of \(count(set.partCount, "archive", "archives")); name one", firstPart(of: set))
      case .setSeries(let series):
        ("a series of sets; name an archive of one of them", firstPart(of: choice, in: series))
      case .archive, .series, .messages: ("no single archive", String?.none)
      }
    return refusal(text + (example.map { ", as \($0)" } ?? ""))
  }

  /// Says why a command cannot take the file.
  func refusal(_ reason: String) -> Failure { Failure("\(name): \(reason)", status: .validationFailure) }

  private func firstPart(of choice: EntryChoice?, in series: GraphArchiveSetSeries) -> String? {
    guard let entry = try? (choice ?? .last).entry(of: series), let set = try? GraphArchiveSet(entry)
    else { return nil }
    return firstPart(of: set, in: entry.url.lastPathComponent)
  }

  /// The name of the first part, as it would be given on the command line.
  private func firstPart(of set: GraphArchiveSet, in folder: String? = nil) -> String? {
    ([name.hasSuffix("/") ? String(name.dropLast()) : name] + [folder, set.partURL(0).lastPathComponent])
      .compactMap(\.self).joined(separator: "/")
  }
}
