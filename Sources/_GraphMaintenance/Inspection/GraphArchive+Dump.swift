import _GraphReading

extension GraphArchive {
  /// Describes what the archive holds, in the notation that `.showHelp` explains.
  ///
  /// Large arrays are described by their sizes. At the end everything is checked, as by `verify(progress:)`.
  ///
  /// - Parameter options: what to describe.
  /// - Throws: `GCodableError`: `damaged` or `malformed`, `file` when the file cannot be read.
  /// - Complexity: O(n) in the size of the graph stream, and as much text.
  public func dump(_ options: GraphDumpOptions = .readable) throws -> String {
    try withReader { try GraphDump.text(of: $0, options) }
  }

  /// Describes what the archive holds line by line, as far as it can be read.
  ///
  /// The description may be much larger than the archive; only one line of it is in memory at a time.
  ///
  /// - Parameters:
  ///   - options: what to describe.
  ///   - body: receives a line without its line break; an error that it throws ends the description.
  /// - Throws: as `dump(_:)`, and what `body` throws.
  public func dumpLines(_ options: GraphDumpOptions = .readable, _ body: (String) throws -> Void) throws {
    try withReader { try GraphDump.lines(of: $0, options, body) }
  }
}
