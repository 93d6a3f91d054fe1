import DocumentTestSupport
import Testing

/// CONTRIBUTING.md lists what `make` can do.
@Suite("CONTRIBUTING.md: make targets")
struct MakeTargetTests {
  @Test func everyTargetStandsInTheTable() throws {
    let documented = try MarkdownTable(in: "CONTRIBUTING.md", headings: ["command", "what it does"]).rows
      .compactMap {
        $0["command"]?.split(separator: " ").last.map {
          $0.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        }
      }
    // Lines as `test: setup ## run the tests`.
    let targets = try PackageFolder.text("Makefile").matches(of: #/(?m)^([a-z0-9-]+):.*## /#)
      .map { String($0.output.1) }
    #expect(Set(documented) == Set(targets))
    #expect(!targets.isEmpty)
  }
}
