import _GraphFiles
import _GraphReading

/// What stands in for lost blocks of strings.
///
/// NULs, but for the bytes that complete characters of which a block beside has some: so all strings are UTF-8 still.
struct LostText {
  private let archive: OpenArchive
  private let open: ArchiveReader.OpenSegment
  private let lostBlocks: Set<Int>

  init(_ archive: GraphArchive, _ placed: PlacedSegment, lostBlocks: [Int]) {
    self.archive = archive.opened
    open = ArchiveReader.OpenSegment(placed)
    self.lostBlocks = Set(lostBlocks)
  }

  /// The bytes of a block.
  func bytes(ofBlock block: Int) -> [UInt8] {
    let range = open.segment.range(ofBlock: block)
    var bytes = [UInt8](repeating: 0, count: range.count)
    let end = Self.end(of: neighbour(block - 1, max(range.lowerBound - 3, 0)..<range.lowerBound))
    bytes.replaceSubrange(0..<min(end.count, bytes.count), with: end.prefix(bytes.count))
    let next = neighbour(
      block + 1, range.upperBound..<min(range.upperBound + 3, open.segment.range.upperBound))
    if let lead = Self.lead(of: next), end.count < bytes.count { bytes[bytes.count - 1] = lead }
    return bytes
  }

  /// Some bytes of a block; none of one that is lost or not there.
  private func neighbour(_ block: Int, _ range: Range<Int>) -> [UInt8] {
    guard open.segment.blocks.indices.contains(block), !lostBlocks.contains(block),
      let bytes = try? archive.withReader({
        let bytes = try $0.bytes(range.clamped(to: open.segment.range(ofBlock: block)), of: open)
        return withExtendedLifetime(bytes) { unsafe Array(bytes.buffer) }
      })
    else { return [] }
    return bytes
  }

  /// The bytes that are missing of the last character of some bytes: RFC 3629, section 4.
  static func end(of bytes: [UInt8]) -> [UInt8] {
    guard let place = bytes.lastIndex(where: { !$0.isContinuation }) else { return [] }
    let byteCount =
      switch bytes[place] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let known = bytes.count - place
    guard byteCount > known else { return [] }
    var end = [UInt8](repeating: 0x80, count: byteCount - known)
    if known == 1, bytes[place] == 0xE0 { end[0] = 0xA0 }
    if known == 1, bytes[place] == 0xF0 { end[0] = 0x90 }
    return end
  }

  /// A first byte of a character whose other bytes others begin with; nil where they begin with a character.
  static func lead(of bytes: [UInt8]) -> UInt8? {
    switch bytes.prefix(while: \.isContinuation).count {
    case 1: 0xC3
    case 2: 0xE1
    case 3: 0xF1
    default: nil
    }
  }
}

extension UInt8 {
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}

extension Segment {
  /// All bytes before compression.
  fileprivate var range: Range<Int> { 0..<Int(rawByteCount) }

  /// Where the bytes of a block are among these.
  fileprivate func range(ofBlock block: Int) -> Range<Int> {
    let start = block * blockByteCount
    return start..<(start + rawByteCount(ofBlock: block))
  }
}
