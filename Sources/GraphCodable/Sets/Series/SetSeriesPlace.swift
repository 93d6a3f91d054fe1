import Foundation

/// Where the sets of a series are.
enum SetSeriesPlace: Sendable {
  case folder(URL)
  case store(any GraphSetStore)

  /// For errors.
  var name: String {
    switch self {
    case .folder(let url): url.path
    case .store: "the store"
    }
  }

  /// The names in it.
  ///
  /// - Throws: `file`.
  func names() throws -> [String] {
    switch self {
    case .folder(let url):
      do { return try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
        throw GCodableError(.file, "cannot list \(url.path)", underlyingError: error)
      }
    case .store(let store): return try store.attempt("list", "the sets") { try store.names(in: "") }
    }
  }

  /// The index, an empty one if there is none; nil if there is one that says nothing.
  ///
  /// - Throws: `file` where a store does not tell.
  func index() throws -> FolderIndex? {
    switch self {
    // What a folder does not list is not there, whatever the index says.
    case .folder(let url): FolderIndex(of: url.path) ?? FolderIndex()
    case .store(let store): try store.indexBytes().map { FolderIndex($0) } ?? FolderIndex()
    }
  }

  func set(_ number: Int) -> SetPlace {
    switch self {
    case .folder(let url): .folder(url.appendingPathComponent(SetNames.folder(number)))
    case .store(let store): .stored(StoredSet(store: store, number: number))
    }
  }
}
