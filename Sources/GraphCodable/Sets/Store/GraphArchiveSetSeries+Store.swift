extension GraphArchiveSetSeries {
  /// Opens a series in an object store and reads the list of its sets.
  ///
  /// Parts are read as a whole, into memory, when something of them is asked for.
  ///
  /// - Parameter store: where it is.
  /// - Throws: `GCodableError` with the code `file` when the store cannot be listed.
  /// - Complexity: O(n) in the number of sets, and one manifest to read for each that the index does not know.
  public init(in store: any GraphSetStore) throws { try self.init(.store(store)) }
}

extension GraphArchiveSetSeries.Writer {
  /// Opens a series in an object store for writing, and removes what is left of sets that were not committed.
  ///
  /// A store has no locks, and needs none: of several that begin a set with the same number, one commits it. To open a
  /// writer ends the attempts of others, whose commits are an error from then on; what they have written is removed.
  ///
  /// - Parameter store: where the series is, or is to be.
  /// - Throws: `GCodableError` with the code `file` when the store fails.
  /// - Complexity: O(n) in the number of sets, and one manifest to read for each that the index does not know.
  public convenience init(in store: any GraphSetStore) throws {
    self.init(try SetSeriesLead(StoreOfSets(store)))
  }
}

extension GraphArchiveSet.Writer {
  /// Joins a set that another writer has begun in an object store.
  ///
  /// - Parameters:
  ///   - store: where its series is.
  ///   - number: that of the set in its series.
  ///   - token: that of the writer that has begun the set.
  /// - Throws: `GCodableError`: code `invalidValue` for a text that cannot be a token, and a number that cannot be one.
  public convenience init(in store: any GraphSetStore, number: Int, token: String) throws {
    guard 0...SeriesRecord.maximumNumber ~= number else {
      throw GCodableError(.invalidValue, "\(number) is no number of a set")
    }
    try self.init(joining: .stored(StoredSet(store: store, number: number)), number: number, token)
  }
}
