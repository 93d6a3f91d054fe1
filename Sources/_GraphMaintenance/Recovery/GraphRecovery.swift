import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// The result of recovering a damaged file: what was recovered, and what is lost.
///
///     let recovery = try GraphArchive.recover(damaged, to: new)
///     for archive in recovery.archives where !archive.isWhole { print(archive) }
public struct GraphRecovery: Sendable {
  /// Whether the file is a series.
  public package(set) var isSeries = false
  /// The archives of the new file: one, or those of its entries.
  public package(set) var archives: [Archive] = []
  /// The byte ranges of a series in which nothing intact was found.
  public package(set) var lostRanges: [Range<UInt64>] = []
  /// Whether bytes had been inserted or removed, or parts exchanged, so that not everything was where it belongs.
  public package(set) var hasMoved = false
  /// Whether everything was recovered.
  public var isWhole: Bool { lostRanges.isEmpty && archives.allSatisfy(\.isWhole) }

  package init() {}

  /// How many damaged blocks, and values in them, are described.
  static let maximumLossCount = 1_000

  /// What the metadata of an archive has of which something is missing.
  package static let metadataKey = "graphcodable.recovered"

  /// The state of the tables of an archive.
  public enum Tables: Hashable, Sendable {
    /// The tables match their checksum.
    case intact
    /// The header is lost, and the tables' checksum with it, but the tables are well-formed and match the segments.
    case unverified
    /// The tables are lost: only arrays can be recovered, without names.
    case lost
  }

  /// The result of recovering one archive.
  public struct Archive: Sendable {
    /// The number of the entry in the damaged series; nil for an archive outside a series, or if the record is lost.
    public package(set) var entryNumber: Int?
    /// Where the archive begins in the damaged file.
    public package(set) var offset: UInt64 = 0
    /// The state of its tables.
    public let tables: Tables
    /// Whether bytes had been inserted or removed, or parts exchanged, so that not everything was where it belongs.
    ///
    /// Byte offsets in `damage` are then those of the archive as it was.
    public internal(set) var hasMoved = false
    /// The damaged blocks, with the values lost in them by path and range; without values if the tables are lost.
    public package(set) var damage = GraphDamage(blocks: [], blockCount: 0)
    /// The number of blocks, as far as known.
    public let blockCount: Int
    /// The number of blocks that are lost.
    public package(set) var lostBlockCount = 0
    /// The number of objects that were recovered as a whole.
    public private(set) var objectCount = 0
    /// The number of objects that were recovered only in part: fields, or elements at the end of a list, are missing.
    public private(set) var cutObjectCount = 0
    /// The number of objects of which nothing was recovered.
    public private(set) var lostObjectCount = 0
    /// Whether the root was recovered as a whole.
    public package(set) var rootIsWhole = true
    /// The path of the root in the new archive; nil if it is lost.
    public package(set) var rootPath: GraphPath? = []
    /// The path in the new archive of everything that the root does not lead to; nil if there is nothing.
    ///
    /// The fields `objects` and `arrays` there are dictionaries by the number of the object or the bulk segment in the
    /// damaged archive. If the tables are lost, `stream` and `index` have the bytes of graph stream and object index.
    public package(set) var restPath: GraphPath?

    /// Whether everything was recovered, and the root is where it was.
    public var isWhole: Bool {
      tables != .lost && lostBlockCount == 0 && cutObjectCount == 0 && lostObjectCount == 0 && rootIsWhole
    }

    init(_ tables: Tables, _ contents: Contents) {
      self.tables = tables
      blockCount = contents.segments.reduce(0) { $0 + $1.segment.blocks.count }
    }

    mutating func setObjects(whole: Int, cut: Int, lost: Int) {
      (objectCount, cutObjectCount, lostObjectCount) = (whole, cut, lost)
    }
  }
}

extension GraphRecovery.Archive: CustomStringConvertible {
  /// One line that says how much is lost.
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
    if parts.isEmpty { parts.append("nothing is lost") }
    if hasMoved { parts.append("bytes were inserted, removed or moved") }
    return parts.joined(separator: ", ")
  }

  /// The summary, followed by a line for each damaged block.
  public var description: String {
    ([summary] + damage.blocks.map(\.description)).joined(separator: "\n")
  }
}
