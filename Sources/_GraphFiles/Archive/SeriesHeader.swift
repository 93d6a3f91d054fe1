import CGraphArchive
import _GraphSupport

/// The first 64 bytes of a series, which are the same in every series.
package enum SeriesHeader {
  package static let byteCount = 64
  package static let magic = Array("gcseries".utf8)
  static let formatVersion: UInt16 = 1

  /// The header's bytes, with the XXH3-64 of the first 56 in the last 8.
  package static let bytes: [UInt8] = {
    var builder = ByteBuilder()
    for byte in magic { builder.byte(byte) }
    builder.fixed(formatVersion)
    builder.fixed(0 as UInt16)  // Features.
    builder.pad(to: byteCount - 8)
    builder.fixed(hash(of: builder.bytes))
    return builder.bytes
  }()

  /// The first record's hash of its predecessor.
  package static let hash = hash(of: Array(bytes.dropLast(8)))

  /// What the first bytes of a file tell.
  package enum Finding {
    /// The hash at its end, which the first record repeats.
    case valid(hash: UInt64)
    /// The file was created, and nothing was written to it yet.
    case notBegun
    /// It is a series, but these bytes were changed.
    case damaged
  }

  /// How many of a file's first bytes `find` wants, if the file has them: the header of the first archive, too.
  package static let wantedByteCount = byteCount + SharedHeader.byteCount

  /// Looks at the first bytes of a file.
  ///
  /// - Throws: `notAnArchive` when the file is something else, `unsupported` when it has another version of the format.
  package static func find(in start: [UInt8], fileByteCount: UInt64) throws -> Finding {
    let found = Array(start.prefix(byteCount))
    if found == bytes { return .valid(hash: hash) }
    // Nothing else has been written before the header is on the device.
    let isCut =
      fileByteCount < UInt64(byteCount) && found.prefix(magic.count).elementsEqual(magic.prefix(found.count))
    if isCut || (fileByteCount <= UInt64(byteCount) && found.allSatisfy { $0 == 0 }) { return .notBegun }
    let isHashed = found.suffix(8).elementsEqual(littleEndianBytes(hash(of: found.dropLast(8))))
    if found.count == byteCount, found.starts(with: magic), isHashed {
      return .valid(hash: try hash(ofKnown: found))
    }
    if found.count == byteCount,
      isRecognized(found) || SharedHeader.storedByteCount(startingWith: start.dropFirst(byteCount)) != nil
    {
      return .damaged
    }
    let isArchive = found.starts(with: littleEndianBytes(ArchiveHeader.magic))
    throw GCodableError(
      .notAnArchive,
      isArchive
        ? "this is a single archive and not a series: read it with GraphDecoder"
        : "the bytes do not begin with \"gcseries\": this is not a series of archives", byteOffset: 0)
  }

  /// The hash of a header that is whole, and differs from that which this version of the package writes.
  ///
  /// - Throws: `unsupported` when it has another version of the format, or what must be understood and is not known.
  private static func hash(ofKnown found: [UInt8]) throws -> UInt64 {
    let (version, features) = (found[8...].littleEndianUInt16, found[10...].littleEndianUInt16)
    guard version == formatVersion else {
      throw GCodableError.unknownVersion(version, of: "the series", known: formatVersion)
    }
    try FormatFeatures(rawValue: features).check(of: "the series", at: 10)
    return hash(of: found.dropLast(8))
  }

  /// Whether an invalid header was once one: its magic or its hash is intact.
  private static func isRecognized(_ found: [UInt8]) -> Bool {
    found.starts(with: magic) || found.suffix(8) == bytes.suffix(8)
  }

  private static func hash(of bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) }
  }

  private static func littleEndianBytes(_ value: UInt64) -> [UInt8] {
    var builder = ByteBuilder()
    builder.fixed(value)
    return builder.bytes
  }
}

extension ArraySlice<UInt8> {
  /// The first two bytes as a number.
  fileprivate var littleEndianUInt16: UInt16 { UInt16(self[startIndex]) | UInt16(self[startIndex + 1]) << 8 }
}
