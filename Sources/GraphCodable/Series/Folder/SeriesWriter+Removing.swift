extension GraphArchiveSeries.Writer {
  /// Removes all entries but the last ones, of a series that is a folder: for checkpoints that replace each other.
  ///
  ///     try encoder.append(simulation, to: writer, step: step, time: time)
  ///     try writer.retain(last: 3)
  ///
  /// - Parameter count: how many entries stay; what is appended meanwhile stays, too.
  /// - Throws: as ``removeEntries(where:)``.
  public func retain(last count: Int) throws {
    let entries = series
    guard entries.count > count, let newest = entries.last?.number else { return }
    let first = entries.suffix(max(count, 0)).first?.number ?? newest + 1
    try removeEntries { $0.number < first }
  }
}
