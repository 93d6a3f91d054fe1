import Foundation

extension GraphArchiveSetSeries {
  /// Adds sets to a series, and removes them.
  ///
  ///     let writer = try GraphArchiveSetSeries.Writer(folder)
  ///     let next = try writer.begin()
  ///     let joined = try GraphArchiveSet.Writer(next.folder, token: next.token)  // In another process.
  ///     let receipt = try joined.part(rank, of: count).write(domain)
  ///     try next.commit(receipts, step: 100, time: 0.5)
  ///     try writer.retain(last: 3)
  ///
  /// It holds the folder's lock while it, or a set that it has begun, exists: see ``GraphArchiveLock``. Processes that join
  /// one of its sets need no such writer. Any thread may use it.
  public final class Writer: Sendable {
    private let catalog: CatalogWriter

    /// Opens a series for writing, or creates it, and removes the remains of sets that were not committed.
    ///
    /// - Parameter folder: the folder, which is created if it does not exist; its parent folder must.
    /// - Throws: `GCodableError`: code `locked` when another writer has the series; `file`.
    /// - Complexity: O(n) in the number of sets, and one manifest to read for each set that the index does not have.
    public init(_ folder: URL) throws {
      catalog = try CatalogWriter(EntryFolder(folder, EntryCatalog.sets))
    }

    init(_ catalog: CatalogWriter) { self.catalog = catalog }

    /// The series with all sets committed so far.
    public var series: GraphArchiveSetSeries {
      GraphArchiveSetSeries(catalog.catalog, (try? catalog.settledList()) ?? catalog.list)
    }

    /// Begins the next set.
    ///
    /// The set joins the series when it is committed. `abort` removes it, and so does the next call of `begin` if the set was
    /// neither committed nor aborted and its writer no longer exists.
    ///
    /// - Returns: the writer that commits the set; others join it by its folder and token.
    /// - Throws: `GCodableError`: code `locked` while the previous set is being written, or when another writer has the
    ///   series; `file`.
    public func begin() throws -> GraphArchiveSet.Writer { GraphArchiveSet.Writer(try catalog.begin()) }

    /// Removes all but the last sets.
    ///
    /// - Parameter count: how many sets to keep.
    /// - Throws: as ``retain(where:)``.
    /// - Complexity: as ``retain(where:)``.
    public func retain(last count: Int) throws {
      let entries = try catalog.settledList(isFresh: true).entries
      try catalog.remove(Set(entries.dropLast(Swift.max(count, 0)).map(\.number)))
    }

    /// Keeps certain sets and removes all others.
    ///
    /// Each set is removed in one step: after a crash it is complete or absent. A part that a kept set reuses stays: see
    /// ``GraphArchiveSet/Writer/Part/reuse(from:)``. Readers of a removed set can still read parts that they have open; others
    /// are an error. A set that is being written is not affected.
    ///
    /// - Parameter isIncluded: which sets to keep.
    /// - Throws: `GCodableError`: code `locked` when another writer has the series; `file` when a set cannot be removed, which
    ///   is then still listed, or its files cannot, which the next writer removes. What `isIncluded` throws.
    /// - Complexity: O(n) in the number of sets, and in the number of parts that are removed.
    public func retain(where isIncluded: (Entry) throws -> Bool) throws {
      let series = GraphArchiveSetSeries(catalog.catalog, try catalog.settledList(isFresh: true))
      try catalog.remove(Set(series.filter { try !isIncluded($0) }.map(\.number)))
    }
  }
}
