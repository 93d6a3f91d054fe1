import CGraphArchive
import GraphCodableTestSupport

@testable import GraphCodable

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
      userVersion: header.userVersion, contentsByteCount: UInt32(new.count), byteCount: UInt64(forged.count),
      contentsHash: hash)
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
        let bytes = try reader.bytes(of: contents.graph, .graph)
        return withExtendedLifetime(bytes) { Bytes(bytes.buffer) }
      }
    }
  }

  /// The archive with another graph stream, which goes into its contents whatever its size.
  func replacingStream(with new: Bytes) throws -> Bytes {
    var contents = contents
    contents.graph = .embedded(new)
    guard case .segment = self.contents.graph else { return replacingContents(with: contents.bytes) }
    // Its segment goes, so the others move to the front, each with the padding that it needs there.
    var front = Bytes(bytes[..<ArchiveHeader.byteCount])
    func lay(_ entry: inout SegmentEntry) {
      let start = Int(entry.offset)
      let lead = start..<(start + Self.leadByteCount(of: entry))
      let blocks = Self.aligned(lead.upperBound)..<(start + Int(entry.byteCount))
      entry.offset = UInt64(front.count)
      front += bytes[lead]
      front += Bytes(repeating: 0, count: Self.aligned(front.count) - front.count)
      front += bytes[blocks]
      entry.byteCount = UInt64(front.count) - entry.offset
    }
    for index in contents.bulk.indices { lay(&contents.bulk[index]) }
    if case .segment(var entry) = contents.objectIndex {
      lay(&entry)
      contents.objectIndex = .segment(entry)
    }
    return replacingContents(with: contents.bytes, behind: front)
  }

  private static func leadByteCount(of entry: SegmentEntry) -> Int {
    Segment.headerByteCount(blockCount: Segment.blockCount(rawByteCount: entry.rawByteCount))
  }

  /// Where blocks begin behind a lead that ends at `offset`.
  private static func aligned(_ offset: Int) -> Int {
    (offset + Segment.alignment - 1) / Segment.alignment * Segment.alignment
  }

  /// The archive with the byte at `offset` changed and every hash that covers it put right.
  ///
  /// nil where no segment has that byte.
  func changingSegmentByte(at offset: Int, _ change: (inout UInt8) -> Void) throws -> Bytes? {
    var forged = bytes
    change(&forged[offset])
    var contents = contents
    func reseal(_ entry: inout SegmentEntry) -> Bool {
      let start = Int(entry.offset)
      let blockCount = Segment.blockCount(rawByteCount: entry.rawByteCount)
      let leadCount = Self.leadByteCount(of: entry)
      let blocks = Self.aligned(start + leadCount)
      guard offset >= start else { return false }
      var at = blocks
      for index in 0..<blockCount {
        let place = start + Segment.fixedByteCount + index * Segment.blockEntryByteCount
        let count = bytes[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
        if (at..<(at + count)).contains(offset) {
          let hash = forged[at..<(at + count)].withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
          forged.replaceSubrange((place + 8)..<(place + 16), with: Self.bytes(of: hash))
        }
        at += count
      }
      guard offset < at else { return false }
      let hashed = start..<(start + leadCount - 8)
      entry.hash = forged[hashed].withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
      forged.replaceSubrange(hashed.upperBound..<(hashed.upperBound + 8), with: Self.bytes(of: entry.hash))
      return true
    }
    var isFound = false
    if case .segment(var entry) = contents.graph, reseal(&entry) {
      contents.graph = .segment(entry)
      isFound = true
    }
    if case .segment(var entry) = contents.objectIndex, reseal(&entry) {
      contents.objectIndex = .segment(entry)
      isFound = true
    }
    for index in contents.bulk.indices where reseal(&contents.bulk[index]) { isFound = true }
    guard isFound else { return nil }
    forged.removeSubrange(contentsRange)
    var copy = self
    copy = Forge(bytes: forged + contents.bytes, header: header, contents: contents)
    return copy.replacingContents(with: contents.bytes)
  }

  private init(bytes: Bytes, header: ArchiveHeader, contents: Contents) {
    (self.bytes, self.header, self.contents) = (bytes, header, contents)
  }

  /// The bytes of a hash as an archive holds it.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    Self.bytes(of: gca_hash64_bytes(bytes.baseAddress, bytes.count))
  }

  private static func bytes(of value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
