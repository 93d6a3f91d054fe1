/// An error of encoding, decoding, reading or writing a graph.
///
/// The `code` is for programs. The `description` is for people, and has everything else: the message, the type, the path
/// of keys from the root, and the byte offset in the archive or its graph stream where the error was found.
public struct GCodableError: Error, Sendable {
  /// The kind of error.
  ///
  /// New codes may be added; give every `switch` a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number of the code, the same in all versions.
    public let rawValue: Int

    /// Makes a code from its number; the name of an unknown number is "unknown".
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The name of the code in this source.
    public var name: String {
      switch self {
      case .notAnArchive: "notAnArchive"
      case .wrongSize: "wrongSize"
      case .damaged: "damaged"
      case .malformed: "malformed"
      case .limitExceeded: "limitExceeded"
      case .unsupported: "unsupported"
      case .keyNotFound: "keyNotFound"
      case .valueNotFound: "valueNotFound"
      case .typeMismatch: "typeMismatch"
      case .invalidValue: "invalidValue"
      case .invalidPath: "invalidPath"
      case .cycle: "cycle"
      case .classNotFound: "classNotFound"
      case .classNotConstructible: "classNotConstructible"
      case .duplicateKey: "duplicateKey"
      case .file: "file"
      case .noMemory: "noMemory"
      case .locked: "locked"
      case .internalInconsistency: "internalInconsistency"
      default: "unknown"
      }
    }

    // The archive.

    /// The bytes do not begin like an archive, or its format is newer than this package.
    public static let notAnArchive = Self(rawValue: 10)
    /// The bytes end before the archive does, or continue after it.
    public static let wrongSize = Self(rawValue: 11)
    /// A checksum does not match: the bytes were changed after they were written.
    public static let damaged = Self(rawValue: 12)
    /// The checksums match, but the bytes are not a valid archive: it was forged, or written by a faulty program.
    public static let malformed = Self(rawValue: 13)
    /// A limit of the coder would be exceeded.
    public static let limitExceeded = Self(rawValue: 14)
    /// The archive needs what this version of the package does not know: a later version reads it.
    public static let unsupported = Self(rawValue: 15)

    // The values.

    /// A key that was asked for is not there.
    public static let keyNotFound = Self(rawValue: 20)
    /// There is nil, or nothing, in place of the value that was asked for.
    public static let valueNotFound = Self(rawValue: 21)
    /// The stored value is of another type than the one asked for.
    public static let typeMismatch = Self(rawValue: 22)
    /// The stored value is of the right type, but out of range or otherwise refused by it.
    public static let invalidValue = Self(rawValue: 23)
    /// A text given as a path does not have the form of one.
    public static let invalidPath = Self(rawValue: 24)

    // The graph.

    /// Objects need each other in `init(from:)`: one of them must use `deferDecode`.
    public static let cycle = Self(rawValue: 30)
    /// A class cannot be found by its name in the archive, or cannot be used for decoding.
    public static let classNotFound = Self(rawValue: 31)
    /// A class could not be found again by the name that would be stored.
    public static let classNotConstructible = Self(rawValue: 32)
    /// A key was used twice for one value.
    public static let duplicateKey = Self(rawValue: 33)

    // The system.

    /// A file could not be opened, read, written or renamed.
    public static let file = Self(rawValue: 40)
    /// There is not enough memory.
    public static let noMemory = Self(rawValue: 41)
    /// Another writer, in any process on any host, has the file, series or set.
    public static let locked = Self(rawValue: 42)

    /// A defect of this library.
    public static let internalInconsistency = Self(rawValue: 50)
  }

  /// Details of an error beyond its code.
  public struct Context: Sendable {
    /// What happened and, if something can be done about it, what to do.
    public var debugDescription: String
    /// The error that led to this one, if any.
    public var underlyingError: (any Error)?

    /// Makes a context of a message and, optionally, the error that led to this one.
    public init(debugDescription: String, underlyingError: (any Error)? = nil) {
      self.debugDescription = debugDescription
      self.underlyingError = underlyingError
    }
  }

  /// The kind of error.
  public var code: Code {
    get { details.code }
    set { update { $0.code = newValue } }
  }

  /// The message and the underlying error.
  public var context: Context {
    get { details.context }
    set { update { $0.context = newValue } }
  }

  /// The name of the Swift type that was being encoded or decoded, where there is one.
  public var typeName: String? {
    get { details.typeName.map(LibraryTypes.current.qualifiedInArchive) }
    set { update { $0.typeName = newValue } }
  }

  /// The keys from the root to the value; `[3]` is the fourth unkeyed value or element, or the value of the key 3.
  ///
  /// A value of a dictionary has its key, as in a `GraphPath`, or, if that is no string, integer or raw value, the
  /// place of the pair.
  ///
  /// Empty when the error does not belong to a value.
  public var keyPath: [String] {
    get { details.keyPath }
    set { update { $0.keyPath = newValue } }
  }

  /// Where the error was found: bytes from the start of the archive, or of the expanded graph stream for errors about
  /// values.
  ///
  /// nil if the error is not about a byte.
  public var byteOffset: UInt64? {
    get { details.byteOffset }
    set { update { $0.byteOffset = newValue } }
  }

  /// The file that could not be opened, read, written or renamed, for an error with the code `file` that is about one.
  ///
  /// Of a program that reads one file and writes another, it tells which of them failed.
  public var filePath: String? {
    get { details.filePath }
    set { update { $0.filePath = newValue } }
  }

  /// All of it: one pointer, since code that throws and catches large structs is large itself.
  private var box: Box

  private struct Details {
    var code: Code
    var context: Context
    var typeName: String?
    var keyPath: [String] = []
    var byteOffset: UInt64?
    var filePath: String?
  }

  private final class Box: Sendable {
    let details: Details
    init(_ details: Details) { self.details = details }
  }

  private var details: Details { box.details }

  @inline(never)
  private mutating func update(_ change: (inout Details) -> Void) {
    var details = details
    change(&details)
    box = Box(details)
  }

  /// Makes an error.
  @inline(never)
  public init(
    _ code: Code, _ message: String, typeName: String? = nil, byteOffset: UInt64? = nil,
    underlyingError: (any Error)? = nil
  ) {
    box = Box(
      Details(
        code: code, context: Context(debugDescription: message, underlyingError: underlyingError),
        typeName: typeName, byteOffset: byteOffset))
  }

  /// Makes an error about a file, or about an object of a store.
  package init(
    file path: String, _ message: String, byteOffset: UInt64? = nil, underlyingError: (any Error)? = nil
  ) {
    self.init(.file, message, byteOffset: byteOffset, underlyingError: underlyingError)
    filePath = path
  }

  /// An error about a defect of this library, found while coding `type`.
  public static func internalInconsistency(_ type: Any.Type, _ context: Context) -> Self {
    var error = Self(.internalInconsistency, "", typeName: _typeName(type, qualified: true))
    error.context = context
    return error
  }
}

extension GCodableError: CustomStringConvertible {
  /// The code and the message, then type, key path, byte offset and cause, as far as known.
  public var description: String {
    var text = "\(code.name): \(context.debugDescription)"
    if let typeName { text += " (type \(typeName))" }
    if !keyPath.isEmpty { text += " (at \(keyPathDescription))" }
    if let byteOffset { text += " (byte \(byteOffset))" }
    if let cause = context.underlyingError { text += " (because: \(cause))" }
    return text
  }

  /// The key path as one string: `nodes[3].scores["a.b"]`.
  ///
  /// The description of a `GraphPath` has the same form.
  public var keyPathDescription: String {
    keyPath.reduce(into: "") { text, key in
      switch key.utf8.first {
      case UInt8(ascii: "["): text += key
      // An object while encoding.
      case UInt8(ascii: "<"): text += text.isEmpty ? key : "." + key
      default: PathText.append(key, to: &text)
      }
    }
  }
}

extension GCodableError.Code: CustomStringConvertible {
  /// The name of the code.
  public var description: String { name }
}
