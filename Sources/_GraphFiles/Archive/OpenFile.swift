import CGraphArchive
import Foundation
import _GraphSupport

/// A file that stays open, for several archives or several readers.
package final class OpenFile: Sendable {
  package let path: String
  private let file: gca_file
  /// The process that opened it; a process forked later shares its lock.
  private let processID = getpid()

  /// Opens a file for reading.
  package init(reading url: URL) throws {
    path = try SystemPath.path(url)
    var file = gca_file(descriptor: -1)
    var byteCount: UInt64 = 0
    let outcome = unsafe path.withCString { path in
      FileOutcome { unsafe gca_file_open(&file, path, &byteCount) }
    }
    try outcome.check("open", path)
    self.file = file
  }

  /// Opens a file for appending, creates it if there is none, and locks it.
  ///
  /// - Parameter followsLink: false for a file whose name is not the user's: somebody else may have put a link there.
  /// - Throws: `locked` when another writer has it open; `file`.
  init(appending url: URL, followsLink: Bool = true) throws {
    path = try SystemPath.path(url)
    var file = gca_file(descriptor: -1)
    let outcome = unsafe path.withCString { path in
      FileOutcome { unsafe gca_file_open_append(&file, path, 0o666, followsLink) }
    }
    guard outcome.status != GCA_FILE_LOCKED else {
      throw LockFile.error(path)
    }
    try outcome.check("open", path)
    self.file = file
  }

  /// Opens a folder, to hold it and, for a writer, to lock it.
  ///
  /// - Throws: `locked` when another writer has it.
  package init(folder url: URL, isLocked: Bool) throws {
    path = try SystemPath.path(url)
    var file = gca_file(descriptor: -1)
    let outcome = unsafe path.withCString { path in
      FileOutcome { unsafe gca_folder_open(&file, path) }
    }
    try outcome.check("open", path)
    self.file = file
    if isLocked, gca_file_lock(file, false) == GCA_FILE_LOCKED { throw LockFile.error(path) }
  }

  /// Opens a folder for its only writer; creates it if it is not there.
  ///
  /// - Throws: `locked`; `file`.
  static func lockedFolder(_ url: URL) throws -> OpenFile {
    let path = try SystemPath.path(url)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } catch let error as CocoaError where error.code == .fileWriteFileExists {} catch {
      throw GCodableError(file: path, "cannot create \(path)", underlyingError: error)
    }
    return try OpenFile(folder: url, isLocked: true)
  }

  /// Another descriptor of a file that is open for reading and writing, with its lock.
  init(sharing other: gca_file, _ path: String) throws {
    let descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FileOutcome.error("open", path, reason: errno) }
    self.path = path
    file = gca_file(descriptor: descriptor)
  }

  deinit {
    var file = file
    unsafe gca_file_close(&file)
  }

  /// Whether this process opened it, not one that this process was forked from.
  var isOwn: Bool { processID == getpid() }

  /// Gives back the lock of a file that is open for appending, unless it is that of another process.
  func unlock() { if isOwn { gca_file_unlock(file) } }

  /// How large the file is at the moment.
  @inline(never)
  package func byteCount() throws -> UInt64 {
    var byteCount: UInt64 = 0
    try FileOutcome { unsafe gca_file_size(file, &byteCount) }.check("look at", path)
    return byteCount
  }

  /// Checks that the file still has its name, which another file or none may have now.
  func checkName() throws {
    var isAt = false
    let outcome = unsafe path.withCString { path in FileOutcome { unsafe gca_file_is_at(file, path, &isAt) } }
    try outcome.check("look at", path)
    guard isAt else {
      throw GCodableError(
        file: path, "\(path) was moved, removed or replaced while it was open for appending")
    }
  }

  /// Whether another one is the same file, whatever their names are.
  package func isSame(as other: any RangeReader) -> Bool {
    if self === other { return true }
    guard let other = other as? OpenFile else { return false }
    var (left, right) = (stat(), stat())
    guard unsafe fstat(file.descriptor, &left) == 0, unsafe fstat(other.file.descriptor, &right) == 0 else {
      return false
    }
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino
  }

  /// Fills `destination` with the bytes from `offset` on.
  ///
  /// - Returns: false if the file ends before.
  @inline(never)
  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    let outcome = FileOutcome {
      unsafe gca_file_read(file, destination.baseAddress, destination.count, offset)
    }
    if outcome.status == GCA_FILE_SHORT { return false }
    try outcome.check("read", path)
    return true
  }

  /// Calls `body` with bytes of the file where they are mapped into memory.
  ///
  /// - Throws: `wrongSize` where the file ends before; `file`; what `body` throws.
  func withMapping<Result>(
    from offset: UInt64, _ byteCount: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    var mapping = unsafe gca_mapping()
    let outcome = FileOutcome { unsafe gca_file_map(file, offset, byteCount, &mapping) }
    guard outcome.status != GCA_FILE_SHORT else {
      throw GCodableError(.wrongSize, "\(path) was cut short while it was read", byteOffset: offset)
    }
    try outcome.check("map", path)
    defer { unsafe gca_file_unmap(&mapping) }
    return try unsafe body(UnsafeRawBufferPointer(start: mapping.bytes, count: byteCount))
  }

  /// Writes consecutive pieces, from `offset` on.
  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    try unsafe pieces.write(to: file, at: offset).check("write", path)
  }

  /// Cuts the file.
  package func truncate(to byteCount: UInt64) throws {
    try FileOutcome { gca_file_truncate(file, byteCount) }.check("cut", path)
  }

  /// Waits until the file's bytes are on the device.
  package func sync() throws {
    var file = file
    try FileOutcome { unsafe gca_file_sync(&file) }.check("sync", path)
  }

  /// Waits until the names in this folder are on the device.
  package func syncFolder() throws {
    let outcome = unsafe path.withCString { folder in FileOutcome { unsafe gca_folder_sync(folder) } }
    try outcome.check("sync", path)
  }

  /// Waits until the file's name is on the device.
  package func syncName() throws {
    let folder = try SystemPath.folder(of: SystemPath.followingLinks(path))
    let outcome = unsafe folder.withCString { folder in FileOutcome { unsafe gca_folder_sync(folder) } }
    try outcome.check("sync the folder of", path)
  }
}
