import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Bytes that a caller lends for the time of a call are not looked at afterwards.
@Suite("Lent bytes")
struct BorrowedBytesTests {
  /// Numbers that lie in one piece of memory only while somebody looks at them.
  private struct Fleeting: Collection, _GraphContainerEncodable {
    let numbers: [Double]

    var startIndex: Int { 0 }
    var endIndex: Int { numbers.count }
    subscript(position: Int) -> Double { numbers[position] }
    func index(after index: Int) -> Int { index + 1 }

    func withContiguousStorageIfAvailable<Result>(
      _ body: (UnsafeBufferPointer<Double>) throws -> Result
    ) rethrows -> Result? {
      let memory = UnsafeMutableBufferPointer<Double>.allocate(capacity: numbers.count)
      _ = memory.initialize(from: numbers)
      defer {
        memory.update(repeating: -1)
        memory.deallocate()
      }
      return try body(UnsafeBufferPointer(memory))
    }

    static var _graphPlainKind: GraphKind { .packed }
    func _graphWritePlain(_ encoder: GEncoder) throws { try encoder.writePackable(self) }
    func encode(to encoder: GEncoder) throws {}
  }

  @Test(arguments: [1, 4]) func aLargeArrayIsReadWhenItIsWritten(threadCount: Int) throws {
    let numbers = (0..<400_000).map { Double($0) * 0.5 }
    for compression in [GraphEncoder.Compression.none, .lz4] {
      let encoder = GraphEncoder()
      encoder.compression = compression
      encoder.threadCount = threadCount
      let bytes = try encoder.encode(Fleeting(numbers: numbers)) as Bytes
      try #expect(decoded([Double].self, from: bytes) == numbers)
    }
  }

  @Test func aDecoderThatSomebodyKeepsHasNoBytesAnyMore() throws {
    struct Failure: Error {}
    for text in ["short", String(repeating: "long", count: 10_000)] {
      for fails in [false, true] {
        let bytes = try script { try $0.encode(text, for: Letter.a) }
        var kept: GDecoder?
        try? Reading.decode(bytes) { decoder in
          kept = decoder
          if fails { throw Failure() }
          _ = try decoder.decode(String.self, for: Letter.a)
        }
        let decoder = try #require(kept)
        #expect(decoder.tables.streamBytes.isEmpty)
        #expect(decoder.tables.reader.source.byteCount == 0)
        #expect(throws: GCodableError.self) { try decoder.decode(String.self, for: Letter.a) }
      }
    }
  }
}
