import GraphCodable
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Field tokens")
struct FieldTokenTests {
  private enum Key: String { case a, b }

  /// Systems on arm64 tag addresses of the heap, where the metadata of generic types lies.
  @Test func aTagInTheUpperByteOfAnAddressIsNoPartOfAToken() {
    let address: UInt64 = 0x0000_7ABC_DEF0_1238
    for tag: UInt64 in [0x00, 0xB4, 0xFF] { #expect(FieldToken.untagged(tag << 56 | address) == address) }
  }

  @Test func aTokenHasTheAddressAndTheByteOfItsKey() {
    let address = UInt64(UInt(bitPattern: ObjectIdentifier(Key.self)))
    #expect(FieldToken.of(Key.b) == FieldToken.untagged(address) | 1 << 56)
  }
}
