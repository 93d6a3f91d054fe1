import Foundation
import GraphCodable
import ParticleModel

/// Runs the simulation in processes of its own, and kills one of them while it appends.
struct InterruptedRun {
  /// What a killed process left behind.
  struct Remains {
    let step: Int
    let keptSteps: [Int]
    let keptByteCount: UInt64
    let unfinishedByteCount: UInt64
    let isIntact: Bool

    func printWhatWasKept() {
      if unfinishedByteCount > 0 {
        print(
          "Killed       by SIGKILL, with \(grouped(Int(unfinishedByteCount))) bytes of step \(step) in the file"
        )
      } else {
        print("Killed       by SIGKILL while it saved step \(step), of which nothing was in the file yet")
      }
      let steps = keptSteps.map(String.init).joined(separator: ", ")
      print("Kept         \(keptSteps.count) snapshots, \(megabytes(Int(keptByteCount))): steps \(steps)")
      print("Verified     \(isIntact ? "every byte of them" : "NOT INTACT")")
      fflush(nil)
    }
  }

  private let options: Options
  /// A process may be through with an append before it is killed.
  private static let mostAttempts = 20

  init(_ options: Options) { self.options = options }

  /// Starts the run anew, and kills it in the middle of an append about halfway.
  func interrupt() throws -> Remains {
    let saves = max(1, options.steps / options.interval)
    let target = max(2, saves / 2) * options.interval
    for attempt in 1... {
      if FileManager.default.fileExists(atPath: options.series.path) {
        try FileManager.default.removeItem(at: options.series)
      }
      let step = try kill(atStep: min(target, options.steps))
      let series = try GraphArchiveSeries(options.series)
      let unfinished = try byteCount() - min(series.byteCount, byteCount())
      let wasSaving = series.last?.step != step
      guard wasSaving && unfinished > 0 || attempt == Self.mostAttempts else { continue }
      let isIntact = (try? GraphDecoder().verify(series)) != nil
      return Remains(
        step: step, keptSteps: series.map(\.step), keptByteCount: series.byteCount,
        unfinishedByteCount: unfinished, isIntact: isIntact)
    }
    throw DemoError("unreachable")
  }

  /// Lets a new process make the rest of the run.
  func finish() throws {
    let process = try start { _, _ in }
    process.waitUntilExit()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      throw DemoError("the new process failed with status \(process.terminationStatus)")
    }
  }

  /// Kills the process when bytes of an append are in the file; which step it was.
  private func kill(atStep step: Int) throws -> Int {
    let killed = try start { line, process in
      guard line == "append \(step)" else { return }
      let before = (try? byteCount()) ?? 0
      while process.isRunning, ((try? byteCount()) ?? 0) <= before {}
      if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
    killed.waitUntilExit()
    guard killed.terminationReason == .uncaughtSignal, killed.terminationStatus == SIGKILL else {
      throw DemoError("the process ended before it was killed, with status \(killed.terminationStatus)")
    }
    return step
  }

  /// Starts a process, and gives each line of its output to `read` until the output ends.
  private func start(_ read: (String, Process) -> Void) throws -> Process {
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = options.runArguments
    let output = Pipe()
    process.standardOutput = output
    // What is still in the buffer would otherwise appear after the output of the new process.
    fflush(nil)
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") {
        read(String(decoding: line, as: UTF8.self), process)
        line.removeAll()
      } else {
        line.append(byte)
      }
    }
    return process
  }

  private func byteCount() throws -> UInt64 {
    var status = stat()
    guard stat(options.series.path, &status) == 0 else {
      throw DemoError("\(options.series.path) is not there")
    }
    return UInt64(status.st_size)
  }
}
