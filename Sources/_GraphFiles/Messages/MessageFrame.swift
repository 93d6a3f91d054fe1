import CGraphArchive
import _GraphSupport

/// The first 32 bytes of a frame of a stream of messages.
package struct MessageFrame: BitwiseCopyable {
  package var kind: Kind
  package var flags: Flags = []
  package var version = Self.version
  package var bodyByteCount: UInt32 = 0
  package var messageCount: UInt32 = 0
  /// The number of its first message; the next one where it has none.
  package var number: UInt64
  /// How often tables were added to before the last message; see `MessageTables`.
  package var revision: UInt32
  /// That of a frame that was read.
  private var headChecksum: UInt32 = 0

  /// What a frame has; others than these are of later versions.
  package struct Kind: RawRepresentable, Hashable, BitwiseCopyable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// All tables up to here.
    package static let tables = Self(rawValue: 1)
    /// Entries that the tables did not have before.
    package static let additions = Self(rawValue: 2)
    package static let messages = Self(rawValue: 3)
    /// One message as an archive.
    package static let archive = Self(rawValue: 4)

    /// Whether a reader that does not know the kind passes over its frames.
    package var mayBeIgnored: Bool { rawValue >= 128 }
    package var isKnown: Bool { (1...4).contains(rawValue) }
  }

  package struct Flags: OptionSet, BitwiseCopyable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each message says how many objects it has.
    package static let objects = Self(rawValue: 1)

    /// Those that a reader must know to read the frame.
    package static let critical = Self(rawValue: 0x0F)
  }

  package init(_ kind: Kind, _ flags: Flags = [], messageCount: UInt32 = 0, number: UInt64, revision: UInt32)
  {
    (self.kind, self.flags, self.messageCount) = (kind, flags, messageCount)
    (self.number, self.revision) = (number, revision)
  }

  /// FF, "gcf": the first byte is none of UTF-8.
  package static let marker: UInt32 = 0x6663_67FF
  package static let version: UInt8 = 1
  package static let headByteCount = 32
  /// Bytes around a body: the head, and the checksum behind.
  package static let frameByteCount = headByteCount + 8

  package var byteCount: Int { Self.frameByteCount + Int(bodyByteCount) }

  /// The number behind those of its messages; nil for one that no stream reaches.
  package var nextNumber: UInt64? {
    let (next, overflow) = number.addingReportingOverflow(UInt64(messageCount))
    return overflow ? nil : next
  }

  /// Whether this version of the package can read it; others are passed over, or are an error.
  package var isUnderstood: Bool {
    let knownFlags: Flags = kind == .messages ? .objects : []
    return version == Self.version && kind.isKnown
      && flags.intersection(.critical).isSubset(of: knownFlags)
  }

  package var mayBeIgnored: Bool { version == Self.version && kind.mayBeIgnored }

  // MARK: Bytes

  /// Reads the head of a frame; nil where there is none.
  ///
  /// - Parameter bytes: 32 or more.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> UInt64 {
      unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    let (first, second) = (word(0), word(1))
    headChecksum = UInt32(truncatingIfNeeded: word(3) >> 32)
    guard UInt32(truncatingIfNeeded: first) == Self.marker else { return nil }
    kind = Kind(rawValue: UInt8(truncatingIfNeeded: first >> 32))
    flags = Flags(rawValue: UInt8(truncatingIfNeeded: first >> 40))
    version = UInt8(truncatingIfNeeded: first >> 48)
    bodyByteCount = UInt32(truncatingIfNeeded: second)
    messageCount = UInt32(truncatingIfNeeded: second >> 32)
    number = word(2)
    revision = UInt32(truncatingIfNeeded: word(3))
  }

  fileprivate var words: (UInt64, UInt64, UInt64, UInt64) {
    (
      UInt64(Self.marker) | UInt64(kind.rawValue) << 32 | UInt64(flags.rawValue) << 40
        | UInt64(version) << 48, UInt64(bodyByteCount) | UInt64(messageCount) << 32, number, UInt64(revision)
    )
  }

  /// The head's last four bytes: so a wrong length is noticed before so many bytes are waited for.
  fileprivate static func headChecksum(_ head: UnsafeRawBufferPointer, _ identifier: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: unsafe gca_hash64_bytes(head.baseAddress, headByteCount - 4) ^ identifier)
  }

  /// Whether the head has its checksum.
  ///
  /// - Parameter head: the bytes that it was read from.
  package func isIntact(_ head: UnsafeRawBufferPointer, _ identifier: UInt64) -> Bool {
    unsafe Self.headChecksum(head, identifier) == headChecksum
  }

  /// The bytes of a frame.
  package func bytes(body: [UInt8], _ identifier: UInt64) -> [UInt8] {
    var frame = self
    frame.bodyByteCount = UInt32(body.count)
    let words = frame.words
    var builder = ByteBuilder()
    for word in [words.0, words.1, words.2, words.3] { builder.fixed(word) }
    let headChecksum = unsafe builder.bytes.withUnsafeBytes { unsafe Self.headChecksum($0, identifier) }
    builder.bytes.removeLast(4)
    builder.fixed(headChecksum)
    builder.append(body)
    builder.fixed(
      unsafe builder.bytes.withUnsafeBytes { unsafe Self.checksum($0, identifier) })
    return builder.bytes
  }

  /// The checksum of a frame: its XXH3-64, but for the last eight bytes, combined with the stream's identifier.
  package static func checksum(_ bytes: UnsafeRawBufferPointer, _ identifier: UInt64) -> UInt64 {
    unsafe gca_hash64_bytes(bytes.baseAddress, bytes.count) ^ identifier
  }

  /// Whether a whole frame has its checksum.
  package static func isIntact(_ bytes: UnsafeRawBufferPointer, _ identifier: UInt64) -> Bool {
    let hashed = bytes.count - 8
    let stored = unsafe bytes.loadUnaligned(fromByteOffset: hashed, as: UInt64.self)
    return unsafe checksum(UnsafeRawBufferPointer(rebasing: bytes[..<hashed]), identifier)
      == UInt64(littleEndian: stored)
  }
}

// MARK: - Frames that are being written

extension StreamWriter {
  /// Puts the room for the head of a frame, which `end(_:from:to:)` fills; room has been reserved.
  @inline(__always)
  package mutating func beginFrame() {
    for _ in 0..<4 { putUInt64(0) }
  }

  /// Ends the frame that begins at `start`: writes its head, and its checksum as the last bytes.
  ///
  /// - Parameter end: where its body ends; what is behind moves.
  /// - Returns: false where there is no memory.
  package mutating func end(
    _ frame: MessageFrame, from start: Int, to end: Int, _ identifier: UInt64
  ) -> Bool {
    var frame = frame
    frame.bodyByteCount = UInt32(end - start - MessageFrame.headByteCount)
    guard insert(byteCount: 8, at: end) else { return false }
    let words = frame.words
    replaceUInt64(at: start, with: words.0)
    replaceUInt64(at: start + 8, with: words.1)
    replaceUInt64(at: start + 16, with: words.2)
    replaceUInt64(at: start + 24, with: words.3)
    let headChecksum = unsafe MessageFrame.headChecksum(
      UnsafeRawBufferPointer(rebasing: bytes[start...]), identifier)
    replaceUInt64(at: start + 24, with: words.3 | UInt64(headChecksum) << 32)
    let checksum = unsafe MessageFrame.checksum(
      UnsafeRawBufferPointer(rebasing: bytes[start..<end]), identifier)
    replaceUInt64(at: end, with: checksum)
    return true
  }
}
