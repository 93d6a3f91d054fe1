// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// A decimal is 20 bytes: exponent, flags (count of mantissa words in bits 0 to 3, sign in bit 4, compact in
// bit 5), two zero bytes, and the eight words of its mantissa, low word first. All systems have it in memory
// like that. Equal decimals of different exponents stay different.

extension Decimal: GPackCodable {}

extension Decimal: BinaryIOType {
  private static let byteCount = 20
  private static let maximumWordCount = 8

  public func write(to wbuffer: inout BinaryWriteBuffer) {
    withUnsafeBytes(of: self) { bytes in
      wbuffer.append(UnsafeRawBufferPointer(rebasing: bytes[..<2]))
      wbuffer.append(0 as UInt16)
      wbuffer.append(UnsafeRawBufferPointer(rebasing: bytes[4..<Self.byteCount]))
    }
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = try rbuffer.take(Self.byteCount) { bytes in
      let wordCount = Int(bytes[1] & 0x0F)
      guard wordCount <= Self.maximumWordCount, bytes[1] & 0xC0 == 0, bytes[2] == 0, bytes[3] == 0 else {
        throw BinaryIOError.invalid(Decimal.self, "a decimal with flags that no decimal has")
      }
      // The check of the size that the layout above implies; a trap here is for a new platform's port.
      precondition(MemoryLayout<Decimal>.size == Self.byteCount)
      return bytes.loadUnaligned(as: Decimal.self)
    }
  }
}
