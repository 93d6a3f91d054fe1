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

/// What `GraphEncoder.repack` makes of archives.
@Suite("Repacking") struct RepackingTests {
  private static func repacked(_ bytes: Bytes, _ encoder: GraphEncoder) throws -> Bytes {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcodable")
    try Data(bytes).write(to: url)
    // In place, and to another file.
    try encoder.repack(GraphArchive(url), to: folder.file("b.gcodable"))
    try encoder.repack(GraphArchive(url), to: url)
    let result = try Bytes(Data(contentsOf: url))
    #expect(try result == Bytes(Data(contentsOf: folder.file("b.gcodable"))))
    #expect(try folder.names() == ["a.gcodable", "b.gcodable"])
    try GraphArchive(result).verify()
    return result
  }

  private static func model() -> [Post] {
    (0..<300).map { number in
      Post("post \(number)", samples: number % 100 == 0 ? (0..<5_000).map { sin(Double($0) / 50) } : [])
    }
  }

  /// Byte for byte: whatever was lost would show.
  @Test func itIsWhatEncodingWouldHaveMade() throws {
    let compressions: [GraphEncoder.Compression] = [.none, .lz4, .lz4hc(level: 6), .small]
    let grid = (0..<200).map { row in (0..<100).map { Double(row) + Double($0) / 100 } }
    for compression in compressions {
      let encoder = GraphEncoder(binaryIOVersion: 3)
      encoder.metadata = ["a": "b"]
      encoder.compression = compression
      let (posts, rows) = try (encoder.encode(Self.model()) as Bytes, encoder.encode(grid) as Bytes)
      for other in compressions {
        encoder.compression = other
        let (oldPosts, oldRows) = try (encoder.encode(Self.model()) as Bytes, encoder.encode(grid) as Bytes)
        encoder.compression = compression
        #expect(try Self.repacked(oldPosts, encoder) == posts)
        #expect(try Self.repacked(oldRows, encoder) == rows)
      }
    }
  }

  @Test func numbersAreRoundedToAPrecision() throws {
    let numbers = (0..<10_000).map { sin(Double($0) / 70) }
    let encoder = GraphEncoder()
    let exact = try encoder.encode(numbers) as Bytes
    encoder.precision = .absolute(0.001)
    let bytes = try Self.repacked(exact, encoder)
    #expect(bytes == (try encoder.encode(numbers) as Bytes))
    #expect(bytes.count < exact.count / 2)
    // And stays what it is where no other one is asked for.
    encoder.precision = nil
    encoder.compression = .lz4hc(level: 9)
    let again = try Self.repacked(bytes, encoder)
    #expect(try GraphArchive(again).info.segments[0].precision == .absolute(0.001))
    #expect(try decoded([Double].self, from: again) == decoded([Double].self, from: bytes))
  }
}
