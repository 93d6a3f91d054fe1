import DocumentTestSupport
import Foundation
import Testing

/// What the documents show as Swift compiles in Swift 6 and prints what they say.
@Suite("Documents: programs")
struct DocumentProgramTests {
  static let articleFolder = "Sources/GraphCodable/GraphCodable.docc"

  /// README.md and the articles of the DocC catalogue.
  static var paths: [String] {
    let folder = PackageFolder.root.appendingPathComponent(articleFolder).path
    let articles = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["README.md"] + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(articleFolder)/\($0)" }
  }

  @Test(arguments: paths)
  func blocksMakeAProgramThatPrintsWhatTheySay(path: String) async throws {
    let program = try DocumentProgram(path)
    guard !program.text.isEmpty else { return }
    let outcomes = try await ExampleRunner.outcomes(of: [program.text], languageMode: .swift6)
    switch try #require(outcomes.first) {
    case .prints(let output):
      #expect(output.split(separator: "\n").map(String.init) == program.expectedLines)
    case .doesNotCompile(let diagnostics):
      Issue.record("does not compile:\n\(diagnostics)")
    case .fails(let exitStatus, let output, let diagnostics):
      Issue.record("ends with status \(exitStatus) after printing:\n\(output)\n\(diagnostics)")
    }
  }

  @Test func readmeHasAProgram() throws {
    #expect(try DocumentProgram("README.md").expectedLines.count > 5)
  }
}
