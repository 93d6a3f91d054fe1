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

  static let executableName = "example"

  /// A library that programs import besides the package's.
  package struct Module: Sendable {
    package let name: String
    package let source: String

    package init(name: String, source: String) {
      self.name = name
      self.source = source
    }
  }

  private static let gate = Gate(width: 2)

  /// What became of one program.
  package enum Outcome: Sendable {
    case doesNotCompile(diagnostics: String)
    case fails(exitStatus: Int32, output: String, diagnostics: String)
    case prints(String)
  }

  private let languageMode: LanguageMode
  private let compilerArguments: [String]
  private let programName: String
  private let folder: URL
  private let products: BuildProducts

  /// Compiles and runs programs one after the other, up to the first that does not end well.
  ///
  /// They share a folder, which is their working folder and their home folder and is removed afterwards. The
  /// home folder has a folder `Documents`.
  ///
  /// - Parameters:
  ///   - programName: the name of each program's module, which is a part of the names of its types.
  ///   - modules: what the programs may import besides the package's modules.
  ///   - compilerArguments: further arguments of the compiler.
  package static func outcomes(
    of programs: [String], named programName: String = "Example", importing modules: [Module] = [],
    languageMode: LanguageMode, compilerArguments: [String] = []
  ) async throws -> [Outcome] {
    let products = try await CompiledPrograms.shared.linkedProducts()
    let modules =
      try programs.contains(where: MacroPlugin.isUsed) ? [MacroPlugin.module()] + modules : modules
    return try await gate.pass {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("example-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("Documents"), withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }

      let runner = ExampleRunner(
        languageMode: languageMode, compilerArguments: compilerArguments, programName: programName,
        folder: folder, products: products)
      for module in modules { try await runner.build(module) }
      var outcomes: [Outcome] = []
      for program in programs {
        let outcome = try await runner.outcome(of: program, importing: modules)
        outcomes.append(outcome)
        guard case .prints = outcome else { break }
      }
      return outcomes
    }
  }

  /// Compiles a program in a folder, with all of the library in it, and returns the executable file.
  static func compile(_ program: String, in folder: URL) async throws -> URL {
    let runner = ExampleRunner(
      languageMode: .swift6, compilerArguments: [], programName: "Example", folder: folder,
      products: try BuildProducts.located.get())
    let compilation = try await runner.compileProgram(program)
    guard compilation.exitStatus == 0 else {
      throw DocumentProblem("the program does not compile:\n\(compilation.diagnostics)")
    }
    return folder.appendingPathComponent(executableName)
  }

  private func compileProgram(_ program: String, importing modules: [Module] = []) async throws
    -> ChildProcess
  {
    try await compile(
      program, "main.swift", moduleName: programName,
      ["-o", Self.executableName] + modules.map(objectName) + products.linkArguments)
  }

  private func outcome(of program: String, importing modules: [Module]) async throws -> Outcome {
    let compilation = try await compileProgram(program, importing: modules)
    guard compilation.exitStatus == 0 else {
      return .doesNotCompile(diagnostics: compilation.diagnostics + compilation.output)
    }
    let run = try await ChildProcess.run(["./\(Self.executableName)"], in: folder, timeLimit: 60)
    guard run.exitStatus == 0 else {
      return .fails(exitStatus: run.exitStatus, output: run.output, diagnostics: run.diagnostics)
    }
    return .prints(run.output)
  }

  private func build(_ module: Module) async throws {
    let compilation = try await compile(
      module.source, "\(module.name).swift", moduleName: module.name,
      ["-parse-as-library", "-emit-module", "-c", "-o", objectName(module)])
    guard compilation.exitStatus == 0 else {
      throw DocumentProblem("the module \(module.name) does not compile:\n\(compilation.diagnostics)")
    }
  }

  private func objectName(_ module: Module) -> String { "\(module.name).o" }

  private func compile(
    _ source: String, _ fileName: String, moduleName: String, _ arguments: [String]
  ) async throws -> ChildProcess {
    let file = folder.appendingPathComponent(fileName)
    try Data(source.utf8).write(to: file)
    let compiler = [
      "swiftc", "-swift-version", languageMode.rawValue, Self.optimization, "-suppress-warnings",
      "-module-name", moduleName, "-I", folder.path, file.path,
    ]
    return try await ChildProcess.run(
      compiler + compilerArguments + products.importArguments + MacroPlugin.arguments + arguments, in: folder,
      timeLimit: 300)
  }
}
