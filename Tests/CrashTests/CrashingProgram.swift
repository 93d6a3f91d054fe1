import DocumentTestSupport
import Foundation
import Testing

/// A program that saves, compiled once, and started with something that ends it.
struct CrashingProgram {
  let folder: ProgramFolder
  let interposer: URL
  /// Where it saves: in memory if such files exist, because nothing here needs a real device.
  private let places: URL

  /// What happens to the process.
  enum Fate {
    case none
    /// Something happens to a call that changes files; the first one is 1.
    case call(Int, Mode)
    /// It is killed after this many seconds.
    case time(Double)

    /// See `interpose.c`.
    enum Mode: String, CaseIterable {
      case kill, half, fail, fail2
    }
  }

  /// Compiles the program and what stands between it and the system, calls `body` and removes them.
  static func with(_ source: String, _ body: (Self) async throws -> Void) async throws {
    try await ProgramFolder.with(source) { folder in
      let memory = URL(fileURLWithPath: "/dev/shm")
      let isWritable = FileManager.default.isWritableFile(atPath: memory.path)
      let places = (isWritable ? memory : folder.url)
        .appendingPathComponent("graphcodable-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: places, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: places) }
      try CrashModels.bytes.write(to: folder.url.appendingPathComponent("model"))
      let interposer = try await library("interpose", in: folder)
      try await body(Self(folder: folder, interposer: interposer, places: places))
    }
  }

  /// A new name for a folder to save in.
  func place(_ name: String) -> URL { places.appendingPathComponent("\(name)-\(UUID().uuidString)") }

  /// Compiles what stands between a program and the system.
  static func library(_ name: String, in folder: ProgramFolder) async throws -> URL {
    let library = folder.url.appendingPathComponent("\(name).so")
    let code = PackageFolder.root.appendingPathComponent("Tests/CrashTests/Interposer/\(name).c")
    let compilation = try await folder.run([
      "clang", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", library.path, code.path, "-ldl",
    ])
    try #require(compilation.exitStatus == 0, "\(compilation.diagnostics)")
    return library
  }

  private var countFile: URL { folder.url.appendingPathComponent("count") }
  private var logFile: URL { folder.url.appendingPathComponent("log") }

  /// Runs the program, which leaves 0, or 3 with an error on its standard error, unless it is killed.
  func run(_ arguments: [String], _ fate: Fate) async throws -> (status: Int32, diagnostics: String) {
    var command = ["LD_PRELOAD=\(interposer.path)", "CRASH_COUNT_FILE=\(countFile.path)"]
    command.append("CRASH_LOG_FILE=\(logFile.path)")
    var timeLimit = 60.0
    switch fate {
    case .none: break
    case .call(let number, let mode): command += ["CRASH_AT=\(number)", "CRASH_MODE=\(mode.rawValue)"]
    case .time(let seconds): timeLimit = seconds
    }
    let result = try await folder.run(command + [folder.program.path] + arguments, timeLimit: timeLimit)
    return (result.exitStatus, result.diagnostics)
  }

  /// How many calls of the program that ran last change files.
  func callCount() throws -> Int {
    try #require(Int(String(contentsOf: countFile, encoding: .utf8)))
  }

  /// A call that changed a file.
  struct Call: Equatable {
    /// `write` for all that write.
    let name: String
    /// The file's number in its file system.
    let file: UInt64
  }

  /// The calls of the program that ran last that change files, in the order in which they were done.
  func calls() throws -> [Call] {
    try String(contentsOf: logFile, encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: " ")
      return Call(name: String(parts[0]), file: try #require(UInt64(parts[1])))
    }
  }

  /// The number by which `calls` knows a file or folder.
  static func number(_ url: URL) throws -> UInt64 {
    let number = try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber]
    return try #require(number as? NSNumber).uint64Value
  }
}
