/// What a name of a class from an archive may cost.
///
/// Names of real classes are far below; one that is above is an error when it is encoded, and says what to do.
enum ClassNameLimits {
  /// Bytes of a mangled name.
  static let byteCount = 4 << 10
  /// Bytes of a mangled name in full: substitutions can double a type again and again.
  static let expandedByteCount = 8 << 10
  /// Types inside each other, as generic arguments, containers or scopes.
  ///
  /// Swift's runtime recurses, some 1.5 KiB of stack for each, and a generic struct that has its argument twice
  /// doubles in size with each.
  static let depth = 16
  /// Parts of a name that wait for what they belong to, generic arguments most of all.
  static let partCount = 256
  /// Bytes written to put a name together: each level of it copies what is inside.
  static let workByteCount = depth * expandedByteCount
  /// Classes that were found, and are remembered.
  static let foundClassCount = 1024
  /// Bytes of a name that a class declares.
  static let archiveNameByteCount = 255
  /// What look-ups by the runtime may cost for one archive, in bytes of names in full.
  ///
  /// The runtime keeps the types that it has made of generic ones: some 25 bytes for a byte.
  static let searchByteCount = 1 << 20
  /// What a look-up costs in any case: the runtime searches all types of the program, which takes it up to 80 µs.
  static let searchBaseByteCount = 256
}
