import _GraphSupport

extension GraphArchiveSetSeries {
  /// Opens a series in an object store and reads the list of its sets.
  ///
  /// A part is read into memory as a whole when it is first used.
  ///
  /// - Parameter store: where the series is.
  /// - Throws: `GCodableError` with the code `file` when the store cannot be listed.
  /// - Complexity: O(n) in the number of sets, and one manifest to read for each set that the index does not have.
  public init(in store: any GraphSetStore) throws { try self.init(.store(store)) }
}

extension GraphArchiveSetSeries.Writer {
  /// Opens a series in an object store for writing, and removes the remains of sets that were not committed.
  ///
  /// A store has no locks, and needs none: of several writers that begin a set with the same number, one commits it. Opening
  /// a writer ends the attempts of others: their commits throw from then on, and what they have written is removed.
  ///
  /// - Parameter store: where the series is, or will be.
  /// - Throws: `GCodableError` with the code `file` when the store fails.
  /// - Complexity: O(n) in the number of sets, and one manifest to read for each set that the index does not have.
  public convenience init(in store: any GraphSetStore) throws {
    self.init(try CatalogWriter(StoreOfSets(store)))
  }
}

extension GraphArchiveSet.Writer {
  /// Joins a set that another writer has begun in an object store.
  ///
  /// - Parameters:
  ///   - store: where its series is.
  ///   - number: the number of the set in its series.
  ///   - token: the token of the writer that has begun the set.
  /// - Throws: `GCodableError`: code `invalidValue` for a text that cannot be a token, or a number that cannot be a set's.
  public convenience init(in store: any GraphSetStore, number: Int, token: String) throws {
    guard 0...SeriesRecord.maximumNumber ~= number else {
      throw GCodableError(.invalidValue, "\(number) is no number of a set")
    }
    try self.init(joining: SetInStore(store: store, number: number), number: number, token)
  }
}
