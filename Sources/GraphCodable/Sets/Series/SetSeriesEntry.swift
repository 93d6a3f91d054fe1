import Foundation

extension GraphArchiveSetSeries {
  /// A set in a series: what is known of it without opening it.
  ///
  /// ``GraphArchiveSet/init(_:)-(GraphArchiveSetSeries.Entry)`` opens it.
  public struct Entry: Sendable {
    let stored: FolderEntry
    let place: SetPlace
    /// The set's folder; in an object store, its name there.
    public var url: URL { place.url }
    /// Its number, higher than those of all sets begun before it.
    public var number: Int { stored.number }
    /// The step that it was committed with.
    public var step: Int { stored.step }
    /// The time that it was committed with.
    public var time: Double { stored.time }
    /// The metadata that it was committed with.
    public var metadata: [String: String] { stored.metadata.dictionary }
    /// Bytes of all parts.
    public var byteCount: UInt64 { stored.byteCount }

    init(_ stored: FolderEntry, in series: SetSeriesPlace) {
      (self.stored, place) = (stored, series.set(stored.number))
    }
  }
}

extension GraphArchiveSet {
  /// Opens a set of a series.
  ///
  /// - Throws: `GCodableError`: code `file` when it was removed since it was listed, `damaged` when it was replaced since
  ///   then; otherwise as ``init(_:)-(URL)``.
  /// - Complexity: as ``init(_:)-(URL)``.
  public convenience init(_ entry: GraphArchiveSetSeries.Entry) throws {
    let (manifest, hash) = try entry.place.manifest()
    guard hash == entry.stored.hash else {
      throw GCodableError(.damaged, "\(entry.url.path) has another set than the one that was listed")
    }
    self.init(entry.place, manifest)
  }
}
