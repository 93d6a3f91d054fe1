import CGraphArchive
import _GraphFiles
import _GraphSupport

/// The end of an entry of a series: what is known of the archive in front of it.
///
/// It is written when the archive is on the device, and makes it an entry. It says where it stands itself, so that
/// bytes of a series inside an archive are not taken for records.
package struct SeriesRecord {
  /// Where it begins in the file.
  package var offset: UInt64
  package var archiveOffset: UInt64
  /// Bytes from there that are the entry's.
  package var storedByteCount: UInt64
  /// The hash at the end of the header that stands there: an archive's, or that of one in pieces.
  package var archiveHash: UInt64
  /// The entry's place in the series, from 0.
  package var number: Int
  /// The hash of the record before, or of the series' header.
  var previousHash: UInt64
  package var step: Int
  package var time: Double
  /// Bytes of the whole archive; other than those that are stored where it is stored in pieces.
  var archiveByteCount: UInt64
  package var metadata: Metadata
  /// Copies of the records directly in front of it, the oldest first; most records have none.
  ///
  /// See `SeriesIndex`.
  var index: [UInt8] = []

  /// A record with what shows when it is stored.
  package struct Stored {
    package var record: SeriesRecord
    /// All of it.
    let bytes: [UInt8]
    /// Where the next entry begins.
    package var end: UInt64
    /// The XXH3-64 at its end.
    var hash: UInt64

    /// Bytes of the record.
    package var byteCount: UInt64 { UInt64(bytes.count) }

    /// - Parameter bytes: the record's.
    init(_ record: SeriesRecord, _ bytes: [UInt8]) {
      (self.record, self.bytes) = (record, bytes)
      end = record.offset + UInt64(bytes.count)
      hash = unsafe bytes.withUnsafeBytes { unsafe SeriesRecord.number($0, $0.count - 8) }
    }
  }

  static let magic = Array("gcrecord".utf8)
  private static let magicNumber: UInt64 = 0x6472_6F63_6572_6367  // The same, read as one number.
  /// Archives and records begin at a multiple of this, as blocks do in archives that are not compressed.
  package static let alignment = 64
  /// Without metadata.
  static let minimumByteCount = 128
  /// No more metadata is taken, so that a list of the entries stays one that can be read at once.
  static let maximumByteCount = 1 << 20

  /// The largest number of an entry; no series comes to it.
  static let maximumNumber = Int.max - 1

  /// Checks that there is not too much metadata for a record.
  ///
  /// - Throws: `limitExceeded` when there is.
  package static func check(_ metadata: Metadata) throws { _ = try bytes(of: metadata) }

  /// Checks that there is a number left for the next entry.
  ///
  /// - Throws: `limitExceeded` when there is none.
  static func checkNumber(_ number: Int, in path: String) throws {
    guard number <= maximumNumber else {
      throw GCodableError(.limitExceeded, "no number is left for the next entry of \(path)")
    }
  }

  /// Where the record of an archive begins; nil beyond all files.
  package static func offset(behind archiveOffset: UInt64, _ storedByteCount: UInt64) -> UInt64? {
    let (end, isTooLarge) = archiveOffset.addingReportingOverflow(storedByteCount)
    guard !isTooLarge, end <= UInt64(Int64.max) else { return nil }
    return (end + UInt64(alignment) - 1) / UInt64(alignment) * UInt64(alignment)
  }

  /// The record's bytes, with the XXH3-64 of all others in the last 8.
  ///
  /// - Throws: `limitExceeded` when there is too much metadata.
  func bytes() throws -> [UInt8] {
    let metadata = try Self.bytes(of: metadata)
    var builder = ByteBuilder(Self.magic)
    let byteCount = Self.byteCount(metadataByteCount: metadata.count) + index.count
    builder.fixed(UInt32(byteCount))
    builder.fixed(UInt32(index.count))
    builder.fixed(offset)
    builder.fixed(archiveOffset)
    builder.fixed(storedByteCount)
    builder.fixed(archiveHash)
    builder.fixed(UInt64(number))
    builder.fixed(previousHash)
    builder.fixed(Int64(step))
    builder.fixed(time.bitPattern)
    builder.fixed(archiveByteCount)
    builder.append(metadata)
    builder.pad(to: byteCount - index.count - Self.endByteCount)
    builder.append(index)
    builder.fixed(UInt64(byteCount))
    unsafe builder.fixed(builder.bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) })
    return builder.bytes
  }

  /// The bytes of metadata in a record.
  ///
  /// - Throws: `limitExceeded` when there are too many.
  private static func bytes(of metadata: Metadata) throws -> [UInt8] {
    var builder = ByteBuilder()
    builder.metadata(metadata)
    let count = builder.bytes.count
    guard byteCount(metadataByteCount: count) <= maximumByteCount else {
      throw GCodableError(
        .limitExceeded, "the metadata takes \(count) bytes; less than \(maximumByteCount) are allowed")
    }
    return builder.bytes
  }

  /// How many bytes of copies the record has room for.
  func indexRoom() throws -> Int { Self.maximumByteCount - (try bytes().count - index.count) }

  private static func byteCount(metadataByteCount: Int) -> Int {
    (fieldsByteCount + metadataByteCount + endByteCount + alignment - 1) / alignment * alignment
  }

  /// Bytes in front of the metadata.
  private static let fieldsByteCount = 88
  /// Bytes behind the metadata and its padding: the size again, and the hash.
  static let endByteCount = 16
}

extension SeriesRecord {
  /// How many of the first bytes of a record `byteCount(startingWith:at:)` needs.
  package static let startByteCount = 24

  /// How many bytes a record at `offset` has that begins with these; nil if none does.
  static func byteCount(startingWith start: UnsafeRawBufferPointer, at offset: UInt64) -> Int? {
    guard start.count >= startByteCount, unsafe number(start, 0) == magicNumber,
      unsafe number(start, 16) == offset
    else {
      return nil
    }
    return unsafe checked(number(start, 8) & 0xFFFF_FFFF)
  }

  /// How many bytes a record has that begins with these, wherever it stands; nil if none does.
  package static func byteCount(startingWith start: [UInt8]) -> Int? {
    guard start.count >= startByteCount else { return nil }
    return unsafe start.withUnsafeBytes { unsafe byteCount(startingWith: $0, at: offset(in: $0)) }
  }

  /// Reads a record that stands elsewhere than it says; nil if it is none, or was changed.
  ///
  /// - Parameter bytes: as many as it says at its start.
  package static func moved(_ bytes: [UInt8]) -> Stored? {
    guard bytes.count >= minimumByteCount else { return nil }
    return unsafe bytes.withUnsafeBytes { unsafe parse($0, at: offset(in: $0)) }
  }

  /// Where a record says that it stands, of which these are the first bytes.
  static func offset(in start: UnsafeRawBufferPointer) -> UInt64 { unsafe number(start, 16) }

  /// How many bytes a record has that ends with these 16; nil if none does.
  static func byteCount(endingWith end: UnsafeRawBufferPointer) -> Int? { unsafe checked(number(end, 0)) }

  private static func checked(_ byteCount: UInt64) -> Int? {
    guard byteCount % UInt64(alignment) == 0, byteCount >= minimumByteCount, byteCount <= maximumByteCount
    else { return nil }
    return Int(byteCount)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Reads a record that stands at `offset`; nil if it is none, or was changed.
  ///
  /// - Parameter bytes: as many as it says at its start.
  static func parse(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Stored? {
    let hashed = bytes.count - 8
    guard unsafe gca_hash64_bytes(bytes.baseAddress, hashed) == number(bytes, hashed),
      unsafe number(bytes, hashed - 8) == bytes.count
    else { return nil }
    let indexByteCount = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    guard indexByteCount % alignment == 0, indexByteCount <= bytes.count - minimumByteCount,
      offset <= UInt64(Int64.max)
    else { return nil }
    let indexStart = bytes.count - endByteCount - indexByteCount
    let fields = unsafe UnsafeRawBufferPointer(rebasing: bytes[16..<indexStart])
    var parser = unsafe ByteParser(fields, origin: offset + 16, subject: "the record")
    // Where the checksum matches and the fields make no sense, it is forged, and no record either.
    guard var record = try? Self(&parser), record.offset == offset,
      record.archiveOffset % UInt64(alignment) == 0,
      record.archiveOffset >= UInt64(SeriesHeader.byteCount),
      min(record.storedByteCount, record.archiveByteCount) > UInt64(ArchiveHeader.byteCount),
      record.archiveByteCount <= UInt64(Int64.max),
      Self.offset(behind: record.archiveOffset, record.storedByteCount) == offset
    else { return nil }
    record.index = unsafe Array(bytes[indexStart..<(indexStart + indexByteCount)])
    return unsafe Stored(record, Array(bytes))
  }

  private init(_ parser: inout ByteParser) throws {
    offset = try parser.fixed64()
    archiveOffset = try parser.fixed64()
    storedByteCount = try parser.fixed64()
    archiveHash = try parser.fixed64()
    let number = try parser.fixed64()
    previousHash = try parser.fixed64()
    let step = Int64(bitPattern: try parser.fixed64())
    time = Double(bitPattern: try parser.fixed64())
    archiveByteCount = try parser.fixed64()
    guard let number = Int(exactly: number), number <= Self.maximumNumber,
      let step = Int(exactly: step)
    else {
      throw parser.malformed("has a number that is out of range")
    }
    self.number = number
    self.step = step
    metadata = try Metadata(&parser)
    guard try unsafe parser.bytes(parser.left).allSatisfy({ $0 == 0 }) else {
      throw parser.malformed("has bytes behind the metadata")
    }
  }
}
