/// How the body of an archive is compressed.
///
/// The bytes of large arrays are shuffled first where a sample of the array says that it helps, as it does for
/// most floating-point numbers. An array or a block that would not become smaller is stored as it is. Decoding
/// needs no setting: the archive says what was used.
public enum Compression: Hashable, Sendable {
  /// Not at all: fastest, and large arrays are written from their own memory.
  case none
  /// LZ4: a little slower, often half the size for text and structure.
  case lz4
  /// LZ4 with a thorough search: much slower to write, as fast to read. Levels 1 to 12, best from 9;
  /// others are clamped.
  case lz4hc(level: Int)

  /// The level that the C target is given; nil when blocks are stored.
  var blockLevel: Int32? {
    switch self {
    case .none: nil
    case .lz4: 0
    case .lz4hc(let level): Int32(min(max(level, 1), 12))
    }
  }
}
