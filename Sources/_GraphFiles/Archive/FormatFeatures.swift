import _GraphSupport

/// What a file has beyond version and layout: 16 bits in the headers of archives, series and parity.
///
/// Bits 0 to 7 say what a reader must understand to read the file right, bits 8 to 15 what it may ignore.
package struct FormatFeatures: OptionSet {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// An archive in pieces has overlaid extents.
  static let overlaidExtents = Self(rawValue: 1 << 3)
  /// An archive in pieces has extents of differences.
  static let extentsOfDifferences = Self(rawValue: 1 << 4)

  /// What must be understood.
  private static let critical = Self(rawValue: 0x00FF)

  /// Names of bits that must be understood, or what they are reserved for.
  private static let names = [
    "blocks that other files hold", "parts of a set of files", "values in extensions", "overlaid extents",
    "extents of differences",
  ]

  /// - Parameters:
  ///   - known: what a header of this kind may have.
  ///   - offset: where the bits stand.
  /// - Throws: `unsupported`, which names the features that must be understood and are not known.
  @inline(__always)
  func check(of subject: @autoclosure () -> String, knowing known: Self = [], at offset: UInt64) throws {
    let unknown = intersection(.critical).subtracting(known)
    if !unknown.isEmpty { throw Self.unknown(unknown, of: subject(), at: offset) }
  }

  @inline(never)
  private static func unknown(_ unknown: Self, of subject: String, at offset: UInt64) -> GCodableError {
    let texts = (0..<8).filter { unknown.contains(Self(rawValue: 1 << UInt16($0))) }.map { bit in
      bit < Self.names.count ? "\(bit) (\(Self.names[bit]))" : "\(bit)"
    }
    return GCodableError(
      .unsupported,
      "\(subject) needs feature \(texts.joined(separator: ", ")), which this package does not know: "
        + "update it to read the file", byteOffset: offset)
  }
}

extension GCodableError {
  /// The error for a file of another version of the format.
  static func unknownVersion(_ version: UInt16, of subject: String, known: UInt16) -> Self {
    GCodableError(
      .unsupported, "\(subject) has format version \(version); this package reads version \(known)",
      byteOffset: 8)
  }
}
