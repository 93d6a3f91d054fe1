import ArgumentParser
import Foundation
import GraphCodable

/// An archive: that of a file, or of an entry of a series.
struct Snapshot {
  /// The file's name.
  let file: String
  let source: Source

  enum Source {
    case file(ArchiveFile)
    case entry(GraphArchiveSeries.Entry)
    case message(GraphMessage)
  }

  /// - Throws: `valueNotFound` when there is no such entry, `Failure` where there can be none.
  init(_ file: StoredFile, _ choice: EntryChoice?) throws {
    self.file = file.name
    switch file.content {
    case .archive(let archive):
      guard choice == nil else { throw file.hasNoEntries }
      source = .file(archive)
    case .series(let series):
      source = .entry(try (choice ?? .last).entry(of: series))
    case .messages(let messages): source = .message(try messages.message(choice))
    case .set, .setSeries: throw file.isNoArchive(choice)
    }
  }

  /// The entry of a series that it is.
  var entry: GraphArchiveSeries.Entry? {
    guard case .entry(let entry) = source else { return nil }
    return entry
  }

  /// The file's name, with the entry's number if it has one.
  var name: String {
    switch source {
    case .file: file
    case .entry(let entry): "\(file), entry \(entry.number)"
    case .message(let message): "\(file), message \(message.number)"
    }
  }

  /// The number of the entry or the message that it is.
  var number: Int? {
    switch source {
    case .file: nil
    case .entry(let entry): entry.number
    case .message(let message): Int(clamping: message.number)
    }
  }

  /// Does work with the archive; whatever goes wrong is told with its name, and damage with its place in the file.
  func naming<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do {
      return try body()
    } catch var error as GCodableError where error.code == .damaged {
      // Other errors may be about values, whose places are those in the graph stream.
      error.byteOffset = error.byteOffset.map { entry?.place(ofByte: $0) ?? $0 }
      throw Failure(error, in: name)
    } catch {
      throw Failure(error, in: name)
    }
  }

  func archive() throws -> GraphArchive {
    switch source {
    case .file(let archive): try archive.open()
    case .entry(let entry): try GraphArchive(entry)
    case .message(let message): try message.archive()
    }
  }
}
