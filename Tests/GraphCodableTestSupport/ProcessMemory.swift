#if os(Linux)
  import Foundation

  /// The memory of this process, as the system counts it.
  public enum ProcessMemory {
    struct Unknown: Error {}

    /// What is in memory now, in kilobytes.
    public static func resident() throws -> Int { try kilobytes("VmRSS") }

    /// How much memory `work` takes at most beyond what is taken before, in kilobytes.
    public static func peak(_ work: () throws -> Void) throws -> Int {
      let before = try resident()
      try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
      try work()
      return try kilobytes("VmHWM") - before
    }

    private static func kilobytes(_ field: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
        let number = line.split(separator: " ").compactMap({ Int($0) }).first
      else { throw Unknown() }
      return number
    }
  }
#endif
