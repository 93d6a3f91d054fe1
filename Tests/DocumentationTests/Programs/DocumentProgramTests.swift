import DocumentTestSupport
import Foundation
import Testing

/// What the documents show as Swift compiles in Swift 6 and prints what they say.
@Suite("Documents: programs")
struct DocumentProgramTests {
  static let articleFolders = ["GraphCodable", "CyclicCoding", "PolyCodable"].map {
    "Sources/\($0)/\($0).docc"
  }

  /// Pages that show parts of programs, with tests of their own: see `FormatExampleTests` and `Examples/Signing`.
  static let pagesOfParts = Set(PackageFolder.formatParts + ["Documentation/Security.md"])

  /// All other pages in `Documentation`, also in its folders.
  static var guides: [String] {
    let all = FileManager.default.enumerator(
      atPath: PackageFolder.root.appendingPathComponent("Documentation").path)
    let paths = (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".md") }
    return paths.map { "Documentation/\($0)" }.filter { !pagesOfParts.contains($0) }.sorted()
  }

  /// README.md, the guides and the articles of the DocC catalogues.
  static var paths: [String] {
    ["README.md"] + guides
      + articleFolders.flatMap { folder in
        let path = PackageFolder.root.appendingPathComponent(folder).path
        let articles = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
      }
  }

  @Test(arguments: paths)
  func blocksMakeAProgramThatPrintsWhatTheySay(path: String) async throws {
    let program = try DocumentProgram(path)
    guard !MacroPlugin.isUsed(in: program.text) else { return }
    try await check(program)
  }

  @Test(.enabled(if: MacroPlugin.isBuilt, "`make macro-test` builds the macros"), arguments: paths)
  func blocksWithMacrosMakeAProgramThatPrintsWhatTheySay(path: String) async throws {
    let program = try DocumentProgram(path)
    guard MacroPlugin.isUsed(in: program.text) else { return }
    try await check(program)
  }

  /// A hierarchy below a class of the library is not isolated, and says so.
  @Test(arguments: [("CyclicCoding", ""), ("PolyCodable", "nonisolated ")])
  func programsOfCodableModelsRunUnderDefaultIsolation(library: String, isolation: String) async throws {
    let program = try DocumentProgram("Sources/\(library)/\(library).docc/\(library).md")
    let text = program.text.replacing(#/(?m)^(final |open )?(class|enum|struct) /#) {
      isolation + $0.output.0
    }
    #expect(isolation.isEmpty || text != program.text)
    try await check(
      DocumentProgram(text: text, expectedLines: program.expectedLines),
      compilerArguments: ["-default-isolation", "MainActor"])
  }

  private func check(_ program: DocumentProgram, compilerArguments: [String] = []) async throws {
    guard !program.text.isEmpty else { return }
    let outcomes = try await ExampleRunner.outcomes(
      of: [program.text], languageMode: .swift6, compilerArguments: compilerArguments)
    switch try #require(outcomes.first) {
    case .prints(let output):
      #expect(output.split(separator: "\n").map(\.trimmed) == program.expectedLines)
    case .doesNotCompile(let diagnostics):
      Issue.record("does not compile:\n\(diagnostics)")
    case .fails(let exitStatus, let output, let diagnostics):
      Issue.record("ends with status \(exitStatus) after printing:\n\(output)\n\(diagnostics)")
    }
  }

  @Test(arguments: ["README.md", "Documentation/Tour.md", "Documentation/Migrating/NSCoding.md"])
  func aPageHasAProgram(path: String) throws {
    #expect(Self.paths.contains(path))
    #expect(try !DocumentProgram(path).expectedLines.isEmpty)
  }

  @Test func theProgramOfTheREADMEIsShort() throws {
    #expect(try DocumentProgram("README.md").text.split(separator: "\n").count <= 25)
  }
}
