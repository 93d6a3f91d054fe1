import DocumentTestSupport
import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The table of codes of errors in Documentation/Format.md.
@Suite("Format.md: codes of errors") struct ErrorCodeTests {
  /// The codes that the document gives to a rule.
  private static func codes() throws -> (String) -> Set<String> {
    var codes: [String: Set<String>] = [:]
    var others: Set<String> = []
    for row in try MarkdownTable(in: "Documentation/Format.md", headings: ["rules", "code"]).rows {
      let (rules, code) = (row["rules"] ?? "", row["code"] ?? "")
      let names = Set(code.matches(of: /`(\w+)`/).map { String($0.output.1) })
      if rules == "all others" { others = names }
      for match in rules.matches(of: /([A-Z])([0-9]+)(?: to [A-Z]([0-9]+))?( for)?/) {
        guard let first = Int(match.output.2), let last = Int(match.output.3 ?? match.output.2) else {
          continue
        }
        for number in first...last {
          codes["\(match.output.1)\(number)", default: []].formUnion(names)
          // It says the code of some faults alone.
          if match.output.4 != nil { codes["\(match.output.1)\(number)", default: []].insert("malformed") }
        }
      }
    }
    return { codes[$0] ?? others }
  }

  @Test func codesOfArchivesAreThoseOfTheTable() throws {
    let codes = try Self.codes()
    for item in InvalidCase.all where !item.isSeries {
      let code = Verdicts(item.bytes).verify?.code.name ?? "none"
      #expect(codes(item.rule).contains(code), "\(item.file): \(code)")
    }
  }

  @Test func codesOfSeriesAreThoseOfTheTable() throws {
    let (codes, folder) = (try Self.codes(), try TemporaryFolder())
    for item in InvalidCase.all where item.isSeries {
      let url = folder.file(item.file)
      try Data(item.bytes).write(to: url)
      let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(GraphArchiveSeries(url)) }
      #expect(
        codes(item.rule).contains(error?.code.name ?? "none"), "\(item.file): \(error?.code.name ?? "none")")
    }
  }

  @Test func codesOfStreamsAreThoseOfTheTable() throws {
    let codes = try Self.codes()
    for item in MessagesCase.invalid where ["M1", "M2"].contains(item.rule) {
      let error = #expect(throws: GCodableError.self) { try GraphMessageReader(item.bytes).nextMessage() }
      #expect(codes(item.rule ?? "").contains(error?.code.name ?? "none"), "\(item.file)")
    }
  }

  @Test func codesOfFoldersAreThoseOfTheTable() throws {
    let codes = try Self.codes()
    for item in FolderCase.all {
      guard let rule = item.rule else { continue }
      let error = #expect(throws: GCodableError.self) { try FolderCorpusTests.verify(item) }
      #expect(
        codes(rule).contains(error?.code.name ?? "none"), "\(item.folder): \(error?.code.name ?? "none")")
    }
  }
}
