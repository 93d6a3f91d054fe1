/// What went wrong while encoding, decoding, reading or writing a graph.
///
/// The `code` is for programs; `description` is for people and holds everything else: the message, the
/// type in question, the path of keys from the root, and the byte offset in the archive's graph stream or
/// file where it showed.
public struct GCodableError: Error, Sendable {
  /// The kind of error.
  ///
  /// New codes may be added; switch over it with a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number of the code, which does not change between versions.
    public let rawValue: Int
    /// The name of the code in this source.
    public let name: String

    /// Makes a code from its number; a number that is not known gets the name "unknown".
    public init(rawValue: Int) {
      self = Self.all[rawValue] ?? Self(rawValue, "unknown")
    }

    private init(_ rawValue: Int, _ name: String) {
      self.rawValue = rawValue
      self.name = name
    }

    /// Codes are the same when their numbers are.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }
    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    // The archive.

    /// The bytes do not begin like an archive, or its version is newer than this package.
    public static let notAnArchive = Self(10, "notAnArchive")
    /// The bytes end before the archive does, or go on after it.
    public static let wrongSize = Self(11, "wrongSize")
    /// A checksum does not match: the bytes were changed after they were written.
    public static let damaged = Self(12, "damaged")
    /// The checksums match but the bytes make no sense: not written by this package, or forged.
    public static let malformed = Self(13, "malformed")
    /// A limit of the coder would be passed.
    public static let limitExceeded = Self(14, "limitExceeded")

    // The values.

    /// A key that was asked for is not there.
    public static let keyNotFound = Self(20, "keyNotFound")
    /// There is nil, or nothing, where a value was asked for.
    public static let valueNotFound = Self(21, "valueNotFound")
    /// The stored value is of another type than the one asked for.
    public static let typeMismatch = Self(22, "typeMismatch")
    /// The stored value is of the right type but out of its range or otherwise refused by it.
    public static let invalidValue = Self(23, "invalidValue")
    /// A text that was to say where a value is does not have the form of a path.
    public static let invalidPath = Self(24, "invalidPath")

    // The graph.

    /// Objects need each other in `init(from:)`; one of them must use `deferDecode`.
    public static let cycle = Self(30, "cycle")
    /// A class cannot be found by the name in the archive, or not be used for decoding.
    public static let classNotFound = Self(31, "classNotFound")
    /// A class could not be found again by the name it would be stored under.
    public static let classNotConstructible = Self(32, "classNotConstructible")
    /// A key was used twice for one value.
    public static let duplicateKey = Self(33, "duplicateKey")

    // The system.

    /// A file could not be opened, read, written or renamed.
    public static let file = Self(40, "file")
    /// Memory could not be had.
    public static let noMemory = Self(41, "noMemory")
    /// Another writer, in this process or another, appends to the file.
    public static let locked = Self(42, "locked")

    /// Something that cannot happen did.
    public static let internalInconsistency = Self(50, "internalInconsistency")

    private static let all: [Int: Self] = Dictionary(
      uniqueKeysWithValues: [
        notAnArchive, wrongSize, damaged, malformed, limitExceeded, keyNotFound, valueNotFound,
        typeMismatch, invalidValue, invalidPath, cycle, classNotFound, classNotConstructible, duplicateKey,
        file,
        noMemory, locked, internalInconsistency,
      ].map { ($0.rawValue, $0) })
  }

  /// What is known beyond the code.
  public struct Context: Sendable {
    /// What happened and, where something can be done, what to do.
    public var debugDescription: String
    /// The error that led to this one, if any.
    public var underlyingError: (any Error)?

    /// Makes a context of a message and, if there is one, the error behind it.
    public init(debugDescription: String, underlyingError: (any Error)? = nil) {
      self.debugDescription = debugDescription
      self.underlyingError = underlyingError
    }
  }

  /// What kind of error it is.
  public var code: Code
  /// The message and the underlying error.
  public var context: Context
  /// The name of the Swift type that was being encoded or decoded, where there is one.
  public var typeName: String?
  /// The keys from the root to the value; `[3]` is the fourth unkeyed value or element.
  ///
  /// Empty when the error does not belong to a value.
  public var keyPath: [String] = []
  /// Where the error showed: bytes from the start of the archive, or of the expanded graph stream for errors
  /// about values.
  ///
  /// nil where no byte is to blame.
  public var byteOffset: UInt64?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, typeName: String? = nil, byteOffset: UInt64? = nil,
    underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.context = Context(debugDescription: message, underlyingError: underlyingError)
    self.typeName = typeName
    self.byteOffset = byteOffset
  }

  /// An error about something that cannot happen, found while coding `type`.
  public static func internalInconsistency(_ type: Any.Type, _ context: Context) -> Self {
    var error = Self(.internalInconsistency, "", typeName: _typeName(type, qualified: true))
    error.context = context
    return error
  }
}

extension GCodableError: CustomStringConvertible {
  /// The code, the message, then type, key path, byte offset and cause, as far as they are known.
  public var description: String {
    var text = "\(code.name): \(context.debugDescription)"
    if let typeName { text += " (type \(typeName))" }
    if !keyPath.isEmpty { text += " (at \(keyPathDescription))" }
    if let byteOffset { text += " (byte \(byteOffset))" }
    if let cause = context.underlyingError { text += " (because: \(cause))" }
    return text
  }

  /// The key path as one string: `nodes[3].name`.
  public var keyPathDescription: String {
    keyPath.reduce(into: "") { text, key in
      text += text.isEmpty || key.hasPrefix("[") ? key : "." + key
    }
  }
}

extension GCodableError.Code: CustomStringConvertible {
  /// The name of the code.
  public var description: String { name }
}
