import DocumentTestSupport
import Foundation
import GraphCodable
import Testing

/// The page about security lists all limits.
@Suite("Security.md: limits")
struct LimitTableTests {
  @Test func limitsAreThoseOfTheSource() throws {
    let url = PackageFolder.root.appendingPathComponent("Documentation/Security.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    // The first table.
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| `") }.prefix { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(rows == Mirror(reflecting: GraphDecoder.Limits()).children.compactMap(\.label))
  }
}
