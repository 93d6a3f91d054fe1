import Foundation

/// A set in an object store, whose errors say what was to be done.
struct StoredSet: Sendable {
  let store: any GraphSetStore
  let number: Int

  var name: String { SetNames.folder(number) }
  private var manifestName: String { "\(name)/\(SetNames.manifest)" }

  /// What stands in the place of the manifest.
  enum Manifest: Equatable {
    /// Nothing: the set may still be committed.
    case none
    /// An object without bytes: no set will ever have the number.
    case void
    /// Its bytes.
    case bytes(Data)

    init(_ bytes: Data?) { self = bytes.map { $0.isEmpty ? .void : .bytes($0) } ?? .none }
  }

  func manifest() throws -> Manifest {
    try store.attempt("read", manifestName) { Manifest(try store.read(manifestName, range: nil)?.bytes) }
  }

  /// Puts bytes into the place of the manifest, if nothing is there.
  ///
  /// An answer may get lost, before the object is there or after. So what is there then is read back; where it is still
  /// nothing, the same bytes are sent again, and it does not matter which of the requests arrives.
  ///
  /// - Parameter bytes: none to let nobody commit.
  /// - Returns: what is there from then on.
  /// - Throws: `file` where that cannot be said.
  func decide(_ bytes: Data) throws -> Manifest {
    var failure: (any Error)?
    for _ in 0..<3 {
      do {
        if try store.create(bytes, as: manifestName) { return Manifest(bytes) }
      } catch { failure = error }
      let found = try manifest()
      if case .none = found { continue }
      return found
    }
    throw GCodableError(
      .file, "cannot create \(manifestName), and it may still appear", underlyingError: failure)
  }

  /// Removes the manifest, so that the number is free.
  func removeManifest() throws {
    try store.attempt("remove", manifestName) { try store.remove(manifestName) }
  }

  /// Puts an object without bytes into the place of the manifest, whatever is there.
  func void() throws {
    try store.attempt("write", manifestName) { try store.write(Data(), as: manifestName) }
  }

  /// Removes the parts with some tokens.
  func removeParts(where isRemoved: (String) -> Bool) throws {
    for file in try store.attempt("list", name, { try store.names(in: name) }) {
      guard let token = SetNames.token(of: file), isRemoved(token) else { continue }
      try store.attempt("remove", "\(name)/\(file)") { try store.remove("\(name)/\(file)") }
    }
  }

  /// Lets nobody commit the set any more, unless somebody has, and removes the parts that nobody can commit.
  ///
  /// - Returns: the set that was committed.
  func settle() throws -> FolderEntry? {
    guard case .bytes(let bytes) = try decide(Data()) else {
      try removeParts { _ in true }
      return nil
    }
    let (manifest, hash): (SetManifest, UInt64)
    do { (manifest, hash) = try SetManifest.read(GraphArchive(bytes)) } catch {
      throw GCodableError(.damaged, "\(name) has no valid manifest", underlyingError: error)
    }
    try removeParts { $0 != manifest.token }
    return FolderEntry(number: number, manifest, hash)
  }

  // MARK: Parts

  func writePart(_ bytes: Data, as file: String) throws {
    try store.attempt("write", "\(name)/\(file)") { try store.write(bytes, as: "\(name)/\(file)") }
  }

  /// Checks the size and the header of a part, without reading all of it.
  func check(_ part: SetManifest.Part) throws {
    let start = try read(part, range: 0..<UInt64(ArchiveHeader.byteCount))
    let hashes = unsafe start.withUnsafeBytes { bytes in
      unsafe bytes.count < ArchiveHeader.byteCount ? nil : ArchiveHeader.hashes(of: bytes)
    }
    guard hashes?.stored == part.hash, hashes?.computed == part.hash else { throw isOther(part) }
  }

  /// The archive of a part, all of whose bytes are read.
  func archive(_ part: SetManifest.Part) throws -> GraphArchive {
    let archive = try GraphArchive(read(part, range: nil))
    guard archive.header.hash == part.hash else { throw isOther(part) }
    return archive
  }

  private func read(_ part: SetManifest.Part, range: Range<UInt64>?) throws -> Data {
    let file = "\(name)/\(part.name)"
    guard let found = try store.attempt("read", file, { try store.read(file, range: range) }) else {
      throw GCodableError(.file, "\(file) is not there")
    }
    guard found.byteCount == part.byteCount else {
      throw GCodableError(
        .wrongSize, "\(file) should have \(part.byteCount) bytes but has \(found.byteCount)",
        byteOffset: min(found.byteCount, part.byteCount))
    }
    return found.bytes
  }

  private func isOther(_ part: SetManifest.Part) -> GCodableError {
    GCodableError(.damaged, "\(name)/\(part.name) is another archive than the one of the set", byteOffset: 0)
  }
}

extension GraphSetStore {
  /// The bytes of the index of the series; nil if there is none.
  func indexBytes() throws -> Data? {
    try attempt("read", FolderIndex.name) { try read(FolderIndex.name, range: nil)?.bytes }
  }

  /// Calls the store, and says in its errors what was to be done.
  func attempt<Result>(_ action: String, _ name: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw GCodableError(.file, "cannot \(action) \(name) in the store", underlyingError: error)
    }
  }
}
