import DocumentTestSupport
import Foundation
import Testing

/// Links between the documents of the package lead somewhere.
@Suite("Documents: links")
struct LinkTests {
  /// All documents of the package but the articles, whose links DocC checks.
  static let documents: [String] = {
    let root = PackageFolder.root.standardizedFileURL.path
    let all = FileManager.default.enumerator(atPath: root)
    var found: [String] = []
    while let path = all?.nextObject() as? String {
      let name = (path as NSString).lastPathComponent
      if name.hasPrefix(".") || name.hasSuffix(".docc") || name.hasSuffix(".egg-info") {
        all?.skipDescendants()
      }
      if name.hasSuffix(".md") { found.append(path) }
    }
    return found.sorted()
  }()

  @Test func theListHasTheDocuments() {
    #expect(
      Set(Self.documents).isSuperset(of: PackageFolder.formatParts + ["README.md", "Tools/Python/README.md"]))
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
