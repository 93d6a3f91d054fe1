/// How the body of an archive is compressed: `ArchiveCompression`.
///
///     encoder.compression = .lz4hc(level: 9)
///
/// The bytes of large arrays are shuffled first where a sample of the array shows that this helps, as it does for
/// most floating-point numbers. An array or block that would not become smaller is stored uncompressed. Decoding
/// needs no setting: the archive records what was used.
///
/// Methods may be added in later versions.
public struct ArchiveCompression: Hashable, Sendable {
  /// The level that the C target is given, 0 for the fast method; nil where blocks are stored.
  package let blockLevel: Int32?
  /// Whether numbers of large arrays have the codec for numbers where it makes them smaller.
  package let makesNumbersSmall: Bool

  /// No compression: fastest, and large arrays are written from their own memory.
  public static let none = Self(blockLevel: nil, makesNumbersSmall: false)

  /// LZ4: a little slower, often half the size for text and structure.
  public static let lz4 = Self(blockLevel: 0, makesNumbersSmall: false)

  /// LZ4 with a thorough search: much slower to write, as fast to read.
  ///
  /// - Parameter level: 1 to 12, best from 9; others are clamped.
  public static func lz4hc(level: Int) -> Self {
    Self(blockLevel: Int32(min(max(level, 1), 12)), makesNumbersSmall: false)
  }

  /// The fewest bytes for large arrays of numbers.
  ///
  /// Each number is predicted from those before it, and what that is off by is coded by its frequency. It is slower to write and to read
  /// than LZ4, which arrays have where it makes them smaller, and everything besides numbers has. Rounding to a precision goes well with
  /// it: see `GraphEncoder.precision`. Packages that do not know this method read everything besides such arrays.
  public static let small = Self(blockLevel: 0, makesNumbersSmall: true)
}

extension ArchiveCompression: CustomStringConvertible {
  /// The name of the method, with its level if it has one.
  public var description: String {
    switch blockLevel {
    case nil: "none"
    case 0? where makesNumbersSmall: "small"
    case 0?: "lz4"
    case let level?: "lz4hc(level: \(level))"
    }
  }
}
