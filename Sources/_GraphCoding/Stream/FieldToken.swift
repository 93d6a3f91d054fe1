import _GraphFiles

/// A field's key and kind in one word, so that following a shape costs one comparison per field.
///
/// | bits | keyed by a one-byte key type | other |
/// | --- | --- | --- |
/// | 0…47 | address of the key type's metadata | a number that no address has: see below |
/// | 48…55 | kind (encoder only) | kind (encoder only) |
/// | 56…63 | the key's byte | 0 |
///
/// Metadata is aligned to eight bytes, so the low bits of an address are free to distinguish it from the other forms. It
/// lies below 2^48 on every 64-bit platform that Swift supports, once a tag in the upper byte is gone.
@usableFromInline
enum FieldToken {
  /// A field without a key.
  @inlinable static var unkeyed: UInt64 { 1 }
  /// Never the token of a field: it marks the end of the fields.
  @inlinable static var end: UInt64 { 2 }
  /// No field either: the step with which the record becomes a list (encoder only).
  static var list: UInt64 { 6 }
  /// No field has been matched with this place yet.
  @inlinable static var unbound: UInt64 { 4 }

  /// Set in the token of a field that was not decoded but deferred (decoder only).
  ///
  /// No other form used by the decoder has both bits.
  @inlinable static var deferred: UInt64 { 3 }

  static func isDeferred(_ token: UInt64) -> Bool { token & deferred == deferred }

  /// The token of a key, without kind; nil if the key type is not one byte, so that no byte identifies the key.
  ///
  /// An enum with a `String` raw value has one byte up to 256 cases, none for one.
  @inlinable
  @inline(__always)
  static func of<Key: RawRepresentable>(_ key: Key) -> UInt64? where Key.RawValue == String {
    let type = address(of: Key.self)
    switch MemoryLayout<Key>.size {
    case 0: return type
    case 1:
      // One byte, so alignment does not matter.
      let byte = unsafe withUnsafeBytes(of: key) { unsafe $0.load(as: UInt8.self) }
      return type | UInt64(byte) << 56
    default: return nil
    }
  }

  /// The address of a type's metadata.
  ///
  /// Some systems on arm64 put a tag into the upper byte of addresses of the heap, where the metadata of generic types
  /// is. Elsewhere there is none, and nothing is spent on it.
  @inlinable
  @inline(__always)
  static func address<Key>(of type: Key.Type) -> UInt64 {
    let address = UInt64(UInt(bitPattern: ObjectIdentifier(type)))
    #if arch(arm64)
      return untagged(address)
    #else
      return address
    #endif
  }

  /// An address without any tag above its 48 bits.
  @inlinable
  @inline(__always)
  static func untagged(_ address: UInt64) -> UInt64 { address & (1 << 48 - 1) }

  /// The token of a key that is known by its number in the archive's key table.
  static func of(keyNumber: UInt32) -> UInt64 { UInt64(keyNumber) << 3 | 5 }

  /// The token with a kind, as the encoder compares it.
  @inlinable
  @inline(__always)
  static func with(_ token: UInt64, _ kind: GraphKind) -> UInt64 { token | UInt64(kind.rawValue) << 48 }
}
