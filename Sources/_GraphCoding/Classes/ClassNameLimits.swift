/// What a class name from an archive may cost.
///
/// Names of real classes are far below. Encoding a name above is an error that says what to do.
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
  /// Pending parts of a name, mostly generic arguments.
  static let partCount = 256
  /// Bytes written to put a name together: each level of it copies what is inside.
  static let workByteCount = depth * expandedByteCount
  /// Found classes that are remembered.
  static let foundClassCount = 1024
  /// Bytes of a declared name.
  static let archiveNameByteCount = 255
  /// What look-ups by the runtime may cost for one archive, in bytes of full names.
  ///
  /// The runtime keeps the generic types that it instantiates: some 25 bytes for each byte of a name.
  static let searchByteCount = 1 << 20
  /// The fixed cost of a look-up: the runtime searches all types of the program, which takes up to 80 µs.
  static let searchBaseByteCount = 256
}
