import CGraphArchive

/// A string of at most 15 bytes of UTF-8, as the standard library holds it inside the `String` itself.
///
/// Names and labels are mostly this short. Through `String`'s own interface, getting at the bytes of one
/// takes a copy and a closure, and making one takes a validation; as two words it is a store and a load.
/// The layout is the one documented in the standard library's StringObject.swift ("small form"), for
/// 64-bit targets: bytes 0…7 in the first word, 8…14 in the second, whose top byte is 0xE0 (ASCII) or 0xA0
/// plus the byte count. `isUsable` proves it at start-up for the library that is loaded, and the slow path
/// serves where it does not hold.
@usableFromInline
package struct SmallString {
  @usableFromInline let low: UInt64
  @usableFromInline let high: UInt64

  /// The top byte without the count.
  @inlinable static var ascii: UInt64 { 0xE0 << 56 }

  @inlinable package var count: Int { Int(truncatingIfNeeded: high >> 56 & 0x0F) }

  /// The small ASCII form of a string; nil for any other.
  ///
  /// `isUsable` is the coder's copy of the type's.
  @inlinable
  @inline(__always)
  package init?(_ string: String, isUsable: Bool) {
    #if arch(x86_64) || arch(arm64)
      guard isUsable else { return nil }
      // Same size, both trivial to read.
      (low, high) = unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
      if high >> 60 != 0xE { return nil }
    #else
      return nil
    #endif
  }

  /// The small ASCII form of the string at an address, which is not retained to be looked at.
  @inline(__always)
  @inlinable package init?(at string: UnsafePointer<String>, isUsable: Bool) {
    #if arch(x86_64) || arch(arm64)
      guard isUsable else { return nil }
      (low, high) = unsafe UnsafeRawPointer(string).load(as: (UInt64, UInt64).self)  // As above.
      if high >> 60 != 0xE { return nil }
    #else
      return nil
    #endif
  }

  /// The first `count` bytes of two words, at most 15, if they are ASCII.
  @inlinable
  @inline(__always)
  init?(_ first: UInt64, _ second: UInt64, count: UInt64) {
    #if arch(x86_64) || arch(arm64)
      let low = count >= 8 ? first : first & ((1 &<< (count &* 8)) &- 1)
      let high = count > 8 ? second & ((1 &<< ((count &- 8) &* 8)) &- 1) : 0
      if (low | high) & 0x8080_8080_8080_8080 != 0 { return nil }
      self.low = low
      self.high = high | SmallString.ascii | count << 56
    #else
      return nil
    #endif
  }

  @inlinable
  package var string: String {
    // A valid small form; see the type.
    unsafe unsafeBitCast((low, high), to: String.self)
  }

  /// Whether the loaded standard library holds small strings as described.
  @usableFromInline package static let isUsable: Bool = {
    guard MemoryLayout<String>.size == 16 else { return false }
    for text in ["", "a", "seven77", "eight888", "nine99999", "fifteen--bytes!"] {
      var bytes = [UInt8](text.utf8)
      let count = UInt64(bytes.count)
      bytes += [UInt8](repeating: 0, count: 16 - bytes.count)
      let words = unsafe bytes.withUnsafeBytes {
        unsafe ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self) | ascii | count << 56)
      }
      // A string made at run time: a literal may be stored elsewhere.
      let string = String(decoding: text.utf8, as: UTF8.self)
      guard unsafe unsafeBitCast(string, to: (UInt64, UInt64).self) == words else { return false }
    }
    return true
  }()
}

extension String {
  /// A string of bytes that are ASCII, of which there is nothing to validate.
  @inlinable
  @inline(__always)
  package init(asciiBytes bytes: UnsafeRawBufferPointer) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // ASCII is UTF-8; the string has a copy.
      let span = unsafe Span<UInt8>(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self))
      self = unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: true))
    } else {
      unsafe self.init(unsafeUninitializedCapacity: bytes.count) { buffer in
        unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
        return bytes.count
      }
    }
  }

  /// A string of bytes that must be valid UTF-8; nil if they are not.
  ///
  /// Never repairs.
  @inlinable package init?(validatingUTF8Bytes bytes: UnsafeRawBufferPointer) {
    if unsafe gca_is_ascii(bytes.baseAddress, bytes.count) {
      unsafe self.init(asciiBytes: bytes)
    } else if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      unsafe self.init(validating: bytes, as: UTF8.self)
    } else {
      // Repair puts U+FFFD in place of what is invalid, so a valid string is one that it leaves alone.
      let string = unsafe String(decoding: bytes, as: UTF8.self)
      guard unsafe string.utf8.elementsEqual(bytes) else { return nil }
      self = string
    }
  }
}
