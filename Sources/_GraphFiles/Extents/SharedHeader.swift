import CGraphArchive
import _GraphSupport

/// The first 64 bytes of an archive in a series that is stored in pieces, written last as an archive's own header.
package struct SharedHeader: Equatable {
  /// Bytes of the table of extents, with which what is stored ends.
  var tableByteCount: UInt32
  /// From this header to the end of the table.
  package var storedByteCount: UInt64
  /// Bytes of the whole archive.
  package var archiveByteCount: UInt64
  /// XXH3-64 of the table.
  var tableHash: UInt64
  /// See `ArchiveHeader.hash`.
  package var archiveHash: UInt64
  /// See `ArchiveHeader.features`.
  package var features = FormatFeatures(rawValue: 0)

  package static let byteCount = Int(ExtentTable.headerByteCount)
  static let magic = Array("gcshared".utf8)
  static let formatVersion: UInt16 = 1

  /// The XXH3-64 at its end, which by the hashes that it covers stands for the whole archive.
  package var hash: UInt64 { Self.hashes(of: bytes).stored }

  /// The header's bytes, with the XXH3-64 of the first 56 in the last 8.
  package var bytes: [UInt8] {
    var builder = ByteBuilder(Self.magic)
    builder.fixed(Self.formatVersion)
    builder.fixed(features.rawValue)
    builder.fixed(tableByteCount)
    builder.fixed(storedByteCount)
    builder.fixed(archiveByteCount)
    builder.fixed(tableHash)
    builder.fixed(archiveHash)
    builder.fixed(0 as UInt64)  // Reserved.
    unsafe builder.fixed(builder.bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) })
    return builder.bytes
  }

  /// Whether bytes begin as one.
  package static func isOne(_ start: some Collection<UInt8>) -> Bool { start.starts(with: magic) }

  /// The hash of a header's bytes, and the one that stands at their end.
  package static func hashes(of bytes: [UInt8]) -> (computed: UInt64, stored: UInt64) {
    // A header has 64 bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe (
        gca_hash64_bytes(bytes.baseAddress, byteCount - 8),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: byteCount - 8, as: UInt64.self))
      )
    }
  }

  /// Reads a header.
  ///
  /// - Throws: `wrongSize`, `damaged`, `unsupported` or `malformed`.
  package init(parsing bytes: [UInt8]) throws {
    guard bytes.count >= Self.byteCount, Self.isOne(bytes) else {
      throw GCodableError(
        .wrongSize, "there is no header of an archive that is stored in pieces", byteOffset: 0)
    }
    let hashes = Self.hashes(of: bytes)
    guard hashes.computed == hashes.stored else {
      throw GCodableError(.damaged, "the header does not match its checksum", byteOffset: 0)
    }
    self = try unsafe bytes.withUnsafeBytes { bytes in
      var parser = unsafe ByteParser(
        UnsafeRawBufferPointer(rebasing: bytes[8..<(Self.byteCount - 8)]), origin: 8, subject: "the header")
      let (version, features) = (try parser.fixed16(), FormatFeatures(rawValue: try parser.fixed16()))
      guard version == Self.formatVersion else {
        throw GCodableError.unknownVersion(version, of: "the archive", known: Self.formatVersion)
      }
      try features.check(
        of: "the archive", knowing: [.overlaidExtents, .extentsOfDifferences], at: 10)
      var header = try Self(&parser)
      header.features = features
      let leastByteCount = UInt64(Self.byteCount) + UInt64(header.tableByteCount)
      guard header.tableByteCount > 0, header.storedByteCount >= leastByteCount,
        header.archiveByteCount > UInt64(ArchiveHeader.byteCount)
      else {
        throw parser.malformed("has sizes that do not fit")
      }
      return header
    }
  }

  package init(
    tableByteCount: UInt32, storedByteCount: UInt64, archiveByteCount: UInt64, tableHash: UInt64,
    archiveHash: UInt64, features: FormatFeatures = []
  ) {
    self.tableByteCount = tableByteCount
    self.storedByteCount = storedByteCount
    self.archiveByteCount = archiveByteCount
    self.tableHash = tableHash
    self.archiveHash = archiveHash
    self.features = features
  }

  private init(_ parser: inout ByteParser) throws {
    tableByteCount = try parser.fixed32()
    storedByteCount = try parser.fixed64()
    archiveByteCount = try parser.fixed64()
    tableHash = try parser.fixed64()
    archiveHash = try parser.fixed64()
  }

  /// Reads the table of an archive whose header this is.
  ///
  /// - Parameter start: where the header stands in the file.
  /// - Throws: `damaged` or `malformed`, with the offset from `start`; `wrongSize`, `file`.
  package func table(in file: any RangeReader, at start: UInt64) throws -> ExtentTable {
    // The size of an entry was compared with the file; a header found by recovery may say anything.
    guard start <= UInt64(Int64.max), storedByteCount <= UInt64(Int64.max) - start else {
      throw GCodableError(
        .malformed, "the header says \(storedByteCount) bytes, which no file can have", byteOffset: 0)
    }
    let ownByteCount = storedByteCount - UInt64(tableByteCount)
    let source = ArchiveSource(file, from: start, byteCount: storedByteCount)
    return try unsafe source.withBytes(Int(tableByteCount), from: ownByteCount) { bytes in
      guard unsafe gca_hash64_bytes(bytes.baseAddress, bytes.count) == tableHash else {
        throw GCodableError(
          .damaged, "the table of extents does not match its checksum", byteOffset: ownByteCount)
      }
      return try unsafe ExtentTable(
        parsing: bytes, features, start: start, tableOffset: start + ownByteCount,
        byteCount: archiveByteCount)
    }
  }
}

extension SharedHeader {
  /// How many bytes are stored of an archive, as a whole or in pieces, that begins with these; nil if none does.
  ///
  /// Magic, checksum and version are enough: what else the header says matters to who opens the archive.
  package static func storedByteCount(startingWith start: some Collection<UInt8>) -> UInt64? {
    let start = Array(start)
    let isShared = isOne(start)
    guard start.count >= (isShared ? byteCount : ArchiveHeader.byteCount) else { return nil }
    return unsafe start.withUnsafeBytes { bytes in
      func load<Value: FixedWidthInteger>(_ offset: Int, as type: Value.Type) -> Value {
        unsafe Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
      }
      let hashes = unsafe isShared ? hashes(of: start) : ArchiveHeader.hashes(of: bytes)
      // Both say their version and their bytes at the same places.
      guard isShared || load(0, as: UInt64.self) == ArchiveHeader.magic, hashes.computed == hashes.stored,
        load(8, as: UInt16.self) == (isShared ? formatVersion : ArchiveHeader.formatVersion)
      else { return nil }
      return load(16, as: UInt64.self)
    }
  }
}
