import DocumentTestSupport
import Foundation
import GraphCodable
import Testing

/// The tables of Documentation/Types.md say what the conformances do, and leave nothing out.
@Suite("Types.md")
struct TypesDocumentTests {
  private static let containers = ContainerCases.all.map(\.name)
    .compactMap { $0.hasSuffix(" of packed") ? String($0.dropLast(" of packed".count)) : nil }

  /// The rows of the table whose first column has a heading, by the type.
  private func rows(_ heading: String) throws -> [String: [String]] {
    let lines = try PackageFolder.text("Documentation/Types.md")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") })
    var rows: [String: [String]] = [:]
    for line in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "")
      }
      #expect(
        rows.updateValue(Array(cells.dropFirst()), forKey: cells[0]) == nil, "\(cells[0]) is there twice")
    }
    return rows
  }

  @Test func typesAreThoseOfTheTests() throws {
    let cases = SupportedTypesTests.all.filter { !$0.name.contains(" of ") && !$0.name.contains("<") }
    let rows = try rows("type")
    #expect(Set(rows.keys) == Set(cases.map(\.name)))
    for type in cases {
      let row = try #require(rows[type.name])
      #expect(row[0] == type.kind, "\(type.name)")
      #expect(row[1] == type.packing, "\(type.name)")
    }
  }

  @Test func containersAreThoseOfTheTests() throws {
    let rows = try rows("container")
    #expect(Set(rows.keys) == Set(Self.containers))
    for name in Self.containers {
      for (column, elements) in ["packed", "units", "others"].enumerated() {
        let type = try #require(ContainerCases.all.first { $0.name == "\(name) of \(elements)" })
        #expect(rows[name]?[column] == type.kind, "\(type.name)")
      }
    }
  }

  @Test func whatOnlyExistsElsewhereIsNotHere() throws {
    let rows = try rows("elsewhere")
    #expect(!rows.isEmpty)
    #if os(Linux)
      #expect(rows.values.allSatisfy { !$0[0].contains("Linux") })
    #endif
  }
}
