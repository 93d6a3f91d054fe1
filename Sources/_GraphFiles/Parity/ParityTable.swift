import CGraphArchive
import _GraphSupport

/// What a group of parity says of itself, and a checksum of each sector, by which lost ones are known.
///
/// A table is cut into blocks of a sector, each with all that is needed to find the others, and stands in front of the parity and, in
/// the reverse order, behind it.
package struct ParityTable: Equatable, Sendable {
  package let layout: ParityLayout
  /// Where the protected bytes begin in their file.
  package let start: UInt64
  package let redundancy: ArchiveRedundancy
  /// XXH3-64 of the first 40 protected bytes, an archive's header, or of all if there are fewer.
  let startHash: UInt64
  /// The lower halves of the XXH3-64 of all protected sectors, then of those of the parity; nil where they are unknown.
  package internal(set) var checksums: [UInt32?]

  static let magic = Array("gcparity".utf8)
  static let formatVersion: UInt16 = 1
  static let startByteCount = ArchiveHeader.byteCount
  private static let fieldsByteCount = 80
  static let entriesPerBlock = (ParityLayout.sectorByteCount - fieldsByteCount - 8) / 4

  package var end: UInt64 { start + layout.byteCount }
  package var sectorCount: Int { layout.sectorCount }

  /// Where a protected sector begins in its file.
  package func offset(ofSector number: Int) -> UInt64 {
    start + UInt64(number) * UInt64(ParityLayout.sectorByteCount)
  }

  /// Where a protected sector ends in its file.
  package func end(ofSector number: Int) -> UInt64 {
    offset(ofSector: number) + UInt64(layout.byteCount(of: number))
  }

  var blockCount: Int { Self.blockCount(layout) }

  private static func blockCount(_ layout: ParityLayout) -> Int {
    (layout.sectorCount + layout.paritySectorCount + entriesPerBlock - 1) / entriesPerBlock
  }

  /// Bytes of the group: table, parity, table.
  package var groupByteCount: UInt64 { Self.groupByteCount(layout) }

  private static func groupByteCount(_ layout: ParityLayout) -> UInt64 {
    UInt64(2 * blockCount(layout) + layout.paritySectorCount) * UInt64(ParityLayout.sectorByteCount)
  }

  /// Where a sector of the parity stands in the group.
  func offset(ofParity number: Int) -> UInt64 {
    UInt64(blockCount + number) * UInt64(ParityLayout.sectorByteCount)
  }

  /// Where block `number` stands in the group: in front, and behind.
  func offsets(ofBlock number: Int) -> [UInt64] {
    let sector = UInt64(ParityLayout.sectorByteCount)
    return [UInt64(number) * sector, groupByteCount - UInt64(number + 1) * sector]
  }

  /// Stands for all that the table says: blocks of other tables are told by it.
  private var identity: UInt64 {
    var builder = ByteBuilder()
    for checksum in checksums { builder.fixed(checksum ?? 0) }
    return unsafe builder.bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) }
  }

  /// Its blocks.
  ///
  /// - Parameter place: where the group begins in the file of the parity.
  func blocks(at place: UInt64) -> [[UInt8]] {
    let identity = identity
    return (0..<blockCount).map { number in
      var builder = ByteBuilder(Self.magic)
      builder.fixed(Self.formatVersion)
      builder.fixed(0 as UInt16)  // Features.
      builder.fixed(UInt32(number))
      builder.fixed(place)
      builder.fixed(start)
      builder.fixed(layout.byteCount)
      builder.fixed(UInt32(layout.wordCount))
      builder.fixed(UInt32(layout.paritiesPerWord))
      builder.fixed(UInt32(layout.sumCount))
      builder.fixed(UInt32(redundancy.hundredths))
      builder.fixed(startHash)
      builder.fixed(identity)
      builder.fixed(0 as UInt64)  // Reserved.
      for checksum in checksums.dropFirst(number * Self.entriesPerBlock).prefix(Self.entriesPerBlock) {
        builder.fixed(checksum ?? 0)
      }
      builder.pad(to: ParityLayout.sectorByteCount - 8)
      unsafe builder.fixed(
        builder.bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) })
      return builder.bytes
    }
  }

  /// A block that was read.
  struct Block {
    let number: Int
    /// Where its group should begin.
    let place: UInt64
    let identity: UInt64
    /// Without checksums.
    let table: ParityTable
    let checksums: [UInt32]
  }

  /// Reads a block; nil if it is none, or was changed.
  ///
  /// - Throws: `notAnArchive` for another version.
  static func block(_ bytes: [UInt8]) throws -> Block? {
    guard bytes.count == ParityLayout.sectorByteCount, bytes.starts(with: magic) else { return nil }
    return try unsafe bytes.withUnsafeBytes { bytes in
      let hashed = bytes.count - 8
      let hash = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: hashed, as: UInt64.self))
      guard unsafe gca_hash64_bytes(bytes.baseAddress, hashed) == hash else { return nil }
      var parser = unsafe ByteParser(
        UnsafeRawBufferPointer(rebasing: bytes[8..<hashed]), origin: 8, subject: "the parity")
      let (version, features) = (try parser.fixed16(), FormatFeatures(rawValue: try parser.fixed16()))
      guard version == formatVersion else {
        throw GCodableError.unknownVersion(version, of: "the parity", known: formatVersion)
      }
      try features.check(of: "the parity", at: 10)
      let (number, place, start) = (Int(try parser.fixed32()), try parser.fixed64(), try parser.fixed64())
      let layout = ParityLayout(
        byteCount: try parser.fixed64(), wordCount: Int(try parser.fixed32()),
        paritiesPerWord: Int(try parser.fixed32()), sumCount: Int(try parser.fixed32()))
      let hundredths = Int(try parser.fixed32())
      let (startHash, identity, _) = (try parser.fixed64(), try parser.fixed64(), try parser.fixed64())
      guard layout.isValid, start <= 1 << 56, place <= 1 << 56, number < blockCount(layout),
        (1...10_000).contains(hundredths)
      else { throw parser.malformed("has numbers that no parity has") }
      let table = ParityTable(
        layout: layout, start: start, redundancy: ArchiveRedundancy(hundredths: hundredths),
        startHash: startHash, checksums: [])
      let count = layout.sectorCount + layout.paritySectorCount - number * entriesPerBlock
      let checksums = try (0..<min(count, entriesPerBlock)).map { _ in try parser.fixed32() }
      return Block(number: number, place: place, identity: identity, table: table, checksums: checksums)
    }
  }
}
