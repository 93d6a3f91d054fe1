import CGraphArchive

/// The first 64 bytes of an archive, written last: without them there is no archive.
struct ArchiveHeader: Equatable {
  /// Version of the user's `BinaryIOType`s.
  var userVersion: UInt16 = 0
  /// Bytes of the whole archive, this header included.
  var byteCount: UInt64
  /// Where the contents begin; they end where the archive ends.
  var contentsOffset: UInt64
  /// XXH3-128 of the contents, low half first.
  var contentsHash: (low: UInt64, high: UInt64)

  static let byteCount = 64
  static let magic = Array("gcodable".utf8)
  static let formatVersion: UInt16 = 1

  /// The XXH3-64 at its end, which by the checksums that it covers stands for the whole archive.
  var hash: UInt64 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: Self.byteCount - 8, as: UInt64.self) }
  }

  /// The header's bytes, with the XXH3-64 of the first 56 in the last 8.
  var bytes: [UInt8] {
    var builder = ByteBuilder()
    for byte in Self.magic { builder.byte(byte) }
    builder.fixed(Self.formatVersion)
    builder.fixed(0 as UInt16)  // Flags.
    builder.fixed(userVersion)
    builder.fixed(0 as UInt16)
    builder.fixed(byteCount)
    builder.fixed(contentsOffset)
    builder.fixed(contentsHash.low)
    builder.fixed(contentsHash.high)
    builder.fixed(0 as UInt64)
    builder.fixed(builder.bytes.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) })
    return builder.bytes
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.bytes == rhs.bytes }
}

extension ArchiveHeader {
  /// Reads the header of an archive of `archiveByteCount` bytes; nil where the header alone is to say that.
  ///
  /// - Throws: `notAnArchive`, `wrongSize`, `damaged` or `malformed`.
  init(parsing bytes: UnsafeRawBufferPointer, archiveByteCount: UInt64?) throws {
    guard bytes.count >= Self.magic.count, bytes.starts(with: Self.magic) else {
      if bytes.starts(with: SeriesHeader.magic) {
        throw GCodableError(
          .notAnArchive, "this is a series of archives: open it with GraphArchiveSeries", byteOffset: 0)
      }
      throw GCodableError(
        .notAnArchive, "the bytes do not begin with \"gcodable\": this is not a graph archive", byteOffset: 0)
    }
    guard bytes.count >= Self.byteCount else {
      throw GCodableError(
        .wrongSize, "an archive has at least \(Self.byteCount) bytes, this one has \(bytes.count)",
        byteOffset: UInt64(bytes.count))
    }
    var parser = ByteParser(bytes, origin: 0, subject: "the header")
    _ = try parser.bytes(Self.magic.count)
    let version = try parser.fixed16()
    let flags = try parser.fixed16()
    userVersion = try parser.fixed16()
    let reserved = try parser.fixed16()
    byteCount = try parser.fixed64()
    contentsOffset = try parser.fixed64()
    contentsHash = (try parser.fixed64(), try parser.fixed64())
    let reserved64 = try parser.fixed64()
    let hash = try parser.fixed64()
    guard gca_hash64_bytes(bytes.baseAddress, Self.byteCount - 8) == hash else {
      throw GCodableError(.damaged, "the header does not match its checksum", byteOffset: 0)
    }
    guard version == Self.formatVersion, flags == 0, reserved == 0, reserved64 == 0 else {
      throw GCodableError(
        .notAnArchive,
        "the archive has format version \(version) and flags \(flags); this package reads version "
          + "\(Self.formatVersion) without flags",
        byteOffset: 8)
    }
    if let archiveByteCount, byteCount != archiveByteCount {
      throw GCodableError(
        .wrongSize, "the archive should have \(byteCount) bytes but has \(archiveByteCount)",
        byteOffset: min(byteCount, archiveByteCount))
    }
    guard contentsOffset >= Self.byteCount, contentsOffset < byteCount else {
      throw GCodableError(
        .malformed, "the contents begin at \(contentsOffset), outside the archive", byteOffset: 24)
    }
  }
}
