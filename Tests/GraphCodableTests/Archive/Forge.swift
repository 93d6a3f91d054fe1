import GraphCodable
import CGraphArchive

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Makes archives that match their checksums but were never written: the parsers themselves are attacked.
struct Forge {
  let bytes: Bytes
  let header: ArchiveHeader
  let contents: Contents

  init(_ bytes: Bytes) throws {
    self.bytes = bytes
    (header, contents) = try bytes.withUnsafeBytes { buffer in
      let reader = try ArchiveReader(ArchiveSource(buffer))
      return (reader.header, reader.contents)
    }
  }

  var contentsRange: Range<Int> { Int(header.contentsOffset)..<bytes.count }

  /// The archive with other contents, sealed again.
  func changingContents(_ change: (inout Contents) -> Void) throws -> Bytes {
    var contents = contents
    change(&contents)
    return replacingContents(with: contents.bytes)
  }

  /// The archive with any bytes as its contents, and perhaps others in front of them, sealed again.
  func replacingContents(with new: Bytes, behind front: Bytes? = nil) -> Bytes {
    let front = front ?? Bytes(bytes[..<contentsRange.lowerBound])
    var forged = front + new
    let hash = new.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
    let header = ArchiveHeader(
      contentsByteCount: UInt32(new.count), byteCount: UInt64(forged.count), contentsHash: hash)
    forged.replaceSubrange(0..<ArchiveHeader.byteCount, with: header.bytes)
    return forged
  }

  /// The graph stream; the archive holds it in its contents or in stored blocks.
  func stream() throws -> Bytes {
    switch contents.graph {
    case .embedded(let stream): return stream
    case .segment:
      return try bytes.withUnsafeBytes { buffer in
        let reader = try ArchiveReader(ArchiveSource(buffer))
        let bytes = try reader.bytes(of: contents.graph)
        return withExtendedLifetime(bytes) { Bytes(bytes.buffer) }
      }
    }
  }

  /// The archive with another graph stream, which goes into its contents whatever its size.
  func replacingStream(with new: Bytes) throws -> Bytes {
    var contents = contents
    contents.graph = .embedded(new)
    guard case .segment = self.contents.graph else { return replacingContents(with: contents.bytes) }
    // Its segment goes, so the others move to the front, as they are.
    var front = Bytes(bytes[..<ArchiveHeader.byteCount])
    for placed in contents.segments {
      let start = Int(placed.segment.front.start(behind: UInt64(front.count)))
      front += Bytes(repeating: 0, count: start - front.count)
      front += bytes[Int(placed.offset)..<Int(placed.end)]
    }
    return replacingContents(with: contents.bytes, behind: front)
  }

  /// Where the header of each segment stands in the contents, from the start of the archive.
  private var headerPlaces: [(segment: PlacedSegment, copy: Int)] {
    var place = contentsRange.lowerBound + 1 + Int(gca_varint_size(UInt64(contents.segments.count)))
    return contents.segments.map { placed in
      defer { place += placed.segment.header.count }
      return (placed, place)
    }
  }

  /// The archive with the byte at `offset` changed and every hash that covers it put right.
  ///
  /// A byte of a segment's header is changed in the contents, too. nil where no segment has that byte.
  func changingSegmentByte(at offset: Int, _ change: (inout UInt8) -> Void) throws -> Bytes? {
    guard
      let (placed, copy) = headerPlaces.first(where: {
        (Int($0.segment.offset)..<Int($0.segment.end)).contains(offset)
      })
    else { return nil }
    var forged = bytes
    change(&forged[offset])
    let start = Int(placed.offset)
    let headerCount = placed.segment.header.count
    var segment = placed.segment
    var at = start + segment.paddedHeaderByteCount
    for index in segment.blocks.indices {
      let block = at..<(at + Int(segment.blocks[index].storedByteCount))
      if block.contains(offset) {
        segment.blocks[index].hash = forged[block].withUnsafeBytes {
          gca_hash64_bytes($0.baseAddress, $0.count)
        }
        forged.replaceSubrange(start..<(start + headerCount), with: segment.header)
      }
      at = block.upperBound
    }
    let hashed = start..<(start + headerCount - 8)
    forged.replaceSubrange(
      hashed.upperBound..<(hashed.upperBound + 8), with: forged[hashed].withUnsafeBytes(Self.hash))
    forged.replaceSubrange(copy..<(copy + headerCount), with: forged[start..<(start + headerCount)])
    let front = Bytes(forged[..<contentsRange.lowerBound])
    return replacingContents(with: Bytes(forged[contentsRange]), behind: front)
  }

  /// The bytes of a hash as an archive holds it.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    Self.bytes(of: gca_hash64_bytes(bytes.baseAddress, bytes.count))
  }

  private static func bytes(of value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
