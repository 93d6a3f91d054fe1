import Foundation
import _GraphFiles
import _GraphSupport

/// A sequence of committed sets in a folder or an object store, each in a folder of its own.
///
///     let writer = try GraphArchiveSetSeries.Writer(folder)
///     let next = try writer.begin()  // Other processes join it by its folder and token.
///     try next.commit(receipts, step: 100, time: 0.5)
///     try writer.retain(last: 3)
///
///     let series = try GraphArchiveSetSeries(folder)
///     if let last = series.last { set = try GraphArchiveSet(last) }
///
/// A set is listed once it is committed. The list is read without opening parts; an index saves reading the manifests, and is
/// rebuilt if it is missing or damaged. A value of this type is the list at the time it was read.
public struct GraphArchiveSetSeries: Sendable {
  private let catalog: EntryCatalog
  private var list: EntryList
  /// The damage found while the list was read.
  ///
  /// This includes sets whose manifest cannot be read, and sets in the index whose folder is missing. Damage in parts is
  /// found by reading them, or by ``GraphArchiveSet/verify(progress:)``.
  public var damage: [GCodableError] { list.damage }

  /// Opens a series and reads the list of its sets.
  ///
  /// - Parameter folder: the folder of the series.
  /// - Throws: `GCodableError` with the code `file` when the folder cannot be read.
  /// - Complexity: O(n) in the number of sets, and one manifest to read for each set that the index does not have.
  public init(_ folder: URL) throws { try self.init(.sets(SystemPath.url(folder))) }

  init(_ catalog: EntryCatalog) throws { self.init(catalog, try EntryList(catalog)) }

  init(_ catalog: EntryCatalog, _ list: EntryList) { (self.catalog, self.list) = (catalog, list) }

  /// Reads the list again.
  ///
  /// - Throws: `GCodableError` with the code `file` when the folder cannot be read.
  /// - Complexity: O(n) in the number of sets, and one manifest to read for each set that neither the list nor the index
  ///   has.
  public mutating func update() throws { list = try EntryList(catalog, known: list.entries) }

  private func entry(_ listed: FolderEntry) -> Entry { Entry(listed, catalog.set(listed.number)) }
}

extension GraphArchiveSetSeries: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of sets.
  public var endIndex: Int { list.entries.count }

  /// The n-th set of the list, from 0.
  ///
  /// - Complexity: O(1).
  public subscript(position: Int) -> Entry { entry(list.entries[position]) }

  /// The set of a step; if there are several, the one begun last.
  ///
  /// - Complexity: O(n) in the number of sets.
  public func entry(atStep step: Int) -> Entry? { list.entries.last { $0.step == step }.map(entry) }

  /// The set whose time is nearest to `time`; if there are several, the one begun last.
  ///
  /// Sets whose time is NaN are ignored.
  ///
  /// - Complexity: O(n) in the number of sets.
  public func entry(nearestToTime time: Double) -> Entry? {
    list.entries.nearest(to: time, by: \.time).map(entry)
  }
}
