// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// What a dump of a graph shows.
public struct GraphDumpOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The codes that a dump uses, explained.
  public static let showHelp = Self(rawValue: 1 << 0)
  /// The fields of the archive's header.
  public static let showHeader = Self(rawValue: 1 << 1)
  /// The graph with codes for keys and classes, and sizes in place of values.
  public static let showBody = Self(rawValue: 1 << 2)
  /// The graph with the names of keys and classes, and values.
  public static let readable = Self(rawValue: 1 << 3)
  /// The classes of the archive.
  public static let showReferenceMap = Self(rawValue: 1 << 4)
  /// The classes' mangled names, by which they are found, in the reference map.
  public static let showMangledNamesInReferenceMap = Self(rawValue: 1 << 5)
}

extension GraphEncoder {
  /// Describes how a root would be encoded, in the notation that `.showHelp` explains.
  ///
  /// With `.readable`, values that write their own bytes are described by `String(describing:)`; a dump of
  /// the encoded bytes has only their sizes.
  ///
  /// - Throws: as `encode`.
  /// - Complexity: that of encoding, and O(n) text.
  public func dump<Root: GEncodable>(_ root: Root, options: GraphDumpOptions = .readable) throws -> String {
    try dump(options) { try $0.writeRoot(root) }
  }

  func dump(_ options: GraphDumpOptions, _ writeRoot: (GEncoder) throws -> Void) throws -> String {
    let encoder = GraphEncoder(self.options, binaryIOVersion: binaryIOVersion)
    encoder.userInfo = userInfo
    encoder.compression = .none
    let graph = try encoder.walkNotingUnitTexts(writeRoot)
    let bytes = try encoder.archive(graph) as Bytes
    return try GraphDump.text(of: bytes, options, unitTexts: graph.unitTexts)
  }
}

extension GraphDecoder {
  /// Describes what an archive holds, in the notation that `.showHelp` explains; no Swift type of the
  /// archive needs to be known.
  ///
  /// - Throws: `GCodableError` for bytes that are no sound archive.
  public func dump(from bytes: some Collection<UInt8>, options: GraphDumpOptions = .readable) throws -> String
  {
    try GraphDump.text(of: [UInt8](bytes), options, unitTexts: nil)
  }

  /// Describes what an archive in a file holds, in the notation that `.showHelp` explains.
  ///
  /// Large arrays are described by their sizes, and not read.
  ///
  /// - Throws: `GCodableError`: as for bytes; code `file` when the file cannot be read.
  public func dump(from url: URL, options: GraphDumpOptions = .readable) throws -> String {
    try GraphDump.text(of: reader(url), options)
  }

  /// Describes what a snapshot of a series holds, in the notation that `.showHelp` explains.
  ///
  /// Large arrays are described by their sizes, and not read.
  ///
  /// - Throws: `GCodableError`: as for bytes; code `file` when the file cannot be read. Byte offsets count from the
  ///   entry's `offset`.
  public func dump(
    from entry: GraphArchiveSeries.Entry, options: GraphDumpOptions = .readable
  ) throws -> String {
    try GraphDump.text(of: reader(entry), options)
  }

  /// Describes what an archive in a file holds line by line, as far as it is sound.
  ///
  /// The description may be much larger than the archive; here no more than a line of it is in memory.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: what to describe.
  ///   - body: takes a line without its end; an error that it throws ends the description.
  /// - Throws: as `dump(from:options:)`, and what `body` throws.
  public func dumpLines(
    from url: URL, options: GraphDumpOptions = .readable, _ body: (String) throws -> Void
  ) throws {
    try GraphDump.lines(of: reader(url), options, body)
  }

  /// Describes what a snapshot of a series holds line by line, as far as it is sound.
  ///
  /// The description may be much larger than the archive; here no more than a line of it is in memory.
  ///
  /// - Parameters:
  ///   - entry: the snapshot's entry.
  ///   - options: what to describe.
  ///   - body: takes a line without its end; an error that it throws ends the description.
  /// - Throws: as `dump(from:options:)`, and what `body` throws.
  public func dumpLines(
    from entry: GraphArchiveSeries.Entry, options: GraphDumpOptions = .readable,
    _ body: (String) throws -> Void
  ) throws {
    try GraphDump.lines(of: reader(entry), options, body)
  }

  private func reader(_ url: URL) throws -> ArchiveReader {
    try ArchiveReader(ArchiveSource(url), threadCount: threadCount)
  }

  private func reader(_ entry: GraphArchiveSeries.Entry) throws -> ArchiveReader {
    try entry.reader(threadCount: threadCount, progress: nil)
  }
}
