import Foundation

/// The machine and the compiler that figures belong to.
struct Machine: Codable {
  var processor: String
  var coreCount: Int
  var memoryByteCount: UInt64
  var system: String
  var swift: String

  static var current: Machine {
    let process = ProcessInfo.processInfo
    return Machine(
      processor: processorName, coreCount: process.activeProcessorCount,
      memoryByteCount: process.physicalMemory, system: process.operatingSystemVersionString,
      swift: compilerVersion)
  }

  var summary: String {
    let memory = String(format: "%.0f GiB", Double(memoryByteCount) / 0x1p30)
    return "\(processor), \(coreCount) cores, \(memory) · \(system) · Swift \(swift)"
  }

  /// The first `model name` of `/proc/cpuinfo`, or the architecture where there is none.
  private static var processorName: String {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    guard let name = line?.split(separator: ":", maxSplits: 1).last else { return architecture }
    return name.trimmingCharacters(in: .whitespaces)
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #elseif arch(arm64)
      "ARM64"
    #else
      "unknown processor"
    #endif
  }

  /// The compiler's version, as far as conditions can tell it.
  private static var compilerVersion: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1 or earlier"
    #endif
  }
}
