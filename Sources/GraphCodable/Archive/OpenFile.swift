import CGraphArchive
import Foundation

/// A file that stays open, for several archives or several readers.
final class OpenFile: Sendable {
  let path: String
  private let file: gca_file
  /// The process that opened it: one that is forked later shares its lock.
  private let processID = getpid()

  /// Opens a file for reading.
  init(reading url: URL) throws {
    path = try Self.path(url)
    var file = gca_file(descriptor: -1)
    var byteCount: UInt64 = 0
    let status = gca_file_open(&file, path, &byteCount)
    let reason = errno
    guard status == GCA_OK else { throw FileError.make("open", path, errno: reason) }
    self.file = file
  }

  /// Opens a file for appending, creates it if there is none, and locks it.
  ///
  /// - Throws: `locked` when somebody else has it open for appending.
  init(appending url: URL) throws {
    path = try Self.path(url)
    var file = gca_file(descriptor: -1)
    let status = gca_file_open_append(&file, path, 0o666)
    let reason = errno
    guard status != GCA_FILE_LOCKED else {
      throw GCodableError(.locked, "somebody else appends to \(path)")
    }
    guard status == GCA_OK else { throw FileError.make("open", path, errno: reason) }
    self.file = file
  }

  private static func path(_ url: URL) throws -> String {
    guard url.isFileURL else { throw GCodableError(.file, "\(url) is not the URL of a file") }
    return url.path
  }

  deinit {
    var file = file
    gca_file_close(&file)
  }

  /// Whether this process opened it, and not one that this process was forked from.
  var isOwn: Bool { processID == getpid() }

  /// Gives back the lock of a file that is open for appending, unless it is that of another process.
  func unlock() { if isOwn { gca_file_unlock(file) } }

  /// How large the file is at the moment.
  @inline(never)
  func byteCount() throws -> UInt64 {
    var byteCount: UInt64 = 0
    try check(gca_file_size(file, &byteCount), "look at")
    return byteCount
  }

  /// Checks that the file still has its name: another one may have it now, or none.
  func checkName() throws {
    var isAt = false
    try check(gca_file_is_at(file, path, &isAt), "look at")
    guard isAt else {
      throw GCodableError(
        .file, "\(path) was moved, removed or replaced while it was open for appending")
    }
  }

  /// Fills `destination` with the bytes from `offset` on.
  ///
  /// - Returns: false if the file ends before.
  @inline(never)
  func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    let status = gca_file_read(file, destination.baseAddress, destination.count, offset)
    if status == GCA_FILE_SHORT { return false }
    try check(status, "read")
    return true
  }

  /// Writes pieces one behind the other, from `offset` on.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    var pieces = pieces.map { gca_piece(bytes: $0.baseAddress, byteCount: $0.count) }
    try check(gca_file_write(file, &pieces, pieces.count, offset), "write")
  }

  /// Cuts the file.
  func truncate(to byteCount: UInt64) throws { try check(gca_file_truncate(file, byteCount), "cut") }

  /// Waits until the file's bytes are on the device.
  func sync() throws {
    var file = file
    try check(gca_file_sync(&file), "sync")
  }

  /// Waits until the file's name is on the device.
  func syncName() throws {
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    try check(gca_folder_sync(folder.path), "sync the folder of")
  }

  @inline(never)
  private func check(_ status: gca_status, _ action: String) throws {
    let reason = errno
    guard status != GCA_OK else { return }
    throw FileError.make(action, path, errno: reason)
  }
}
