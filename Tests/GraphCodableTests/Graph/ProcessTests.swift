import Foundation
import GraphCodableTestSupport
import Testing

/// The same graphs in other processes: each hashes with another seed, and has its objects elsewhere.
///
/// `GRAPHCODABLE_PROCESSES` sets how many.
@Suite("Determinism across processes")
struct ProcessTests {
  static let count = Effort.count("GRAPHCODABLE_PROCESSES", usual: 8, thorough: 20)
  private static let expected = Result { try ProcessSamples(process: 0).digest() }
  private static let mark = "digest of all archives: "

  @Test(arguments: 1...count) func theSameGraphsGiveTheSameBytes(process: Int) async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [process = process as Int] in
      print("\n" + ProcessTests.mark + (try ProcessSamples(process: process).digest()))
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix(Self.mark) })
    #expect(try line == Self.mark + Self.expected.get())
  }
}
