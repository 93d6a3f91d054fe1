import Foundation
import GraphCodable
import Testing

/// All tests that start processes, one after the other: they need the processors.
@Suite("MPI", .serialized) struct MPITests {}

/// A folder with a set, and programs that are started as ranks.
struct Ranks: ~Copyable {
  /// Holds all files of a test.
  let place: URL
  var folder: URL { place.appendingPathComponent("state") }

  /// The root of the repository.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    place = FileManager.default.temporaryDirectory.appendingPathComponent("mpi-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: place) }

  /// A program that was built with the tests.
  static func program(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name)
      .path
  }

  /// What came of a command.
  struct Outcome {
    var status: Int32
    /// The lines of its output, in ascending order: ranks print in any.
    var lines: [String]
    var diagnostics: String
  }

  /// Runs a command, which is killed after as long as nothing but a hang takes.
  func run(_ command: [String], environment: [String: String] = [:]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["timeout", "-k", "10", "180"] + command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files, because a full pipe would stop the process.
    let files = ["output", "diagnostics"].map { place.appendingPathComponent($0) }
    let handles = try files.map { file in
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    (process.standardOutput, process.standardError) = (handles[0], handles[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
    let outcome = Outcome(
      status: process.terminationStatus, lines: texts[0].split(separator: "\n").map(String.init).sorted(),
      diagnostics: texts[1])
    // `timeout` says 124, or goes the way of the command that it had to kill.
    let isHang = outcome.status == 124 || process.terminationReason == .uncaughtSignal
    #expect(!isHang, "\(command) hangs: \(texts)")
    return outcome
  }

  /// Runs `rank-program` on as many ranks, before which `prefix` stands.
  func run(
    _ count: Int, _ verb: String, _ numbers: Int..., prefix: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(
      Self.mpirun(count) + prefix + [Self.program("rank-program"), verb, folder.path]
        + numbers.map { "\($0)" }, environment: environment)
  }

  static func mpirun(_ count: Int) -> [String] {
    ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "\(count)"]
  }

  /// What every one of as many ranks says.
  static func lines(_ count: Int, _ text: String) -> [String] {
    (0..<count).map { "rank \($0): \(text)" }
  }

  /// Saves a set of two parts in this process.
  func saveOld() throws {
    let writer = try GraphArchiveSet.Writer(folder)
    let receipts = try (0..<2).map { try writer.part($0, of: 2).write([Double($0)]) }
    try writer.commit(receipts, step: 0, time: 0)
  }

  /// The names of the files of a complete set.
  func names(of set: GraphArchiveSet) -> Set<String> {
    Set((0..<set.partCount).map { set.partURL($0).lastPathComponent } + ["set.gcodable"])
  }

  /// The names of all files, but for that of the lock.
  func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting(["gcodable-lock"])
  }
}
