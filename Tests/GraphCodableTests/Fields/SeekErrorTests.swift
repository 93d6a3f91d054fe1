import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Calls that look for a field without decoding it, and meet one that cannot be skipped.
@Suite("Errors of looking for a field")
struct SeekErrorTests {
  private enum Key: String { case a, b, c }

  /// A record whose second field says that it is longer than the stream; the third one may be missing.
  private static func forged() throws -> Bytes {
    let bytes = try script {
      try $0.encode(1, for: Key.a)
      try $0.encode("not to be skipped", for: Key.b)
      try $0.encodeIfPresent(2 as Int?, for: Key.c)
    }
    let forge = try Forge(bytes)
    var stream = try forge.stream()
    let text = Bytes("not to be skipped".utf8)
    let start = try #require((1...stream.count - text.count).first { stream[$0...].starts(with: text) })
    stream[start - 1] = 0xFD  // A varint of one byte, for 126 bytes.
    return try forge.replacingStream(with: stream)
  }

  @Test func fieldsBeforeItAreStillThere() throws {
    var codes: [GCodableError.Code] = []
    var (first, second) = (nil as Int?, nil as Bool?)
    let bytes = try Self.forged()
    // The record has no end that could be found, so all of it fails when it ends.
    #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { decoder in
        for _ in 0..<3 {
          do { _ = try decoder.contains(Key.c) } catch let error as GCodableError { codes.append(error.code) }
        }
        first = try decoder.contains(Key.a) ? decoder.decode(for: Key.a) : nil
        second = try decoder.contains(Key.a)
      }
    }
    #expect(codes == [.malformed, .malformed, .malformed])
    #expect(first == 1)
    #expect(second == false)
  }
}
