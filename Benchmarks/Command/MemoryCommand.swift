import ArgumentParser
import Foundation

/// Does one thing in a process of its own and prints the memory that it took.
struct MemoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory",
    abstract: "Print the memory that one operation on one workload takes, as JSON.",
    discussion: "The suite runs this for its table of memory, each time in a new process.")

  @Argument(help: "The workload, such as W2.") var workload: String
  @Argument(help: "encode, decode, save or load.") var operation: Operation
  @Option(help: "The size of the workload.") var size = 1.0
  @Option(help: "Fail where it takes more bytes than this for each unit, beyond the model or the archive.")
  var atMost: Double?
  @Option(help: "The folder for files.", completion: .directory) var scratch: String?

  mutating func validate() throws {
    guard size > 0 else { throw ValidationError("--size must be positive.") }
    guard operation != .limit else { throw ValidationError("Limits take no memory worth to be measured.") }
    guard type != nil else { throw ValidationError("There is no workload \(workload) with a graph.") }
  }

  func run() throws {
    let folder = scratch.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let options = WorkloadOptions(
      size: WorkloadSize(factor: size), isDetailed: true, peerShare: 1, scratchFolder: folder)
    guard let measurement = try type?.init(options).memory(operation) else { return }
    print(String(decoding: try JSONEncoder().encode(measurement), as: UTF8.self))
    guard let atMost, measurement.surplusPerUnit > atMost else { return }
    let text = threeDigits(measurement.surplusPerUnit)
    FileHandle.standardError.write(
      Data("\(text) bytes per \(measurement.unit), more than \(threeDigits(atMost))\n".utf8))
    throw ExitCode.failure
  }

  private var type: (any GraphWorkload.Type)? {
    workloadTypes.first { $0.id == workload } as? any GraphWorkload.Type
  }
}

extension Operation: ExpressibleByArgument {}
