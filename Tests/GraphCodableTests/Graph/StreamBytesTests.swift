import GraphCodable
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Bytes of a graph stream")
struct StreamBytesTests {
  private static let numbers: [UInt64] = [0, 1, 127, 128, 1 << 14, 1 << 56, .max]

  @Test("A varint is replaced by any other, and what is behind it stays", arguments: numbers, numbers)
  func replacesVarint(_ old: UInt64, by new: UInt64) throws {
    var writer = StreamWriter()
    defer { writer.release() }
    let isReserved = writer.reserve(64)
    #expect(isReserved)
    writer.putByte(7)
    let start = writer.count
    writer.putVarint(old)
    writer.putUInt64(0x0123_4567_89AB_CDEF)
    let count = writer.count
    let distance = writer.replaceVarint(at: start, old, with: new)
    #expect(writer.count == count + distance)
    var reader = StreamReader(writer.bytes)
    let found = (reader.nextByte(), reader.nextVarint(), reader.nextUInt64())
    #expect(found == (7, new, 0x0123_4567_89AB_CDEF))
    #expect(reader.left == 0)
  }

  @Test("A reader has nothing behind its end, and stays where it is")
  func endsAtItsEnd() {
    withUnsafeBytes(of: UInt16(0x0201)) { bytes in
      var reader = StreamReader(bytes)
      let start = reader.cursor
      #expect([reader.peek(), reader.peek(1), reader.peek(2)] == [1, 2, nil])
      let (tooMany, negative, isFast) = (reader.nextBytes(3), reader.nextBytes(-1), reader.isFast)
      #expect(tooMany == nil && negative == nil && !isFast)
      #expect(reader.cursor == start && reader.peek(at: reader.end) == nil)
      let all = reader.nextBytes(2)
      #expect(all?.count == 2 && reader.cursor == reader.end)
      // A varint of two bytes, the second of which is not there.
      reader.cursor = reader.position(at: 1)
      let number = reader.nextVarint()
      #expect(number == nil && reader.left == 1)
    }
  }

  @Test("An empty writer and a reader of nothing have no bytes")
  func isEmpty() {
    var writer = StreamWriter()
    let hasRoom = writer.hasRoom(0)
    #expect(writer.count == 0 && writer.bytes.isEmpty && !hasRoom)
    writer.removeAll()
    var reader = StreamReader()
    let number = reader.nextVarint()
    #expect(reader.left == 0 && number == nil && reader.peek() == nil)
  }

  @Test("Values in a row stand in order, and each is found by its place")
  func row() {
    let row = PinnedRow(count: 3) { 10 * $0 }
    defer { row.release() }
    row[1] += 1
    #expect((0..<3).map { row.pinned($0).pointee } == [0, 11, 20])
    #expect(row.pinned(0) < row.pinned(1) && row.index(of: row.pinned(2)) == 2)
  }
}
