import Foundation

/// A program that is compiled once, as a user would, and run many times, in a folder of its own.
package struct ProgramFolder: Sendable {
  /// The working folder of all that runs here.
  package let url: URL

  /// The executable file.
  package var program: URL { url.appendingPathComponent("example") }

  /// What became of a command.
  package struct Result: Sendable {
    /// Its exit status, or the number of the signal that ended it.
    package let exitStatus: Int32
    /// Its standard error.
    package let diagnostics: String
  }

  /// Compiles a program, calls `body`, and removes the folder.
  package static func with(_ source: String, _ body: (Self) async throws -> Void) async throws {
    try await ExampleRunner.withProgram(source) { try await body(Self(url: $0)) }
  }

  /// Runs a command that is found on `PATH`; names with values may stand in front of it, for its environment.
  ///
  /// - Parameter timeLimit: in seconds; a command that takes longer is killed.
  package func run(_ command: [String], timeLimit: Double = 60) async throws -> Result {
    let process = try await ChildProcess.run(command, in: url, timeLimit: timeLimit)
    return Result(exitStatus: process.exitStatus, diagnostics: process.diagnostics)
  }
}
