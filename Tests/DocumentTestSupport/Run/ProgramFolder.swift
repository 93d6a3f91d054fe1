import Foundation

/// A folder of its own for a program that is compiled once for all tests, as a user would, and run many times.
package struct ProgramFolder: Sendable {
  /// The working folder of all that runs here.
  package let url: URL

  /// The executable file.
  package var program: URL { url.appendingPathComponent(ExampleRunner.executableName) }

  /// What became of a command.
  package struct Result: Sendable {
    /// Its exit status, or the number of the signal that ended it.
    package let exitStatus: Int32
    /// Its standard error.
    package let diagnostics: String
  }

  /// Compiles a program unless that has been done, calls `body`, and removes the folder.
  package static func with(_ source: String, _ body: (Self) async throws -> Void) async throws {
    let program = try await CompiledPrograms.shared.program(of: source)
    let folder = try Self(url: CompiledPrograms.temporaryFolder())
    defer { try? FileManager.default.removeItem(at: folder.url) }
    // A link, not a copy: a file that has just been written may still be open in the child of another thread, and
    // then cannot be run.
    try FileManager.default.linkItem(at: program, to: folder.program)
    try await body(folder)
  }

  /// Runs a command that is found on `PATH`; names with values may stand in front of it, for its environment.
  ///
  /// - Parameter timeLimit: in seconds; a command that takes longer is killed.
  package func run(_ command: [String], timeLimit: Double = 60) async throws -> Result {
    let process = try await ChildProcess.run(command, in: url, timeLimit: timeLimit)
    return Result(exitStatus: process.exitStatus, diagnostics: process.diagnostics)
  }
}
