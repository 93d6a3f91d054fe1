import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Warnings")
struct WarningTests {
  @Test func theyGoToStandardError() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      _ =
        try GraphEncoder(.printWarnings).encode(
          Script { try $0.encodeConditional("a value without identity", for: Letter.a) }) as Bytes
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("### Warning: "))
    #expect(!String(decoding: result.standardOutputContent, as: UTF8.self).contains("### Warning: "))
  }
}
