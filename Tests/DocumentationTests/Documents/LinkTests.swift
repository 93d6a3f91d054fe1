import DocumentTestSupport
import Foundation
import Testing

/// Links between the documents of the package lead somewhere.
@Suite("Documents: links")
struct LinkTests {
  static var documents: [String] {
    let decisions = "Documentation/Decisions"
    let folder = PackageFolder.root.appendingPathComponent(decisions).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return [
      "README.md", "CHANGELOG.md", "Documentation/Format.md", "Documentation/Performance.md",
      "Documentation/Security.md", "Documentation/Scaling.md", "MPI/README.md",
      "Examples/README.md", "Tools/README.md",
    ]
      + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(decisions)/\($0)" }
  }

  @Test(arguments: documents)
  func linksLeadToFilesAndHeadings(path: String) throws {
    let base = PackageFolder.root.appendingPathComponent(path)
    for link in try links(in: base) where !link.hasPrefix("http") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? base : base.deletingLastPathComponent().appendingPathComponent(String(parts[0])).standardizedFileURL
      guard FileManager.default.fileExists(atPath: target.path) else {
        Issue.record("\(path) links to \(link), which is not there")
        continue
      }
      guard parts.count == 2 else { continue }
      let headings = MarkdownDocument(markdown: try String(contentsOf: target, encoding: .utf8))
        .sections.map { anchor(of: $0.heading) }
      #expect(headings.contains(String(parts[1])), "\(path) links to \(link)")
    }
  }

  @Test func everyDecisionStandsInTheList() throws {
    let listed = try links(
      in: PackageFolder.root.appendingPathComponent("Documentation/Decisions/README.md"))
    let written = Self.documents.filter { $0.hasPrefix("Documentation/Decisions/0") }
    #expect(Set(listed) == Set(written.map { ($0 as NSString).lastPathComponent }))
  }

  private func links(in file: URL) throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
  }

  /// The anchor that a heading gets when it is shown: lower case, dashes for spaces, letters and digits.
  private func anchor(of heading: String) -> String {
    String(
      heading.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "-" || character == "_"
          ? character : nil
      })
  }
}
