import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// A set in an object store, whose errors say what was attempted.
struct SetInStore: SetFiles {
  let store: any GraphSetStore
  let number: Int

  var name: String { EntryCatalog.setNames.name(number) }
  var url: URL { URL(string: name) ?? URL(fileURLWithPath: name) }
  private var manifestName: String { "\(name)/\(SetNames.manifest)" }

  /// What the store has in place of the manifest.
  enum Finding: Equatable {
    /// Nothing: the set may still be committed.
    case none
    /// An object without bytes: no set will ever have the number.
    case void
    /// Its bytes.
    case bytes(Data)

    init(_ bytes: Data?) { self = bytes.map { $0.isEmpty ? .void : .bytes($0) } ?? .none }
  }

  func find() throws -> Finding {
    try store.attempt("read", manifestName) { Finding(try store.read(manifestName, range: nil)?.bytes) }
  }

  func manifest() throws -> (manifest: SetManifest, hash: UInt64) {
    guard case .bytes(let bytes) = try find() else {
      throw GCodableError(file: name, "there is no set in \(name)", underlyingError: POSIXError(.ENOENT))
    }
    return try SetManifest.read(GraphArchive(bytes))
  }

  var isVoid: Bool { false }

  /// Whether there may be a set, including when that is unknown.
  var isThere: Bool {
    guard let found = try? find() else { return true }
    return found != .none && found != .void
  }

  /// Puts bytes into the place of the manifest, if nothing is there.
  ///
  /// An answer may get lost, before the object is there or after. So what is there then is read back; where it is still
  /// nothing, the same bytes are sent again, and it does not matter which of the requests arrives.
  ///
  /// - Parameter bytes: none to let nobody commit.
  /// - Returns: what is there from then on.
  /// - Throws: `file` where that cannot be said.
  func decide(_ bytes: Data) throws -> Finding {
    var failure: (any Error)?
    for _ in 0..<3 {
      do {
        if try store.create(bytes, as: manifestName) { return Finding(bytes) }
      } catch { failure = error }
      let found = try find()
      if case .none = found { continue }
      return found
    }
    throw GCodableError(
      file: manifestName, "cannot create \(manifestName), and it may still appear", underlyingError: failure)
  }

  /// Removes the manifest, so that the number is free.
  func removeManifest() throws {
    try store.attempt("remove", manifestName) { try store.remove(manifestName) }
  }

  /// Overwrites the manifest with an empty object, whatever is there.
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

  /// Prevents any commit of the set, unless it was committed, and removes the parts that cannot be committed.
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

  // MARK: Committing

  func commit(_ manifest: SetManifest, _ check: () throws -> Void) throws {
    let bytes: Data = try SetManifest.encoder.encode(manifest)
    let hash = try GraphArchive(bytes).header.hash
    try checkNumber(orSetWith: hash)
    do { try manifest.checkParts(in: self, isPublished: false) } catch {
      // The writer that has the number has removed them.
      if let found = try? find(), found != .none { throw isTaken(error) }
      throw error
    }
    guard try decide(bytes) == .bytes(bytes) else { throw isTaken(nil) }
    do { try checkNumber(orSetWith: hash) } catch let error as GCodableError where error.code == .locked {
      try removeManifest()
      throw error
    } catch {}  // The set is there; whether the number was free, the store did not say.
  }

  /// Checks that the number was not given up and freed.
  ///
  /// A process that stood still for long may find nothing in the place of the manifest, and its parts removed, or others
  /// that have gone on behind the number. What stood there is removed only when the index has the number as taken; lists
  /// may lag.
  ///
  /// - Parameter hash: that of the own manifest, which another writer may have listed when the answer to a commit got lost.
  private func checkNumber(orSetWith hash: UInt64) throws {
    guard let bytes = try store.indexBytes() else { return }
    // An index that makes no sense does not say that the number is free.
    guard let index = FolderIndex(bytes),
      index.nextNumber <= number
        || index.entries.contains(where: { $0.number == number && $0.hash == hash })
    else { throw isTaken(nil) }
  }

  private func isTaken(_ cause: (any Error)?) -> GCodableError {
    GCodableError(
      .locked, "another writer has committed \(name), or given it up", underlyingError: cause)
  }

  // MARK: Parts

  func write(
    _ graph: EncodedGraph, _ encoder: GraphEncoder, as file: String, staging: URL?,
    _ progress: ProgressReport?, _ look: ((GraphArchive) throws -> Void)?
  ) throws -> ArchiveHeader {
    let bytes: Data = try encoder.archive(graph)
    let archive = try GraphArchive(bytes)
    try look?(archive)
    progress?.begin(byteCount: archive.header.byteCount)
    try progress?.checkCancellation()
    try write(bytes, as: file)
    progress?.finish()
    return archive.header
  }

  func reuse(_ archive: GraphArchive, at url: URL, as file: String) throws {
    var bytes = Data(count: Int(archive.header.byteCount))
    try archive.storage.withSource { source in
      try unsafe bytes.withUnsafeMutableBytes { try unsafe source.read($0, from: 0) }
    }
    try write(bytes, as: file)
  }

  private func write(_ bytes: Data, as file: String) throws {
    try store.attempt("write", "\(name)/\(file)") { try store.write(bytes, as: "\(name)/\(file)") }
  }

  /// Checks the size and the header of a part, without reading all of it.
  func check(_ part: SetManifest.Part) throws {
    let start = try read(part, range: 0..<UInt64(ArchiveHeader.byteCount))
    let hashes = unsafe start.withUnsafeBytes { bytes in
      unsafe bytes.count < ArchiveHeader.byteCount ? nil : ArchiveHeader.hashes(of: bytes)
    }
    guard hashes?.stored == part.hash, hashes?.computed == part.hash else {
      throw part.isOther("\(name)/\(part.name)")
    }
  }

  /// The archive of a part, all of whose bytes are read.
  func open(_ part: SetManifest.Part) throws -> GraphArchive {
    let archive = try GraphArchive(read(part, range: nil))
    try part.check(archive.header, "\(name)/\(part.name)")
    return archive
  }

  private func read(_ part: SetManifest.Part, range: Range<UInt64>?) throws -> Data {
    let file = "\(name)/\(part.name)"
    guard let found = try store.attempt("read", file, { try store.read(file, range: range) }) else {
      throw GCodableError(file: file, "\(file) is not there")
    }
    guard found.byteCount == part.byteCount else {
      throw GCodableError.wrongSize(file, part.byteCount, found: found.byteCount)
    }
    return found.bytes
  }
}

extension GraphSetStore {
  /// The bytes of the index of the series; nil if there is none.
  func indexBytes() throws -> Data? {
    try attempt("read", FolderIndex.name) { try read(FolderIndex.name, range: nil)?.bytes }
  }

  /// Calls the store, and adds to its errors what was attempted.
  func attempt<Result>(_ action: String, _ name: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw GCodableError(file: name, "cannot \(action) \(name) in the store", underlyingError: error)
    }
  }
}
