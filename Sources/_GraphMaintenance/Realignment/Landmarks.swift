import CGraphArchive
import _GraphFiles

/// What says itself what it is, wherever it stands: headers and records that match their own checksums.
package struct Landmarks {
  /// Headers of archives.
  package private(set) var headers: [(place: UInt64, header: ArchiveHeader)] = []
  /// Headers of archives in pieces.
  package private(set) var sharedHeaders: [(place: UInt64, header: SharedHeader)] = []
  /// Headers of segments, in the contents, too.
  package private(set) var segments: [(place: UInt64, segment: Segment)] = []
  /// Where something begins as a record of a series does.
  package private(set) var recordPlaces: [UInt64] = []
  /// Bytes that may be compared still: forged ones could overlap.
  private var allowance: UInt64

  /// Looks through all bytes.
  ///
  /// - Throws: `file`, `noMemory`.
  package init(_ source: ArchiveSource) throws {
    allowance = 64 << 20 + 8 * min(source.byteCount, 1 << 56)
    var start: UInt64 = 0
    while start < source.byteCount {
      let count = Int(min(source.byteCount - start, Self.pieceByteCount))
      let found = try Self.magics(source, start, count)
      for (magic, place) in found { try note(magic, source, place) }
      guard start + UInt64(count) < source.byteCount else { return }
      start += UInt64(count) - 7
    }
  }

  private static let pieceByteCount: UInt64 = 4 << 20

  private static func magics(
    _ source: ArchiveSource, _ start: UInt64, _ count: Int
  ) throws -> [(gca_magic, UInt64)] {
    try unsafe source.withBytes(count, from: start) { bytes in
      var found: [(gca_magic, UInt64)] = []
      var place = 0
      while true {
        let magic = unsafe gca_search_magic(
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &place)
        guard magic != GCA_MAGIC_NONE else { return found }
        found.append((magic, start + UInt64(place)))
        place += 1
      }
    }
  }

  private mutating func note(_ magic: gca_magic, _ source: ArchiveSource, _ place: UInt64) throws {
    switch magic {
    case GCA_MAGIC_ARCHIVE:
      guard let bytes = try source.bytes(ArchiveHeader.byteCount, at: place) else { return }
      let header = unsafe bytes.withUnsafeBytes {
        try? unsafe ArchiveHeader(parsing: $0, archiveByteCount: nil)
      }
      if let header { headers.append((place, header)) }
    case GCA_MAGIC_SHARED:
      guard let bytes = try source.bytes(SharedHeader.byteCount, at: place) else { return }
      if let header = try? SharedHeader(parsing: bytes) { sharedHeaders.append((place, header)) }
    case GCA_MAGIC_SEGMENT:
      if let segment = try source.segment(at: place, { take($0) }) { segments.append((place, segment)) }
    default: recordPlaces.append(place)
    }
  }

  private mutating func take(_ byteCount: UInt64) -> Bool {
    guard byteCount <= allowance else { return false }
    allowance -= byteCount
    return true
  }
}
