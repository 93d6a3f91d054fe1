import DocumentTestSupport
import GraphCodable
import Testing

/// The article about errors lists all codes.
@Suite("Errors.md: codes")
struct ErrorCodeTests {
  @Test func codesAreThoseOfTheSource() throws {
    let documented = try MarkdownTable(
      in: "Sources/GraphCodable/GraphCodable.docc/Errors.md", headings: ["number", "code"]
    ).numbers("number", with: "code")
    for number in UInt8.min...UInt8.max {
      let name = GCodableError.Code(rawValue: Int(number)).name
      #expect(documented[number] == (name == "unknown" ? nil : "`\(name)`"))
    }
  }
}
