import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Small messages of `Codable` models use a decoder that waits for them, too.
@Suite("Decoders of Codable messages", .serialized)
struct CodableReuseTests {
  private struct Sample: Codable, Equatable {
    var uncommonNameOfANumber = 17
    var text: String? = "text"
    var list = [1.5, 2.5]
  }

  /// Whether a decoder waits for archives with the tables of this one.
  private func decoderWaits(for bytes: Bytes) throws -> Bool {
    try bytes.withUnsafeBytes { bytes in
      let header = try ArchiveHeader(parsing: bytes, archiveByteCount: UInt64(bytes.count))
      let contents = UnsafeRawBufferPointer(rebasing: bytes[Int(header.contentsOffset)...])
      return GDecoder.reused(for: contents, limits: .init()) != nil
    }
  }

  @Test func theDecoderWaitsForTheNextOne() throws {
    let bytes = try GraphEncoder().encode(codable: Sample()) as Bytes
    // Now and then another thread has the same place for its own.
    let isWaiting = try (0..<100).contains { _ in
      try #expect(GraphDecoder().decode(codable: Sample.self, from: bytes) == Sample())
      return try decoderWaits(for: bytes)
    }
    #expect(isWaiting)
  }
}
