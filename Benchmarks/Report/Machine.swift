import Foundation

/// The machine and the compiler that figures belong to.
struct Machine: Codable {
  var processor: String
  var coreCount: Int
  var memoryByteCount: UInt64
  var system: String
  var swift: String
  /// The average number of running programs in the last minute, taken when the run starts.
  var load: Double

  static var current: Machine {
    let process = ProcessInfo.processInfo
    return Machine(
      processor: processorName, coreCount: process.activeProcessorCount,
      memoryByteCount: process.physicalMemory, system: process.operatingSystemVersionString,
      swift: compilerVersion, load: currentLoad)
  }

  var summary: String {
    let memory = String(format: "%.0f GiB", Double(memoryByteCount) / 0x1p30)
    let hardware = "\(processor), \(coreCount) cores, \(memory)"
    return "\(hardware) · \(system) · Swift \(swift) · load \(threeDigits(load))"
  }

  /// What to say about other programs that ran beside the suite; `nil` when there were none to speak of.
  var loadWarning: String? {
    guard load > 0.5 * Double(coreCount) else { return nil }
    return "Other programs were running when the suite started: its times are longer than they have to be."
  }

  private static var currentLoad: Double {
    var averages = [0.0]
    return getloadavg(&averages, 1) == 1 ? averages[0] : 0
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
