import Foundation
import _GraphSupport

/// Numbered entries with an index beside them: the archives of a series in a folder, or sets in a folder or an object store.
enum EntryCatalog: Sendable {
  case archives(URL)
  case sets(URL)
  case store(any GraphSetStore)

  static let archiveNames = NumberedName(prefix: "entry-", suffix: ".gcodable")
  static let setNames = NumberedName(prefix: "set-", suffix: "")

  /// For errors.
  var name: String {
    switch self {
    case .archives(let url), .sets(let url): url.path
    case .store: "the store"
    }
  }

  private var entryNames: NumberedName {
    if case .archives = self { Self.archiveNames } else { Self.setNames }
  }

  /// The name of an entry's file or folder.
  func name(_ number: Int) -> String { entryNames.name(number) }

  /// The path of an entry in a folder; its name in a store.
  func path(_ number: Int) -> String {
    if case .store = self { name(number) } else { "\(name)/\(name(number))" }
  }

  /// The names in it.
  ///
  /// - Throws: `file`.
  func names() throws -> [String] {
    switch self {
    case .archives(let url), .sets(let url): try FileManager.default.names(in: url.path)
    case .store(let store): try store.attempt("list", "the sets") { try store.names(in: "") }
    }
  }

  /// The numbers of its entries, and of those that have been begun.
  func numbers() throws -> Set<Int> { Set(try names().compactMap(entryNames.number)) }

  /// The index, empty if there is none; nil if it is unreadable.
  ///
  /// - Throws: `file` where a store does not tell.
  func index() throws -> FolderIndex? {
    switch self {
    // Entries that a folder does not list do not exist, whatever the index says.
    case .archives(let url), .sets(let url): FolderIndex(of: url.path) ?? FolderIndex()
    case .store(let store): try store.indexBytes().map { FolderIndex($0) } ?? FolderIndex()
    }
  }

  /// The files of a set.
  func set(_ number: Int) -> any SetFiles {
    switch self {
    case .archives(let url), .sets(let url): SetInFolder(url: url.appendingPathComponent(name(number)))
    case .store(let store): SetInStore(store: store, number: number)
    }
  }

  /// Whether there may be an entry, including when that is unknown.
  func isThere(_ number: Int) -> Bool {
    if case .store(let store) = self { return SetInStore(store: store, number: number).isThere }
    return FileManager.default.fileExists(atPath: path(number))
  }

  /// Reads what an entry says of itself.
  ///
  /// - Returns: nil if there is no such entry, or a set that has not been committed.
  /// - Throws: `damaged`; `file` when it cannot be read.
  func entry(_ number: Int) throws -> FolderEntry? {
    guard case .archives = self else { return try set(number).entry(number) }
    do { return try FolderEntry(reading: path(number), number: number) } catch let error as GCodableError {
      // Removed since the names were read.
      if error.posixCode == .ENOENT { return nil }
      throw error
    }
  }

  /// The error for an entry that the index has, and that has not been removed.
  func isGone(_ entry: FolderEntry) -> GCodableError {
    let which = if case .archives = self { "entry \(entry.number)" } else { "step \(entry.step)" }
    return GCodableError(.damaged, "\(path(entry.number)), \(which), is gone")
  }
}

/// Names of numbered files, such as `entry-000000000042.gcodable`.
struct NumberedName {
  let prefix: String
  let suffix: String

  func name(_ number: Int) -> String { prefix + Self.digits(number, atLeast: 12) + suffix }

  /// The number in a name; nil for other files.
  func number(of name: String) -> Int? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix),
      let number = Int(name.dropFirst(prefix.count).dropLast(suffix.count)),
      0...SeriesRecord.maximumNumber ~= number, self.name(number) == name
    else { return nil }
    return number
  }

  static func digits(_ number: Int, atLeast count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(count - digits.count, 0)) + digits
  }
}

extension FileManager {
  /// The names in a folder.
  ///
  /// - Throws: `file`.
  func names(in folder: String) throws -> [String] {
    do { return try contentsOfDirectory(atPath: folder) } catch {
      throw GCodableError(file: folder, "cannot list \(folder)", underlyingError: error)
    }
  }
}

extension GCodableError {
  /// The system's reason for the error.
  var posixCode: POSIXErrorCode? { (context.underlyingError as? POSIXError)?.code }

  /// The error for a file that has been cut, or replaced by another one.
  static func wrongSize(_ path: String, _ byteCount: UInt64, found: UInt64) -> GCodableError {
    GCodableError(
      .wrongSize, "\(path) should have \(byteCount) bytes but has \(found)",
      byteOffset: min(found, byteCount))
  }
}
