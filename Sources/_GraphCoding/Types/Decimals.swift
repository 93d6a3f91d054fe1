import Foundation

// A decimal is 20 bytes: exponent, flags (count of mantissa words in bits 0 to 3, sign in bit 4, compact in
// bit 5), two zero bytes, and the eight words of its mantissa, low word first. All systems have this memory
// layout, except for the order of the flags. Equal decimals of different form stay different.

extension Decimal: GPackCodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Decimal: BinaryIOType {
  private static let byteCount = 20
  private static let maximumWordCount = 8

  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafe withUnsafeBytes(of: self) { bytes in
      unsafe wbuffer.append(bytes[0])
      unsafe wbuffer.append(Self.storedFlags(bytes[1]))
      wbuffer.append(0 as UInt16)
      unsafe wbuffer.append(UnsafeRawBufferPointer(rebasing: bytes[4..<Self.byteCount]))
    }
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    // The size implied by the layout above; a trap here means that this needs porting to a new system.
    precondition(MemoryLayout<Decimal>.size == Self.byteCount)
    self = try unsafe rbuffer.take(Self.byteCount) { bytes in
      guard unsafe bytes[1] & 0x0F <= Self.maximumWordCount, unsafe bytes[1] & 0xC0 == 0,
        unsafe bytes[2] == 0, unsafe bytes[3] == 0
      else { throw BinaryIOError.invalid(Decimal.self, "a decimal with flags that no decimal has") }
      var decimal = unsafe bytes.loadUnaligned(as: Decimal.self)
      unsafe withUnsafeMutableBytes(of: &decimal) { unsafe $0[1] = Self.flagsInMemory(bytes[1]) }
      return decimal
    }
  }

  #if canImport(Darwin)
    private static func storedFlags(_ flags: UInt8) -> UInt8 { flags & 0x3F }
    private static func flagsInMemory(_ flags: UInt8) -> UInt8 { flags }
  #else
    /// In memory the count is in bits 4 to 7, the sign in bit 3, compact in bit 2.
    private static func storedFlags(_ flags: UInt8) -> UInt8 {
      flags >> 4 | (flags & 0x08) << 1 | (flags & 0x04) << 3
    }
    private static func flagsInMemory(_ flags: UInt8) -> UInt8 {
      flags << 4 | (flags & 0x10) >> 1 | (flags & 0x20) >> 3
    }
  #endif
}
