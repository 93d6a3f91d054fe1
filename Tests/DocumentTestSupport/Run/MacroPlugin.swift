import Foundation

/// What expands the macros in a document's program: the package in `Macros/` has built it, with swift-syntax.
///
/// The root package is built without the trait `Macros`, and so has neither the plugin nor the module with the attributes.
package enum MacroPlugin {
  /// Whether a program needs it.
  package static func isUsed(in program: String) -> Bool { program.contains("import \(moduleName)") }

  /// Whether it has been built: `make macro-test` does.
  package static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

  private static let moduleName = "GraphCodableMacros"

  private static var executable: URL {
    PackageFolder.root.appendingPathComponent("Macros/.build/debug/GraphCodableMacroPlugin-tool")
  }

  /// The module with the attributes.
  static func module() throws -> ExampleRunner.Module {
    let folder = PackageFolder.root.appendingPathComponent("Sources/\(moduleName)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    let sources = try files.sorted().map { try PackageFolder.text("Sources/\(moduleName)/\($0)") }
    return ExampleRunner.Module(name: moduleName, source: sources.joined(separator: "\n"))
  }

  /// What the compiler is called with.
  static var arguments: [String] {
    isBuilt ? ["-D", "Macros", "-load-plugin-executable", "\(executable.path)#GraphCodableMacroPlugin"] : []
  }
}
