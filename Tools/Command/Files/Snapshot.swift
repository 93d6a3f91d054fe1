import ArgumentParser
import Foundation
import GraphCodable

/// An archive: that of a file, or of an entry of a series.
struct Snapshot {
  /// The file's name, with the entry's number if it has one.
  let name: String
  let source: Source

  enum Source {
    case file(URL)
    case entry(GraphArchiveSeries.Entry)
  }

  /// - Throws: `Failure` when there is no such entry.
  init(_ file: StoredFile, _ choice: EntryChoice?) throws(Failure) {
    switch file.content {
    case .archive(let url):
      guard choice == nil else {
        throw Failure("\(file.name): a single archive has no entries to choose from", status: .validationFailure)
      }
      (name, source) = (file.name, .file(url))
    case .series(let series):
      let entry = try (choice ?? .last).entry(of: series, in: file.name)
      (name, source) = ("\(file.name), entry \(entry.number)", .entry(entry))
    }
  }
}
