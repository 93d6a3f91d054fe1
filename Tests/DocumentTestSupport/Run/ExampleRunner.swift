import Foundation

/// Compiles a program of a document as a user would, outside the package, and runs it.
package struct ExampleRunner: Sendable {
  /// The language mode that programs are compiled in.
  package enum LanguageMode: String, Sendable {
    case swift5 = "5"
    case swift6 = "6"
  }

  /// Programs are optimized where the tests are: `swift test -c release` shows what users ship.
  #if DEBUG
    private static let optimization = "-Onone"
  #else
    private static let optimization = "-O"
  #endif

  private static let products = Result { try BuildProducts.locate() }
  private static let gate = Gate(width: 2)

  /// What became of one program.
  package enum Outcome: Sendable {
    case doesNotCompile(diagnostics: String)
    case fails(exitStatus: Int32, output: String, diagnostics: String)
    case prints(String)
  }

  /// Compiles and runs programs one after the other, up to the first that does not end well.
  ///
  /// They share a folder, which is their working folder and their home folder and is removed afterwards.
  package static func outcomes(
    of programs: [String], languageMode: LanguageMode
  ) async throws -> [Outcome] {
    let products = try products.get()
    return try await gate.pass {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("example-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }

      var outcomes: [Outcome] = []
      for program in programs {
        let outcome = try await outcome(
          of: program, languageMode: languageMode, in: folder, products: products)
        outcomes.append(outcome)
        guard case .prints = outcome else { break }
      }
      return outcomes
    }
  }

  private static func outcome(
    of program: String, languageMode: LanguageMode, in folder: URL, products: BuildProducts
  ) async throws -> Outcome {
    let source = folder.appendingPathComponent("main.swift")
    try Data(program.utf8).write(to: source)
    let compiler =
      [
        "swiftc", "-swift-version", languageMode.rawValue, optimization, "-suppress-warnings",
        "-module-name", "Example", "-o", "example", source.path,
      ] + products.importArguments + products.linkArguments
    let compilation = try await ChildProcess.run(compiler, in: folder, timeLimit: 300)
    guard compilation.exitStatus == 0 else {
      return .doesNotCompile(diagnostics: compilation.diagnostics + compilation.output)
    }
    let run = try await ChildProcess.run(["./example"], in: folder, timeLimit: 60)
    guard run.exitStatus == 0 else {
      return .fails(exitStatus: run.exitStatus, output: run.output, diagnostics: run.diagnostics)
    }
    return .prints(run.output)
  }
}
