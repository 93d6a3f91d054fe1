import GraphCodable
import Testing

/// What dumps show of values that write their own bytes.
@Suite("Dumps of data units")
struct DataUnitDumpTests {
  @Test func rootShowsValuesAndArchiveShowsSizes() throws {
    let root = [BinaryPoint(x: 1, y: 2)]
    let dump = try GraphEncoder().dump(root)
    #expect(dump.contains("\t- BIV BinaryPoint(x: 1, y: 2)\n"))
    let bytes = try GraphEncoder().encode(root) as Bytes
    #expect(try GraphDecoder().dump(from: bytes).contains("\t- BIV { 8 bytes }\n"))
    #expect(try GraphEncoder().dump(root, options: .showBody).contains("\t- BIV { 8 bytes }\n"))
  }

  @Test func longValueIsCut() throws {
    let name = String(repeating: "x", count: 100)
    let dump = try GraphEncoder().dump([Label(name: name)])
    #expect(dump.contains("- BIV Label(name: \"" + name.prefix(51) + "…\n"))
  }

  @Test func packedArrayIsOneUnitWithTheTextOfTheArray() throws {
    let labels = (0..<1000).map { Packed(number: $0) }
    let dump = try GraphEncoder().dump(labels)
    let text = String(describing: labels)
    #expect(dump.contains("- BIV \(text.prefix(64))…\n"))
    #expect(try GraphEncoder().dump([Packed]()).contains("- BIV []\n"))
  }

  @Test func instanceIsMarkedAsReferenceWithItsClass() throws {
    let dump = try GraphEncoder().dump([BinarySquare(side: 2)] as [BinaryPolygon])
    #expect(dump.contains("- BIR0001 GraphCodableTests.BinarySquare GraphCodableTests.BinarySquare\n"))
    let bytes = try GraphEncoder().encode([BinarySquare(side: 2)]) as Bytes
    let archive = try GraphDecoder().dump(from: bytes)
    #expect(archive.contains("- BIR0001 GraphCodableTests.BinarySquare { 8 bytes }\n"))
    let codes = try GraphDecoder().dump(from: bytes, options: .showBody)
    #expect(codes.contains("- BIR0001 TYPE0001 { 8 bytes }\n"))
  }

  /// A record's number grows from one byte to two after its parts have been written.
  @Test func valuesAreFoundInRecordsThatWereMoved() throws {
    let records = (0..<200).map { Variant(number: $0) }
    let dump = try GraphEncoder().dump(records + records.reversed())
    for number in 0..<200 {
      #expect(dump.ranges(of: "BIV BinaryPoint(x: \(number), y: 0)\n").count == 2)
    }
    #expect(!dump.contains("bytes }"))
  }

  @Test func vectorsLookAsInSwift() throws {
    let vector = SIMD3<Double>(1, 2.5, -3)
    #expect(try GraphEncoder().dump(vector).contains("- BIV \(vector)\n"))
    #expect(try GraphEncoder().dump([vector, vector]).contains("- BIV \([vector, vector])\n"))
  }
}

private struct Label: GBinaryCodable {
  let name: String

  init(name: String) { self.name = name }
  init(from rbuffer: inout BinaryReadBuffer) throws { name = try String(from: &rbuffer) }
  func write(to wbuffer: inout BinaryWriteBuffer) throws { name.write(to: &wbuffer) }
}

private struct Packed: GPackCodable {
  let number: Int

  init(number: Int) { self.number = number }
  init(from rbuffer: inout BinaryReadBuffer) throws { number = try Int(from: &rbuffer) }
  func write(to wbuffer: inout BinaryWriteBuffer) throws { number.write(to: &wbuffer) }
}

/// Each number's record has a shape of its own.
private struct Variant: GCodable {
  let number: Int

  private struct Key: RawRepresentable {
    let rawValue: String
  }

  init(number: Int) { self.number = number }
  init(from decoder: GDecoder) throws { number = 0 }

  func encode(to encoder: GEncoder) throws {
    let point = BinaryPoint(x: Int32(number), y: 0)
    try encoder.encode(point, for: Key(rawValue: "k\(number)"))
  }
}
