import DocumentTestSupport
import Foundation
import Testing

/// Links between the documents of the package lead somewhere.
@Suite("Documents: links")
struct LinkTests {
  /// All documents of the package but the articles, whose links DocC checks, and the copies that releases have frozen.
  static let documents: [String] = {
    let root = PackageFolder.root.standardizedFileURL.path
    let all = FileManager.default.enumerator(atPath: root)
    var found: [String] = []
    while let path = all?.nextObject() as? String {
      let name = (path as NSString).lastPathComponent
      if name.hasPrefix(".") || name.hasSuffix(".docc") || name.hasSuffix(".egg-info")
        || path.contains(/^Tests\/Corpus\/[0-9.]+$/)
      {
        all?.skipDescendants()
      }
      if name.hasSuffix(".md") { found.append(path) }
    }
    return found.sorted()
  }()

  /// The articles of the DocC catalogues and their first pages, without what is shown with a type.
  static let articles: [String] = DocumentProgramTests.articleFolders.flatMap { folder in
    let path = PackageFolder.root.appendingPathComponent(folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }.filter { article in
      let isOfSymbol = (try? PackageFolder.text(article).hasPrefix("# ``")) == true
      let module = (folder as NSString).lastPathComponent.dropLast(".docc".count)
      return !isOfSymbol || article.hasSuffix("/\(module).md")
    }
  }

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

  /// What pages name of users' packages, and of releases that are to come.
  private static let pathsElsewhere: Set = [
    "Sources/Example/main.swift", "Tests/Corpus/VERSION", "Tests/Corpus/1.0", "Tests/Corpus/1.0.sha256",
  ]

  /// The changelog is left out: it names what was there then.
  @Test(arguments: (documents + articles).filter { !$0.hasPrefix("Tests/Corpus/") && $0 != "CHANGELOG.md" })
  func filesThatAreNamedInCodeAreThere(path: String) throws {
    let folders = Set(
      try FileManager.default.contentsOfDirectory(atPath: PackageFolder.root.path).filter {
        !$0.hasPrefix(".") && $0 != "data"
      })
    let page = PackageFolder.root.appendingPathComponent(path)
    let text = try PackageFolder.text(path).replacing(/(?ms)^```.*?^```$/, with: "")
    for match in text.matches(of: /`([\w+-]+)(\/[\w.\/+-]+)`/) where folders.contains(String(match.output.1))
    {
      let name = String(match.output.1 + match.output.2)
      let places = [PackageFolder.root, page.deletingLastPathComponent()].map {
        $0.appendingPathComponent(name).path
      }
      #expect(
        Self.pathsElsewhere.contains(name) || places.contains(where: FileManager.default.fileExists(atPath:)),
        "\(path) names \(name), which is not there")
    }
  }

  @Test func everyDecisionStandsInTheList() throws {
    let listed = try links(
      in: PackageFolder.root.appendingPathComponent("Documentation/Decisions/README.md"))
    let written = Self.documents.filter { $0.hasPrefix("Documentation/Decisions/0") }
    #expect(Set(listed) == Set(written.map { ($0 as NSString).lastPathComponent }))
  }

  /// From README.md, by links of pages and of articles.
  @Test func everyPageCanBeReached() throws {
    var (reached, waiting): (Set<String>, [String]) = (["README.md"], ["README.md"])
    while let path = waiting.popLast() {
      let url = PackageFolder.root.appendingPathComponent(path)
      let folder = url.deletingLastPathComponent()
      let articles = try String(contentsOf: url, encoding: .utf8).matches(of: /<doc:(\w+)>/)
        .map { folder.appendingPathComponent("\($0.output.1).md") }
      let pages = try links(in: url).filter { !$0.hasPrefix("http") }.compactMap { link in
        link.split(separator: "#", omittingEmptySubsequences: false).first.map {
          folder.appendingPathComponent(String($0))
        }
      }
      let root = PackageFolder.root.standardizedFileURL.path + "/"
      for page in articles + pages where page.pathExtension == "md" {
        let found = String(page.standardizedFileURL.path.dropFirst(root.count))
        if FileManager.default.fileExists(atPath: page.path), reached.insert(found).inserted {
          waiting.append(found)
        }
      }
    }
    let all = Self.articles + Self.documents
    // Read by their own readers: those of the corpus, and what extends a symbol in place.
    let apart = all.filter { $0.hasPrefix("Tests/") || $0.hasPrefix("Fuzz/Cases/") }
    #expect(Set(all).subtracting(reached).subtracting(apart).sorted() == [])
  }

  /// Links and pictures in place, links that are defined elsewhere, and those of HTML.
  private func links(in file: URL) throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
      + text.matches(of: /(?m)^ {0,3}\[[^\]]+\]:\s*(\S+)/).map { String($0.output.1) }
      + text.matches(of: /<(?:a|img)\s[^>]*(?:href|src)="([^"]+)"/).map { String($0.output.1) }
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
