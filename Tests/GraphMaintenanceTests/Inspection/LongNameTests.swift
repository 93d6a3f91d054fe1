import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Dump: long names")
struct LongNameTests {
  /// A name that stands in the archive once.
  @Test func longNamesAreDumpedOnce() throws {
    struct Named: GEncodable {
      static let key = NameKey(String(repeating: "long", count: 1_000))
      func encode(to encoder: GEncoder) throws { try encoder.encode(1, for: Self.key) }
    }
    let bytes = try encoded([Named](repeating: Named(), count: 2_000))
    let text = try GraphDecoder().dump(from: bytes)
    #expect(text.utf8.count < 200_000)
    #expect(text.contains(Named.key.rawValue))
  }
}
