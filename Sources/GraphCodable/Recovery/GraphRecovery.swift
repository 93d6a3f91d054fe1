import Foundation

/// What has been recovered of a damaged file, and what is lost.
///
///     let recovery = try GraphArchive.recover(damaged, to: new)
///     for archive in recovery.archives where !archive.isWhole { print(archive) }
public struct GraphRecovery: Sendable {
  /// Whether the file is a series.
  public internal(set) var isSeries = false
  /// The archives of the new file: one, or those of its entries.
  public internal(set) var archives: [Archive] = []
  /// The bytes of a series in which nothing was found that is intact.
  public internal(set) var lostRanges: [Range<UInt64>] = []
  /// Whether nothing was damaged.
  public var isWhole: Bool { lostRanges.isEmpty && archives.allSatisfy(\.isWhole) }

  /// How many damaged blocks, and values in them, are described.
  static let maximumLossCount = 1_000

  /// What the metadata of an archive has of which something is missing.
  static let metadataKey = "graphcodable.recovered"

  /// How far the tables of an archive could be used.
  public enum Tables: Hashable, Sendable {
    /// They match their checksum.
    case intact
    /// The header is lost, and with it their checksum; they have the form of tables, and fit the segments.
    case unverified
    /// They are lost: only arrays can be recovered, without names.
    case lost
  }

  /// What has been recovered of an archive.
  public struct Archive: Sendable {
    /// The number of the entry in the damaged series; nil for an archive of its own, or where the record is lost.
    public internal(set) var entryNumber: Int?
    /// Where the archive begins in the damaged file.
    public internal(set) var offset: UInt64 = 0
    /// How far its tables could be used.
    public let tables: Tables
    /// The damaged blocks, with what is lost with them by path and range; nothing lives in them where the tables are lost.
    public internal(set) var damage = GraphDamage(blocks: [], blockCount: 0)
    /// How many blocks it has, as far as is known.
    public let blockCount: Int
    /// How many of these are lost.
    public internal(set) var lostBlockCount = 0
    /// Objects that have been recovered with all that is theirs.
    public private(set) var objectCount = 0
    /// Objects that have been recovered up to the damage in them: fields, or elements at the end of a list, are missing.
    public private(set) var cutObjectCount = 0
    /// Objects of which nothing has been recovered.
    public private(set) var lostObjectCount = 0
    /// Whether the root has been recovered with all that is its own.
    public internal(set) var rootIsWhole = true
    /// Where the root is in the new archive; nil where it is lost.
    public internal(set) var rootPath: GraphPath? = []
    /// Where in the new archive that is which the root does not lead to; nil where there is nothing.
    ///
    /// It has the fields `objects` and `arrays`, dictionaries by the number of the object and of the bulk segment in the
    /// damaged archive. Where the tables are lost, `stream` and `index` have the bytes of graph stream and object index.
    public internal(set) var restPath: GraphPath?

    /// Whether all of it has been recovered, and the root is where it was.
    public var isWhole: Bool {
      tables != .lost && lostBlockCount == 0 && cutObjectCount == 0 && lostObjectCount == 0 && rootIsWhole
    }

    init(_ tables: FoundArchive.Tables, _ contents: Contents) {
      self.tables =
        switch tables {
        case .intact: .intact
        case .unverified: .unverified
        case .lost: .lost
        }
      blockCount = contents.segments.reduce(0) { $0 + $1.segment.blocks.count }
    }

    mutating func setObjects(whole: Int, cut: Int, lost: Int) {
      (objectCount, cutObjectCount, lostObjectCount) = (whole, cut, lost)
    }
  }
}

extension GraphRecovery.Archive: CustomStringConvertible {
  /// One line: how much of what is lost.
  public var summary: String {
    var parts: [String] = []
    switch tables {
    case .lost: parts.append("the tables are lost")
    case .unverified: parts.append("the header is lost")
    case .intact: break
    }
    if lostBlockCount > 0 { parts.append("\(lostBlockCount) of \(blockCount) blocks are lost") }
    if rootPath == nil {
      parts.append("the root is lost")
    } else if !rootIsWhole {
      parts.append("the root is cut")
    }
    if cutObjectCount > 0 { parts.append("\(cutObjectCount) objects are cut") }
    if lostObjectCount > 0 {
      parts.append("\(lostObjectCount) of \(objectCount + cutObjectCount + lostObjectCount) objects are lost")
    }
    return parts.isEmpty ? "nothing is lost" : parts.joined(separator: ", ")
  }

  /// The summary, and a line for each damaged block.
  public var description: String {
    ([summary] + damage.blocks.map(\.description)).joined(separator: "\n")
  }
}

extension GraphArchive {
  /// Writes what is intact of a damaged file, an archive or a series, into a new one.
  ///
  /// Every block, object and entry that is intact by its checksums is in the new file, which is valid: it can be decoded,
  /// listed, and verified. The damaged file is only read.
  ///
  /// - Arrays keep their places. Lost blocks have NaN in place of floating-point numbers, and zeros in place of others.
  /// - Objects that are lost are left out. References to them become nil where they may be; others lead to a value that no
  ///   type can be decoded from. So a value can be decoded whenever all that it needs is intact.
  /// - An object or a root that is damaged ends in front of the damage: lists have fewer elements, records fewer fields.
  /// - What the root does not lead to any more is at ``GraphRecovery/Archive/restPath``.
  /// - Where the tables are lost, arrays are recovered by the headers of their segments, without names and shapes.
  /// - Intact entries of a series are copied; what is left of others is appended with their step, time and metadata.
  ///
  /// An archive of which anything is missing says so in its metadata, as `graphcodable.recovered`. What is malformed although
  /// its checksums hold, by forgery or by a defect of what wrote it, is not damaged: it is copied as it is.
  ///
  /// - Parameters:
  ///   - url: the damaged file.
  ///   - newURL: the new file, which replaces what has that name when it is complete.
  ///   - progress: reports the bytes that have been read and written; cancelling it leaves no file.
  /// - Returns: what has been recovered, and what is lost.
  /// - Throws: `GCodableError`: `damaged` when nothing is intact, `notAnArchive` for another version of the format, `file`,
  ///   `noMemory`; `CancellationError`.
  /// - Complexity: O(n) in the size of the file before compression. A damaged graph stream is in memory twice.
  public static func recover(_ url: URL, to newURL: URL, progress: Progress? = nil) throws -> GraphRecovery {
    try progress?.checkCancellation()
    let file = try OpenFile(reading: url)
    guard newURL.resolvingSymlinksInPath().path != url.resolvingSymlinksInPath().path else {
      throw GCodableError(.file, "\(newURL.path) is the damaged file itself")
    }
    let report = ProgressReport(progress)
    let sink = try FileSink(newURL)
    let recovery = try FileRecovery(file, report).write(to: sink)
    try sink.publish(report)
    return recovery
  }
}
