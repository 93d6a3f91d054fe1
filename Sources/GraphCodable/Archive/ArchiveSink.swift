import CGraphArchive
import Foundation

/// Where an archive is written to, from its first byte to its last, with a look back to patch what was not
/// known at its place.
protocol ArchiveSink {
  /// Bytes written so far.
  var position: UInt64 { get }
  /// Appends bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws
  /// Appends what `fill` puts into a buffer of `capacity` bytes; it returns how many those are.
  mutating func append(
    capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws
  /// Overwrites bytes that were appended before.
  mutating func overwrite(at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws
}

extension ArchiveSink {
  mutating func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }
}

/// Writes into memory that was allocated for the largest possible result.
struct MemorySink: ArchiveSink {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  var position: UInt64 { UInt64(count) }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
    try append(capacity: bytes.count) { room in
      room.copyMemory(from: bytes)
      return bytes.count
    }
  }

  mutating func append(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    guard capacity <= memory.count - count else {
      throw GCodableError(.internalInconsistency, "the archive is larger than was computed")
    }
    count += try fill(UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + capacity)]))
  }

  mutating func overwrite(at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
    let start = Int(offset)
    UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + bytes.count)]).copyMemory(from: bytes)
  }
}

/// Writes into a file that gets its name only when it is complete.
final class FileSink: ArchiveSink {
  private var file = gca_file(descriptor: -1)
  private let path: String
  private let folder: String
  private let temporaryPath: String
  private var isPublished = false
  /// Small pieces gather here before they go to the file.
  private let buffer: UnsafeMutableRawBufferPointer
  private var buffered = 0
  private var flushed: UInt64 = 0

  /// Creates the temporary file beside `url`, which keeps what it holds until `publish`.
  init(_ url: URL) throws {
    guard url.isFileURL else {
      throw GCodableError(.file, "\(url) is not the URL of a file")
    }
    let target = try Self.followingLinks(url)
    path = target.path
    folder = target.deletingLastPathComponent().path
    // Short, because a file name may already be as long as the system allows.
    temporaryPath = "\(folder)/.\(String(UInt64.random(in: .min ... .max), radix: 36)).gcodable-tmp"
    let existing = try? FileManager.default.attributesOfItem(atPath: path)
    if let type = existing?[.type] as? FileAttributeType, type != .typeRegular {
      // A rename would put a file in the place of a pipe, a device or a folder.
      throw FileError.make("replace", path, errno: type == .typeDirectory ? EISDIR : EINVAL)
    }
    buffer = .allocate(byteCount: 1 << 20, alignment: 64)
    let permissions = existing?[.posixPermissions] as? NSNumber
    try check(
      gca_file_create(&file, temporaryPath, permissions?.uint32Value ?? 0o666), "create", temporaryPath)
    // Creating applies the process's mask, which says nothing about a file that is only replaced.
    if let permissions { fchmod(file.descriptor, mode_t(permissions.uint32Value)) }
  }

  /// Where the bytes go: a link is followed, so that the file it leads to is replaced and not the link.
  private static func followingLinks(_ url: URL) throws -> URL {
    var target = url.resolvingSymlinksInPath()
    // A link whose target does not exist yet is left by that; 40 in a row is the system's own limit.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target.path) else {
        return target
      }
      target = URL(fileURLWithPath: next, relativeTo: target.deletingLastPathComponent())
        .absoluteURL.resolvingSymlinksInPath()
    }
    throw FileError.make("follow", url.path, errno: ELOOP)
  }

  deinit {
    gca_file_close(&file)
    if !isPublished { unlink(temporaryPath) }
    buffer.deallocate()
  }

  var position: UInt64 { flushed + UInt64(buffered) }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    if bytes.count > buffer.count / 4 {
      // The gathered bytes and the large piece go out in one call, the piece from where it lies.
      var pieces = [
        gca_piece(bytes: buffer.baseAddress, byteCount: buffered),
        gca_piece(bytes: bytes.baseAddress, byteCount: bytes.count),
      ]
      try check(gca_file_write(&file, &pieces, pieces.count), "write", path)
      flushed += UInt64(buffered + bytes.count)
      buffered = 0
      return
    }
    try append(capacity: bytes.count) { room in
      room.copyMemory(from: bytes)
      return bytes.count
    }
  }

  func append(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    if capacity > buffer.count - buffered { try flush() }
    guard capacity <= buffer.count else {
      throw GCodableError(.internalInconsistency, "a piece of \(capacity) bytes is larger than the buffer")
    }
    buffered += try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[buffered..<(buffered + capacity)]))
  }

  func overwrite(at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
    if offset >= flushed {
      let start = Int(offset - flushed)
      UnsafeMutableRawBufferPointer(rebasing: buffer[start..<(start + bytes.count)]).copyMemory(from: bytes)
    } else {
      try flush()
      try check(gca_file_write_at(&file, bytes.baseAddress, bytes.count, offset), "write", path)
    }
  }

  private func flush() throws {
    guard buffered > 0 else { return }
    var piece = gca_piece(bytes: buffer.baseAddress, byteCount: buffered)
    try check(gca_file_write(&file, &piece, 1), "write", path)
    flushed += UInt64(buffered)
    buffered = 0
  }

  /// Puts the complete file in its place: it survives a crash of the system from then on.
  func publish() throws {
    try flush()
    try check(gca_file_sync(&file), "sync", path)
    gca_file_close(&file)
    let status = gca_file_publish(temporaryPath, path, folder)
    isPublished = status == GCA_OK || status == GCA_FILE_SYNC
    try check(status, "replace", path)
  }

  private func check(_ status: gca_status, _ action: String, _ path: String) throws {
    let reason = errno
    guard status != GCA_OK else { return }
    throw FileError.make(action, path, errno: reason)
  }
}

/// Errors of the file system, in words.
enum FileError {
  static func make(_ action: String, _ path: String, errno reason: Int32) -> GCodableError {
    GCodableError(
      .file, "cannot \(action) \(path): \(String(cString: strerror(reason)))",
      underlyingError: POSIXErrorCode(rawValue: reason).map { POSIXError($0) })
  }
}
