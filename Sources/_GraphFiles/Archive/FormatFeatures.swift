import _GraphSupport

/// What a file has beyond version and layout: 16 bits in the headers of archives and series.
///
/// Bits 0 to 7 say what a reader must understand to read the file right, bits 8 to 15 what it may ignore.
package struct FormatFeatures: OptionSet {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// What must be understood.
  private static let critical = Self(rawValue: 0x00FF)
  /// What this version of the format knows.
  private static let known: Self = []

  /// Names of bits that must be understood: what they are reserved for.
  private static let names = [
    "blocks that other files hold", "parts of a set of files", "values in extensions",
  ]

  /// - Throws: `notAnArchive`, which names the features that must be understood and are not known.
  /// - Parameter offset: where the bits stand.
  @inline(__always)
  func check(of subject: @autoclosure () -> String, at offset: UInt64) throws {
    let unknown = intersection(.critical).subtracting(.known)
    if !unknown.isEmpty { throw Self.unknown(unknown, of: subject(), at: offset) }
  }

  @inline(never)
  private static func unknown(_ unknown: Self, of subject: String, at offset: UInt64) -> GCodableError {
    let texts = (0..<8).filter { unknown.contains(Self(rawValue: 1 << UInt16($0))) }.map { bit in
      bit < Self.names.count ? "\(bit) (\(Self.names[bit]))" : "\(bit)"
    }
    return GCodableError(
      .notAnArchive,
      "\(subject) needs feature \(texts.joined(separator: ", ")), which this package does not know",
      byteOffset: offset)
  }
}
