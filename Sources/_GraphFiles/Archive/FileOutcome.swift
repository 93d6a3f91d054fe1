import CGraphArchive
import Foundation
import _GraphSupport

/// What a function of the C target answered, with the system's reason for it.
///
/// These functions use paths, variables and memory only during the call: that is why calls of them are safe.
package struct FileOutcome {
  let status: gca_status
  /// `errno` as the function left it.
  let reason: Int32

  /// Calls a function, and reads `errno` before anything else can change it.
  ///
  /// - Parameter call: nothing but the call, whose arguments are there already: what Swift makes for a call and
  ///   releases after it may change `errno`.
  @inline(__always)
  init(_ call: () -> gca_status) {
    status = call()
    reason = errno
  }

  /// - Parameters:
  ///   - action: what failed, as in "cannot read".
  ///   - path: of the file.
  /// - Throws: `file`, unless all is well.
  @inline(never)
  func check(_ action: String, _ path: String) throws {
    guard status != GCA_OK else { return }
    throw Self.error(action, path, reason: reason)
  }

  /// An error of the file system, in words.
  package static func error(_ action: String, _ path: String, reason: Int32) -> GCodableError {
    GCodableError(
      file: path, unsafe "cannot \(action) \(path): \(String(cString: strerror(reason)))",
      underlyingError: POSIXErrorCode(rawValue: reason).map { POSIXError($0) })
  }
}

// Texts are there for the time of the calls, and `errno` is read before Swift releases anything.
extension FileOutcome {
  /// Removes a file, if there is one.
  package static func removeFile(_ path: String, to action: String = "remove") throws {
    let reason = unsafe path.withCString { unsafe unlink($0) == 0 ? 0 : errno }
    guard reason == 0 || reason == ENOENT else { throw error(action, path, reason: reason) }
  }

  /// Renames a file or a folder.
  ///
  /// - Returns: 0, or the system's reason.
  package static func move(_ path: String, to newPath: String) -> Int32 {
    unsafe path.withCString { path in
      unsafe newPath.withCString { unsafe rename(path, $0) == 0 ? 0 : errno }
    }
  }
}

extension [UnsafeRawBufferPointer] {
  /// Writes consecutive pieces to a file, from `offset` on.
  func write(to file: gca_file, at offset: UInt64) -> FileOutcome {
    var pieces = unsafe map { unsafe gca_piece(bytes: $0.baseAddress, byteCount: $0.count) }
    return unsafe pieces.withUnsafeMutableBufferPointer { pieces in
      FileOutcome { unsafe gca_file_write(file, pieces.baseAddress, pieces.count, offset) }
    }
  }
}
