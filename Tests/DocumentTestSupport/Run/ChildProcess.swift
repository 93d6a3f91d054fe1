import Foundation

/// A command that ran to its end.
struct ChildProcess: Sendable {
  let exitStatus: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let diagnostics: String

  /// Runs a command found on `PATH`, without standard input, and waits for it.
  ///
  /// - Parameters:
  ///   - command: its name and arguments.
  ///   - folder: its working folder, also its home folder; its output is kept there, too.
  ///   - timeLimit: in seconds; a command that takes longer is killed and reported with its signal.
  static func run(_ command: [String], in folder: URL, timeLimit: Double) async throws -> ChildProcess {
    let outputFile = folder.appendingPathComponent("stdout.txt")
    let diagnosticsFile = folder.appendingPathComponent("stderr.txt")
    let status = try await {
      // Files, not pipes: nobody has to empty them while the command runs.
      let output = try emptyFile(at: outputFile)
      let diagnostics = try emptyFile(at: diagnosticsFile)
      defer {
        try? output.close()
        try? diagnostics.close()
      }
      return try await exitStatus(
        of: command, in: folder, output: output, diagnostics: diagnostics, timeLimit: timeLimit)
    }()
    return ChildProcess(
      exitStatus: status,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      diagnostics: String(decoding: try Data(contentsOf: diagnosticsFile), as: UTF8.self))
  }

  private static func emptyFile(at url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  private static func exitStatus(
    of command: [String], in folder: URL, output: FileHandle, diagnostics: FileHandle, timeLimit: Double
  ) async throws -> Int32 {
    #if os(Linux) || os(macOS)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.currentDirectoryURL = folder
      process.environment = ProcessInfo.processInfo.environment.merging(
        [
          // Foundation asks the user database unless it is told otherwise by names of its own.
          "HOME": folder.path, "CFFIXED_USER_HOME": folder.path, "TMPDIR": folder.path,
          "XDG_DOCUMENTS_DIR": folder.appendingPathComponent("Documents").path,
          "SWIFT_BACKTRACE": "color=no,registers=none,images=none",
          "LLVM_PROFILE_FILE": folder.appendingPathComponent("example.profraw").path,
        ], uniquingKeysWith: { $1 })
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = diagnostics

      let timer = DispatchSource.makeTimerSource()
      defer { timer.cancel() }
      return try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do {
          try process.run()
        } catch {
          process.terminationHandler = nil
          return continuation.resume(throwing: error)
        }
        let identifier = process.processIdentifier
        timer.setEventHandler { _ = kill(identifier, SIGKILL) }
        timer.schedule(deadline: .now() + timeLimit)
        timer.activate()
      }
    #else
      throw DocumentProblem("this system does not let a test start a compiler")
    #endif
  }
}
