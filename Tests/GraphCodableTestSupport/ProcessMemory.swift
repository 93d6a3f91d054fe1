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

    /// Has the testing library not keep a backtrace of each error: 100 MiB for a value with 80,000 errors that an `init(from:)` has
    /// caught.
    public static func keepNoErrors() {
      for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
        // Functions that Swift's runtime calls with each error, or none.
        dlsym(nil, name)?.storeBytes(of: nil, as: UnsafeRawPointer?.self)
      }
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
