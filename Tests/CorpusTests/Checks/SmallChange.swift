import GraphCodable
import CGraphArchive

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// What may happen to one byte.
enum SmallChange {
  case flipped(bit: UInt8)
  /// It and all behind it are not there.
  case cut
  case removed
  case doubled

  static let all = (0..<8).map { Self.flipped(bit: $0) } + [.cut, .removed, .doubled]

  /// The bytes with a change at a place that they have.
  func applied(to bytes: Bytes, at place: Int) -> Bytes {
    var changed = bytes
    switch self {
    case .flipped(let bit): changed[place] ^= 1 << bit
    case .cut: changed.removeSubrange(place...)
    case .removed: changed.remove(at: place)
    case .doubled: changed.insert(bytes[place], at: place)
    }
    return changed
  }
}

/// What has a checksum of its own in an archive.
enum SealedPart: CaseIterable {
  case header, contents, stream, segments

  /// Calls `body` with each archive that has one byte of the part changed, and checksums that are right.
  func forEachChange(of forge: Forge, _ body: (Bytes, _ place: Int, SmallChange) throws -> Void) throws {
    func forEach(
      of part: Bytes, _ changes: [SmallChange] = SmallChange.all, sealed: (Bytes) throws -> Bytes
    ) throws {
      for place in part.indices {
        for change in changes { try body(sealed(change.applied(to: part, at: place)), place, change) }
      }
    }
    switch self {
    case .header:
      // Its size is fixed, and its hash follows from the rest.
      try forEach(of: Bytes(forge.bytes[..<32]), SmallChange.all.filter(\.keepsCount)) { start in
        start + start.withUnsafeBytes(Forge.hash) + forge.bytes[40...]
      }
    case .contents:
      try forEach(of: Bytes(forge.bytes[forge.contentsRange])) { forge.replacingContents(with: $0) }
    case .stream:
      // An embedded one is the end of the contents.
      guard case .segment = forge.contents.graph else { return }
      try forEach(of: forge.stream()) { try forge.replacingStream(with: $0) }
    case .segments:
      for place in forge.bytes.indices.prefix(upTo: forge.contentsRange.lowerBound) {
        for case .flipped(let bit) in SmallChange.all {
          guard let bytes = try forge.changingSegmentByte(at: place, { $0 ^= 1 << bit }) else { continue }
          try body(bytes, place, .flipped(bit: bit))
        }
      }
      for (segment, placed) in forge.contents.segments.enumerated() {
        for (block, bytes) in forge.blocks(of: placed).enumerated() {
          try forEach(of: bytes, SmallChange.all.filter { !$0.keepsCount }) { changed in
            forge.replacingBlock(block, ofSegment: segment, with: changed)
          }
        }
      }
    }
  }
}

extension SmallChange {
  fileprivate var keepsCount: Bool { if case .flipped = self { true } else { false } }
}

extension Forge {
  /// The stored bytes of each block of a segment.
  fileprivate func blocks(of placed: PlacedSegment) -> [Bytes] {
    var place = Int(placed.offset) + placed.segment.paddedHeaderByteCount
    return placed.segment.blocks.map { block in
      defer { place += Int(block.storedByteCount) }
      return Bytes(bytes[place..<(place + Int(block.storedByteCount))])
    }
  }

  /// The archive with other stored bytes for a block: all that stands behind it moves.
  fileprivate func replacingBlock(_ block: Int, ofSegment number: Int, with new: Bytes) -> Bytes {
    var (front, segments) = (Bytes(bytes[..<ArchiveHeader.byteCount]), contents.segments)
    for index in segments.indices {
      var blocks = blocks(of: segments[index])
      if index == number {
        blocks[block] = new
        let hash = new.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
        segments[index].segment.blocks[block] = .init(storedByteCount: UInt32(new.count), hash: hash)
      }
      front.append(segments[index].segment)
      front += blocks.joined()
    }
    var contents = contents
    contents.bulk = segments.filter { $0.segment.kind == .bulk }
    for placed in segments where placed.segment.kind == .graph { contents.graph = .segment(placed) }
    for placed in segments where placed.segment.kind == .objectIndex {
      contents.objectIndex = .segment(placed)
    }
    return replacingContents(with: contents.bytes, behind: front)
  }
}

extension Bytes {
  /// Appends what stands in front of the blocks of a segment.
  fileprivate mutating func append(_ segment: Segment) {
    let start = Int(segment.front.start(behind: UInt64(count)))
    self += Bytes(repeating: 0, count: start - count) + segment.header
    self += Bytes(repeating: 0, count: start + segment.paddedHeaderByteCount - count)
  }
}
