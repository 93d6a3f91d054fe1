import Foundation

extension GraphArchiveSetSeries {
  /// A set in a series: what is known of it without opening it.
  ///
  /// ``GraphArchiveSet/init(_:)-(GraphArchiveSetSeries.Entry)`` opens it.
  public struct Entry: Sendable {
    let stored: FolderEntry
    /// The set's folder.
    public let url: URL
    /// Its number: higher than those of all sets that were begun before it.
    public var number: Int { stored.number }
    /// The step that it was committed with.
    public var step: Int { stored.step }
    /// The time that it was committed with.
    public var time: Double { stored.time }
    /// What else it was committed with.
    public var metadata: [String: String] { stored.metadata.dictionary }
    /// Bytes of all parts.
    public var byteCount: UInt64 { stored.byteCount }

    init(_ stored: FolderEntry, in folder: URL) {
      self.stored = stored
      url = folder.appendingPathComponent(SetNames.folder(stored.number))
    }
  }
}

extension GraphArchiveSet {
  /// Opens a set of a series.
  ///
  /// - Throws: `GCodableError`: code `file` when it was removed since it was listed; `damaged` when another one is in its
  ///   place; otherwise as ``init(_:)-(URL)``.
  /// - Complexity: as ``init(_:)-(URL)``.
  public convenience init(_ entry: GraphArchiveSetSeries.Entry) throws {
    let (manifest, hash) = try SetManifest.read(in: entry.url.path)
    guard hash == entry.stored.hash else {
      throw GCodableError(.damaged, "\(entry.url.path) has another set than the one that was listed")
    }
    self.init(entry.url, manifest)
  }
}

extension FolderEntry {
  /// Reads what the manifest of a set says.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: `damaged` where it is no valid one; `file` when it cannot be read.
  init?(ofSetIn folder: String, number: Int) throws {
    do {
      let (manifest, hash) = try SetManifest.read(in: folder)
      self.init(
        number: number, step: manifest.step, time: manifest.time, metadata: Metadata(manifest.metadata),
        byteCount: manifest.byteCount, hash: hash)
    } catch let error as GCodableError {
      let reason = (error.context.underlyingError as? POSIXError)?.code
      if reason == .ENOENT || reason == .ENOTDIR { return nil }
      if error.code == .file { throw error }
      throw GCodableError(.damaged, "\(folder) has no valid manifest", underlyingError: error)
    }
  }
}
