import DocumentTestSupport
import Foundation
import Testing
import _GraphSupport

/// The modules of the library import what Architecture.md says, and nothing else.
@Suite("Architecture.md: modules")
struct ModuleTests {
  let documented: [String: Set<String>]

  init() throws {
    let rows = try MarkdownTable(
      in: "Documentation/Architecture.md", headings: ["module", "contents", "imports"]
    ).rows
    documented = Dictionary(
      uniqueKeysWithValues: try rows.map { row in
        (try #require(Self.names(row["module"]).first), Set(Self.names(row["imports"])))
      })
  }

  @Test func aModuleImportsWhatItsRowSays() throws {
    for (module, imports) in try importsOfSources() {
      let allowed = try #require(documented[module], "\(module) has no row")
      #expect(
        imports.subtracting(allowed).isEmpty, "\(module) imports \(imports.subtracting(allowed).sorted())")
    }
  }

  @Test func anArrowThatThePageHasIsInTheSources() throws {
    let found = try importsOfSources()
    for (module, allowed) in documented {
      let unused = allowed.subtracting(found[module] ?? [])
      #expect(unused.isEmpty, "\(module) does not import \(unused.sorted())")
    }
  }

  /// Archives name them by the module `GraphCodable`: see `LibraryTypes`.
  @Test func everyPublicTypeStandsInTheTableOfNames() throws {
    var found: [String: String] = [:]
    for module in documented.keys where module.hasPrefix("_Graph") {
      let folder = PackageFolder.root.appendingPathComponent("Sources/\(module)")
      for text in try texts(in: folder, endings: ["swift"]).values {
        let types = text.matches(
          of: /(?m)^(?:@\w+ )*public (?:final )?(?:struct|class|enum|protocol|actor) ([A-Za-z]\w*)/)
        for type in types { found[String(type.output.1)] = module }
      }
    }
    #expect(found == LibraryTypes.current.modules)
  }

  /// Tests in a folder that the manifest does not know never run.
  @Test func everyFolderOfTestsBelongsToATarget() throws {
    let tests = PackageFolder.root.appendingPathComponent("Tests")
    let manifest = try String(
      contentsOf: PackageFolder.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    for folder in try FileManager.default.contentsOfDirectory(atPath: tests.path) where folder != "Corpus" {
      let names = ["name: \"\(folder)\"", "path: \"Tests/\(folder)\""]
      #expect(names.contains { manifest.contains($0) }, "Package.swift has no target for Tests/\(folder)")
    }
  }

  @Test func noModuleLeadsBackToItself() {
    #expect(Self.circle(in: documented) == nil)
  }

  @Test func noFileInCLeadsBackToItself() throws {
    let calls = try callsBetweenFiles(of: "Sources/CGraphArchive")
    #expect(calls.count > 20)
    #expect(Self.circle(in: calls) == nil)
  }

  @Test func aCircleIsFound() {
    #expect(Self.circle(in: ["a": ["b"], "b": ["c"], "c": ["b"]])?.sorted() == ["b", "c"])
    #expect(Self.circle(in: ["a": ["b", "c"], "b": ["c"], "c": []]) == nil)
  }

  /// The names in backquotes.
  private static func names(_ cell: String?) -> [String] {
    (cell ?? "").matches(of: /`([A-Za-z0-9_]+)`/).map { String($0.output.1) }
  }

  /// What the Swift and C sources of each module import of the package's own modules.
  private func importsOfSources() throws -> [String: Set<String>] {
    var imports: [String: Set<String>] = [:]
    for folder in try FileManager.default.contentsOfDirectory(
      at: PackageFolder.root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
    {
      let module = folder.lastPathComponent
      guard module != "CLZ4", module != "CXXHash" else { continue }
      imports[module] = []
      for text in try texts(in: folder, endings: ["swift", "c", "h"]).values {
        let swift = text.matches(of: /(?m)^\s*(?:@\w+ |internal |public |package )*import (\w+)/).map(
          \.output.1)
        let c = text.matches(of: /(?m)^#include [<"](CCallStack|CLZ4|CXXHash|lz4|xxhash)\w*\.h[>"]/).map(
          \.output.1)
        for name in swift.map(String.init) + c.map(Self.module(ofHeader:)) where name != module {
          if documented[name] != nil || ["CLZ4", "CXXHash"].contains(name) { imports[module]?.insert(name) }
        }
      }
    }
    return imports
  }

  private static func module(ofHeader name: Substring) -> String {
    ["lz4": "CLZ4", "xxhash": "CXXHash"][name] ?? String(name)
  }

  private func texts(in folder: URL, endings: Set<String>) throws -> [String: String] {
    var texts: [String: String] = [:]
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    for case let file as URL in try #require(files) where endings.contains(file.pathExtension) {
      texts[file.path] = try String(contentsOf: file, encoding: .utf8)
    }
    return texts
  }

  /// Which files in C call functions of which others.
  private func callsBetweenFiles(of path: String) throws -> [String: Set<String>] {
    let texts = try texts(in: PackageFolder.root.appendingPathComponent(path), endings: ["c"]).mapValues {
      $0.replacing(/\/\/.*/, with: "")
    }
    var homes: [Substring: String] = [:]
    for (file, text) in texts {
      for match in text.matches(of: /(?m)^(?!static)[A-Za-z_][\w *]*?\b(gca_\w+)\([^;{]*\)\s*\{/) {
        homes[match.output.1] = file
      }
    }
    return texts.reduce(into: [:]) { calls, entry in
      let names = Set(entry.value.matches(of: /\bgca_\w+/).map(\.output))
      calls[entry.key] = Set(names.compactMap { homes[$0] }).subtracting([entry.key])
    }
  }

  /// Names that lead to each other; nil where none do.
  private static func circle(in arrows: [String: Set<String>]) -> [String]? {
    var left = arrows
    // A name that leads nowhere is not part of a circle.
    while true {
      let ends = left.filter { $0.value.allSatisfy { left[$0] == nil } }.keys
      if ends.isEmpty { break }
      for end in ends { left[end] = nil }
    }
    guard var name = left.keys.min() else { return nil }
    var way: [String] = []
    while !way.contains(name) {
      way.append(name)
      guard let next = left[name]?.filter({ left[$0] != nil }).min() else { return nil }
      name = next
    }
    return Array(way.drop { $0 != name })
  }
}
