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

  /// The index; nil if there is none that can be used.
  func index() -> FolderIndex? {
    switch self {
    case .folder(let url): FolderIndex(of: url.path)
    case .store(let store): (try? store.indexBytes()).flatMap(FolderIndex.init)
    }
  }

  func set(_ number: Int) -> SetPlace {
    switch self {
    case .folder(let url): .folder(url.appendingPathComponent(SetNames.folder(number)))
    case .store(let store): .stored(StoredSet(store: store, number: number))
    }
  }
}
