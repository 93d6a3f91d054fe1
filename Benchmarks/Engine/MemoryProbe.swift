import Foundation

/// What the kernel says about the memory of this process.
enum MemoryProbe {
  /// Starts to watch for a new peak, from the memory that is in use now.
  ///
  /// - Returns: the bytes in use.
  /// - Throws: where the kernel does not tell, as everywhere but on Linux.
  static func begin() throws -> Int {
    giveBackFreeMemory()
    // Documented in proc(5): 5 sets the peak to what is in use now.
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .ascii)
    return try status("VmRSS")
  }

  /// The most bytes in use at any time since `begin()`.
  static func peak() throws -> Int {
    try status("VmHWM")
  }

  /// The bytes in use after what is free has been given back to the system.
  static func settled() throws -> Int {
    giveBackFreeMemory()
    return try status("VmRSS")
  }

  /// Memory that `malloc` keeps for later would be used again without being counted.
  private static func giveBackFreeMemory() {
    // Swift's module of the C library lacks its malloc.h.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
  }

  /// A line such as `VmRSS:	    5032 kB` of the process's status.
  private static func status(_ key: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { throw CocoaError(.fileReadCorruptFile) }
    return kibibytes << 10
  }
}
