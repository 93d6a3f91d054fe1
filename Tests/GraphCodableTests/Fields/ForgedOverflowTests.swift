import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Overflow fields whose head is forged: `unkeyedCount` does not throw, and must not shorten what is decoded either.
@Suite("Forged overflow fields")
struct ForgedOverflowTests {
  /// A record of unkeyed numbers, more than a shape has.
  private struct Numbers: GCodable {
    var values: [Int]
    init(_ values: [Int]) { self.values = values }
    init(from decoder: GDecoder) throws {
      values = []
      while decoder.unkeyedCount > 0 { values.append(try decoder.decode()) }
    }
    func encode(to encoder: GEncoder) throws { for value in values { try encoder.encode(value) } }
  }

  /// One that asks how many there are, and then for none of them.
  private struct Counting: GDecodable {
    init(from decoder: GDecoder) throws { _ = decoder.unkeyedCount }
  }

  /// Archives of 300 numbers, 44 of them behind the shape, with another count or another size in the head of these.
  private static let forged: [Bytes] = {
    do {
      let forge = try Forge(GraphEncoder().encode(Numbers(Array(0..<300))) as Bytes)
      let stream = try forge.stream()
      let counts: Bytes = [44, 0, 0, 0, 44, 0, 0, 0]
      let head = try #require((0...stream.count - 16).first { Bytes(stream[$0..<($0 + 8)]) == counts })
      return try [(0, 43), (4, 0), (4, 43), (4, 45), (8, 1), (8, 255)].map { offset, byte in
        var changed = stream
        changed[head + offset] = UInt8(byte)
        return try forge.replacingStream(with: changed)
      }
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test func aCountThatCannotBeReadDoesNotShortenAList() throws {
    #expect(Self.forged.count == 6)
    for (number, bytes) in Self.forged.enumerated() {
      let error = #expect(throws: GCodableError.self, "forgery \(number)") {
        try GraphDecoder().decode(Numbers.self, from: bytes)
      }
      #expect(error?.code == .malformed, "forgery \(number)")
    }
  }

  @Test func itIsThrownAtTheEndOfTheValueAtTheLatest() throws {
    for (number, bytes) in Self.forged.enumerated() {
      let error = #expect(throws: GCodableError.self, "forgery \(number)") {
        try GraphDecoder().decode(Counting.self, from: bytes)
      }
      #expect(error?.code == .malformed, "forgery \(number)")
    }
  }
}
