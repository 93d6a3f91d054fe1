extension GraphArchiveSeries.Writer {
  /// Removes all entries but the last ones, for checkpoints that replace each other.
  ///
  ///     try encoder.append(simulation, to: writer, step: step, time: time)
  ///     try writer.retain(last: 3)
  ///
  /// - Parameter count: how many entries stay; what is appended meanwhile stays, too.
  /// - Throws: as ``removeEntries(where:)``.
  /// - Complexity: as ``removeEntries(where:)``.
  public func retain(last count: Int) throws {
    let entries = series
    guard entries.count > count, let newest = entries.last?.number else { return }
    let first = entries.suffix(max(count, 0)).first?.number ?? newest + 1
    try removeEntries { $0.number < first }
  }

  /// Writes a series in one file anew, without what stands in it that no entry needs; a folder has nothing of that.
  ///
  /// - Throws: as ``removeEntries(where:)``.
  /// - Complexity: O(n) in the size of the file.
  public func compact() throws { try queue.sync { try replace(with: series.entries) } }
}
