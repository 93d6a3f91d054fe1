import Foundation

/// Whether to wait for the device while something is measured.
///
/// The library always does, and the device's time varies. To show what else a save costs, this program intercepts the library's
/// calls of `fsync`.
enum DeviceSync {
  /// Changed between measurements alone.
  nonisolated(unsafe) fileprivate static var isSkipped = false

  /// Does `body` as if the device needed no time.
  static func skipping<Result>(_ body: () throws -> Result) rethrows -> Result {
    isSkipped = true
    defer { isSkipped = false }
    return try body()
  }

  #if os(Linux)
    static let canBeSkipped = true
    private typealias Function = @convention(c) (CInt) -> CInt

    /// The C library's, which is next after this program.
    private static let system = unsafeBitCast(
      dlsym(UnsafeMutableRawPointer(bitPattern: -1), "fsync"), to: Function.self)

    fileprivate static func sync(_ descriptor: CInt) -> CInt { isSkipped ? 0 : system(descriptor) }
  #else
    static let canBeSkipped = false
  #endif
}

#if os(Linux)
  /// What the C target calls in this program.
  @_cdecl("fsync")
  func synchronizeUnlessSkipped(_ descriptor: CInt) -> CInt { DeviceSync.sync(descriptor) }
#endif
