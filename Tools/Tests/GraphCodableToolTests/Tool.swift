import Foundation

/// The tool as somebody at a terminal has it: arguments in; exit status, standard output and standard error out.
struct Tool {
  /// The program, which lies beside that of the tests.
  static let program = {
    #if canImport(Darwin)
      let tests = Bundle(for: Marker.self).bundleURL
    #else
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("graphcodable")
  }()

  private final class Marker {}

  /// What became of a run.
  struct Result {
    /// The exit status, or the number of the signal that ended it.
    let status: Int32
    let output: String
    let diagnostics: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Runs the tool in a folder.
  static func run(_ arguments: [String], in folder: Folder) async throws -> Result {
    try await run(program.path, arguments, in: folder)
  }

  /// Runs a line of a shell in which `$tool` is the tool.
  static func shell(_ line: String, in folder: Folder) async throws -> Result {
    try await run("/bin/bash", ["-c", line], in: folder)
  }

  private static func run(
    _ executable: String, _ arguments: [String], in folder: Folder
  ) async throws -> Result {
    // Files, not pipes: nobody has to empty them meanwhile.
    let results = try Folder()
    let (output, diagnostics) = (results.file("output"), results.file("diagnostics"))
    for file in [output, diagnostics] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["tool": program.path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: diagnostics)
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    return Result(
      status: status, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      diagnostics: String(decoding: try Data(contentsOf: diagnostics), as: UTF8.self))
  }
}

/// A folder for one test, which goes with it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graphcodable-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Writes bytes to a file.
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws { try Data(bytes).write(to: file(name)) }

  func bytes(of name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: file(name))) }
}
