import Foundation
import _GraphFiles
import _GraphSupport

extension GraphArchiveSetSeries {
  /// A set in a series: what is known of it without opening it.
  ///
  /// ``GraphArchiveSet/init(_:)-(GraphArchiveSetSeries.Entry)`` opens it.
  public struct Entry: Sendable {
    let listed: FolderEntry
    let files: any SetFiles
    /// The set's folder; in an object store, its name there.
    public var url: URL { files.url }
    /// Its number, higher than those of all sets begun before it.
    public var number: Int { listed.number }
    /// The step that it was committed with.
    public var step: Int { listed.step }
    /// The time that it was committed with.
    public var time: Double { listed.time }
    /// The metadata that it was committed with.
    public var metadata: [String: String] { listed.metadata.dictionary }
    /// Bytes of all parts.
    public var byteCount: UInt64 { listed.byteCount }

    init(_ listed: FolderEntry, _ files: any SetFiles) { (self.listed, self.files) = (listed, files) }
  }
}

extension GraphArchiveSet {
  /// Opens a set of a series.
  ///
  /// - Throws: `GCodableError`: code `file` when it was removed since it was listed, `damaged` when it was replaced since
  ///   then; otherwise as ``init(_:)-(URL)``.
  /// - Complexity: as ``init(_:)-(URL)``.
  public convenience init(_ entry: GraphArchiveSetSeries.Entry) throws {
    let (manifest, hash) = try entry.files.manifest()
    guard hash == entry.listed.hash else {
      throw GCodableError(.damaged, "\(entry.url.path) has another set than the one that was listed")
    }
    self.init(entry.files, manifest)
  }
}
