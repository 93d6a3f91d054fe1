import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// The damage in an archive, and the parts of the graph that are lost with it.
///
///     for block in try archive.damage().blocks { print(block) }
///
/// The header and tables of the archive are intact: otherwise it could not be opened.
public struct GraphDamage: Sendable {
  /// The damaged blocks, and the damaged headers of segments, in the order of the archive.
  public let blocks: [Block]
  /// The number of damaged blocks, including any beyond the maximum that `blocks` describes.
  public let blockCount: Int

  /// Whether nothing is damaged.
  public var isEmpty: Bool { blockCount == 0 }

  /// A damaged block, or a damaged header of a segment.
  public struct Block: Sendable {
    /// What its segment holds.
    public let segment: GraphArchive.Segment.Kind
    /// The place of its segment among the bulk segments; 0 for other segments.
    public let segmentNumber: Int
    /// Its number in the segment; nil for the header, whose damage loses nothing.
    public let number: Int?
    /// The bytes of the archive that are damaged, or some of them.
    public let byteRange: Range<UInt64>
    /// The bytes of the segment, before compression, that are lost; empty for the header.
    public let rawRange: Range<UInt64>
    /// What is wrong with it.
    public let error: GCodableError
    /// How many objects have bytes in it; nil for bulk segments, and where the object index is damaged.
    public let objectCount: Int?
    /// The values in it, up to the maximum; none where the object index is damaged.
    public let losses: [Loss]
  }

  /// A value that is lost, as a whole or in part.
  public struct Loss: Hashable, Sendable {
    /// The number of an object; nil for the root, and for a large array.
    public let objectNumber: Int?
    /// The name of its class with its module; nil where none is stored, or its first bytes are damaged.
    public let className: String?
    /// Where it is; nil where no path leads there through intact values.
    public let path: GraphPath?
    /// The path of its first unreadable part; nil if no part is readable, or no path is known.
    ///
    /// The parts before it can be read.
    public let firstLostPath: GraphPath?
    /// The elements of a large array that are lost; nil for other values.
    public let elements: Range<Int>?
  }
}

extension GraphArchive {
  /// Finds all damaged blocks, and the values of the graph in them.
  ///
  /// ``verify(progress:)`` stops at the first error; this checks every block against its checksum and expands it. The graph
  /// is read only as far as it leads to lost values. Malformed data whose checksums match is not detected.
  ///
  /// - Parameters:
  ///   - maximumCount: how many blocks are described, and how many values in them.
  ///   - progress: reports the bytes that have been checked; cancelling it ends the search.
  /// - Returns: the damage, without blocks if there is none.
  /// - Throws: `GCodableError` `file` when the archive cannot be read, `noMemory`; `CancellationError`.
  /// - Complexity: O(n) in the size of the archive before compression. The graph stream is in memory, and 80 bytes for
  ///   each object.
  public func damage(atMost maximumCount: Int = 1_000, progress: Progress? = nil) throws -> GraphDamage {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: header.byteCount - UInt64(ArchiveHeader.byteCount))
    let damage = try withReader(progress: report) {
      try DamageSearch($0, maximumCount: max(maximumCount, 0)).damage()
    }
    try progress?.checkCancellation()
    report?.finish()
    return damage
  }
}

// MARK: - Texts

extension GraphDamage.Block: CustomStringConvertible {
  /// One line that says what is damaged, and what is lost with it.
  public var description: String {
    let name =
      switch segment {
      case .graph: "the graph stream"
      case .objectIndex: "the object index"
      case .bulk: "bulk segment \(segmentNumber)"
      }
    let place = "bytes \(byteRange.lowerBound) to \(byteRange.upperBound)"
    guard let number else { return "header of \(name), \(place): nothing is lost with it" }
    var lost = losses.prefix(Self.shownCount).map(\.description)
    if let left = objectCount.map({ $0 - lost.count }), left > 0 { lost.append("\(left) more objects") }
    return "block \(number) of \(name), \(place)" + (lost.isEmpty ? "" : ": " + lost.joined(separator: "; "))
  }

  private static let shownCount = 8
}

extension GraphDamage.Loss: CustomStringConvertible {
  /// What is lost, its path, and where the loss begins.
  public var description: String {
    var text =
      objectNumber.map { (className ?? "object") + " #\($0)" } ?? (elements == nil ? "root" : "array")
    if let path, !path.steps.isEmpty { text += " at \(path)" }
    if let elements { text += ", elements \(elements.lowerBound) to \(elements.upperBound)" }
    if let firstLostPath, firstLostPath != path { text += ", from \(firstLostPath) on" }
    return text
  }
}
