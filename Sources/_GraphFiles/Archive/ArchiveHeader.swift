import CGraphArchive
import _GraphSupport

/// The first 40 bytes of an archive, written last: without them there is no archive.
package struct ArchiveHeader: Equatable {
  /// Bytes of the contents, which end where the archive ends.
  package var contentsByteCount: UInt32
  /// Bytes of the whole archive, this header included.
  package var byteCount: UInt64
  /// XXH3-64 of the contents.
  package var contentsHash: UInt64
  /// Bits of an archive that was read, which may be ignored; the hash covers them.
  var features = FormatFeatures(rawValue: 0)

  package init(
    contentsByteCount: UInt32, byteCount: UInt64, contentsHash: UInt64,
    features: FormatFeatures = FormatFeatures(rawValue: 0)
  ) {
    (self.contentsByteCount, self.byteCount, self.contentsHash) = (contentsByteCount, byteCount, contentsHash)
    self.features = features
  }

  /// The header of an archive that has nothing but contents.
  package init(contents: UnsafeRawBufferPointer) {
    self.init(
      contentsByteCount: UInt32(contents.count), byteCount: UInt64(Self.byteCount + contents.count),
      contentsHash: unsafe gca_hash64_bytes(contents.baseAddress, contents.count))
  }

  package static let byteCount = 40
  /// "gcodable", with its first letter in the lowest byte.
  package static let magic: UInt64 = 0x656C_6261_646F_6367
  package static let formatVersion: UInt16 = 1

  /// The XXH3-64 at its end, which by the checksums that it covers stands for the whole archive.
  package var hash: UInt64 {
    unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: Self.byteCount - 8, as: UInt64.self)
    }
  }

  /// Where the contents begin.
  package var contentsOffset: UInt64 { byteCount - UInt64(contentsByteCount) }

  /// The header's bytes, with the XXH3-64 of the first 32 in the last 8.
  package var bytes: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      unsafe write(to: UnsafeMutableRawBufferPointer(buffer))
      count = Self.byteCount
    }
  }

  /// Writes the bytes to the start of `buffer`, which has room for them.
  package func write(to buffer: UnsafeMutableRawBufferPointer) {
    // The library's own buffers, not data: without room the stores would leave them.
    precondition(buffer.count >= Self.byteCount)
    unsafe buffer.storeBytes(of: Self.magic.littleEndian, as: UInt64.self)
    unsafe buffer.storeBytes(of: Self.formatVersion.littleEndian, toByteOffset: 8, as: UInt16.self)
    unsafe buffer.storeBytes(of: features.rawValue.littleEndian, toByteOffset: 10, as: UInt16.self)
    unsafe buffer.storeBytes(of: contentsByteCount.littleEndian, toByteOffset: 12, as: UInt32.self)
    unsafe buffer.storeBytes(of: byteCount.littleEndian, toByteOffset: 16, as: UInt64.self)
    unsafe buffer.storeBytes(of: contentsHash.littleEndian, toByteOffset: 24, as: UInt64.self)
    let hash = unsafe gca_hash64_bytes(buffer.baseAddress, Self.byteCount - 8)
    unsafe buffer.storeBytes(of: hash.littleEndian, toByteOffset: 32, as: UInt64.self)
  }
}

extension ArchiveHeader {
  /// The hash of a header's bytes, and the one that stands at their end.
  package static func hashes(of bytes: UnsafeRawBufferPointer) -> (computed: UInt64, stored: UInt64) {
    let hashed = byteCount - 8
    let stored = unsafe bytes.loadUnaligned(fromByteOffset: hashed, as: UInt64.self)
    return unsafe (gca_hash64_bytes(bytes.baseAddress, hashed), UInt64(littleEndian: stored))
  }

  /// Reads the header of an archive of `archiveByteCount` bytes; nil to take the size from the header.
  ///
  /// - Throws: `notAnArchive`, `unsupported`, `wrongSize`, `damaged` or `malformed`.
  package init(parsing bytes: UnsafeRawBufferPointer, archiveByteCount: UInt64?) throws {
    func load<Value: FixedWidthInteger>(_ offset: Int, as type: Value.Type) -> Value {
      unsafe Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard bytes.count >= 8, load(0, as: UInt64.self) == Self.magic else {
      if unsafe bytes.starts(with: SeriesHeader.magic) {
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
    let version = load(8, as: UInt16.self)
    features = FormatFeatures(rawValue: load(10, as: UInt16.self))
    contentsByteCount = load(12, as: UInt32.self)
    byteCount = load(16, as: UInt64.self)
    contentsHash = load(24, as: UInt64.self)
    let hashes = unsafe Self.hashes(of: bytes)
    guard hashes.computed == hashes.stored else {
      throw GCodableError(.damaged, "the header does not match its checksum", byteOffset: 0)
    }
    guard version == Self.formatVersion else {
      throw GCodableError.unknownVersion(version, of: "the archive", known: Self.formatVersion)
    }
    try features.check(of: "the archive", at: 10)
    if let archiveByteCount, byteCount != archiveByteCount {
      throw GCodableError(
        .wrongSize, "the archive should have \(byteCount) bytes but has \(archiveByteCount)",
        byteOffset: min(byteCount, archiveByteCount))
    }
    guard contentsByteCount > 0, byteCount >= UInt64(Self.byteCount) + UInt64(contentsByteCount) else {
      throw GCodableError(
        .malformed, "\(contentsByteCount) bytes of contents cannot be in the archive", byteOffset: 12)
    }
  }
}
