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
  /// As long as it, or a set that it has begun, lives, it has the folder's lock: see ``GraphArchiveLock``. Processes
  /// that join one of its sets need no such writer. Any thread may use it.
  public final class Writer: Sendable {
    private let lead: SetSeriesLead

    /// Opens a series for writing, or creates it, and removes what is left of sets that were not committed.
    ///
    /// - Parameter folder: is created if it is not there; the one that it is in must be.
    /// - Throws: `GCodableError`: code `locked` when another writer has the series; `file`.
    /// - Complexity: O(n) in the number of sets, and one manifest to read for each that the index does not know.
    public init(_ folder: URL) throws { lead = try SetSeriesLead(FolderOfSets(folder)) }

    init(_ lead: SetSeriesLead) { self.lead = lead }

    /// The series with all sets that have been committed so far.
    public var series: GraphArchiveSetSeries { (try? lead.settledSeries()) ?? lead.series }

    /// Begins the next set.
    ///
    /// It is in the series when it is committed. `abort` removes it, and so does the next call when the set was neither
    /// committed nor aborted and nobody uses it any more.
    ///
    /// - Returns: the writer that commits the set; others join it by its folder and token.
    /// - Throws: `GCodableError`: code `locked` as long as the set of before is being written, or when somebody else has
    ///   the series; `file`.
    public func begin() throws -> GraphArchiveSet.Writer { GraphArchiveSet.Writer(try lead.begin()) }

    /// Keeps the last sets and removes all others.
    ///
    /// - Parameter count: how many sets to keep.
    /// - Throws: as ``retain(where:)``.
    /// - Complexity: as ``retain(where:)``.
    public func retain(last count: Int) throws {
      try lead.remove(Set(lead.settledSeries(isFresh: true).dropLast(Swift.max(count, 0)).map(\.number)))
    }

    /// Keeps some sets and removes all others.
    ///
    /// Each goes in one step: after a crash it is there as a whole, or not at all. A part that a set which stays has, too,
    /// stays: see ``GraphArchiveSet/Writer/Part/reuse(from:)``. Whoever reads a set that is removed can go on with parts that
    /// are open, and others are an error. A set that is being written is none yet, and stays.
    ///
    /// - Parameter isIncluded: which sets to keep.
    /// - Throws: `GCodableError`: code `locked` when somebody else has the series; `file` when a set cannot be removed,
    ///   which is still listed then, or its files, which the next writer removes. What `isIncluded` throws.
    /// - Complexity: O(n) in the number of sets, and in the number of parts that are removed.
    public func retain(where isIncluded: (Entry) throws -> Bool) throws {
      try lead.remove(Set(lead.settledSeries(isFresh: true).filter { try !isIncluded($0) }.map(\.number)))
    }
  }
}
