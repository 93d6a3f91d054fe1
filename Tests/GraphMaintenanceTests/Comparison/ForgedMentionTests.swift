import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Archives that read the same bytes again and again, where no type asks for them.
@Suite("Forged mentions of arrays")
struct ForgedMentionTests {
  /// An archive of two arrays, of which both fields mention the first.
  private static func forged(_ value: UInt8) throws -> GraphArchive {
    let bytes = try script {
      try $0.encode([UInt8](repeating: value, count: 20_000), for: Letter.a)
      try $0.encode([UInt8](repeating: value, count: 20_000), for: Letter.b)
    }
    let forge = try Forge(bytes)
    var stream = try forge.stream()
    #expect(stream.last == 3)  // The varint 1.
    stream[stream.count - 1] = 1
    return try GraphArchive(forge.replacingStream(with: stream))
  }

  @Test func aComparisonExpandsASegmentForOneArray() throws {
    let (one, other) = try (Self.forged(1), Self.forged(2))
    let error = #expect(throws: GCodableError.self) { try one.compare(with: other) }
    #expect(error?.code == .malformed)
  }

  @Test func statisticsCountASegmentForOneArray() throws {
    let archive = try Self.forged(1)
    let error = #expect(throws: GCodableError.self) { try archive.statistics() }
    #expect(error?.code == .malformed)
  }

  /// Fields of one record are found in another one without looking at all of it for each; it would take hours.
  @Test func fieldsInAnotherOrderAreCompared() throws {
    func archive(_ names: some Sequence<Int>) throws -> GraphArchive {
      try GraphArchive(
        script { encoder in for number in names { try encoder.encode(number % 7, for: NameKey("\(number)")) }
        })
    }
    let count = Effort.of(60_000, thorough: 400_000)
    let comparison = try archive(0..<count).compare(with: archive((0..<count).reversed()))
    #expect(comparison.isEmpty)
  }
}
