import Foundation
import Testing

/// Documentation/Macros.md lists the shapes, each with its test.
@Suite("Macros.md")
struct ShapeTableTests {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  @Test func everyShapeHasItsTest() throws {
    let tests = Self.root.appendingPathComponent("Macros/Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter {
      $0.hasSuffix(".swift")
    }
    let sources = try files.map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
      .joined()
    let functions = Set(sources.matches(of: /@Test[^\n]*\s*func (\w+)\(/).map { String($0.output.1) })
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("Documentation/Macros.md"), encoding: .utf8)
    let named = page.matches(of: /(?m)\| `(\w+)` \|$/).map { String($0.output.1) }
    #expect(named.count >= 60)
    #expect(named.filter { !functions.contains($0) } == [])
  }
}
