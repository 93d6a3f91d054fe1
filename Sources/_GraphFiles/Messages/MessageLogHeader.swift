import CGraphArchive
import _GraphSupport

/// The first 32 bytes of a stream of messages.
package struct MessageLogHeader: Equatable {
  /// A random number that all checksums of the stream's frames depend on.
  ///
  /// So frames of another stream, inside a message, are never taken for frames of this one.
  package let identifier: UInt64

  package static let byteCount = 32
  package static let magic = Array("gcstream".utf8)
  package static let formatVersion: UInt16 = 1

  package init(identifier: UInt64) { self.identifier = identifier }

  /// The header's bytes, with the XXH3-64 of the first 24 in the last 8.
  package var bytes: [UInt8] {
    var builder = ByteBuilder(Self.magic)
    builder.fixed(Self.formatVersion)
    builder.fixed(0 as UInt16)  // Features.
    builder.fixed(0 as UInt32)  // Reserved.
    builder.fixed(identifier)
    builder.fixed(unsafe builder.bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) })
    return builder.bytes
  }

  /// What the first bytes of a stream tell.
  package enum Finding: Equatable {
    case valid(MessageLogHeader)
    /// There are fewer bytes than a header has, and they are the beginning of one.
    case notBegun
    /// It begins like a stream, but its header has been changed.
    case damaged
    /// It is something else, or begins in the middle of a stream.
    case other
  }

  /// Looks at the first bytes of a stream, up to 32 of them.
  ///
  /// - Throws: `unsupported` for another version of the format, or a feature that must be understood and is not known.
  package static func find(in start: UnsafeRawBufferPointer) throws -> Finding {
    let isStream = unsafe start.prefix(magic.count).elementsEqual(magic.prefix(start.count))
    guard start.count >= byteCount else { return isStream ? .notBegun : .other }
    func load<Value: FixedWidthInteger>(_ offset: Int, as type: Value.Type) -> Value {
      unsafe Value(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard unsafe gca_hash64_bytes(start.baseAddress, byteCount - 8) == load(byteCount - 8, as: UInt64.self)
    else { return isStream ? .damaged : .other }
    guard isStream else { return .other }
    let version = load(8, as: UInt16.self)
    guard version == formatVersion else {
      throw GCodableError.unknownVersion(version, of: "the stream", known: formatVersion)
    }
    try FormatFeatures(rawValue: load(10, as: UInt16.self)).check(of: "the stream", at: 10)
    return .valid(Self(identifier: load(16, as: UInt64.self)))
  }
}
