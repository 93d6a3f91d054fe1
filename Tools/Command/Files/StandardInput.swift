import Foundation
import GraphCodable

/// Standard input, as `-` on the command line.
///
/// A pipe is read to its end into memory, since archives are not read from front to back.
enum StandardInput {
  static let name = "-"

  /// What it is: the file that it was redirected from, or its bytes.
  ///
  /// - Throws: `file`.
  static func open() throws(GCodableError) -> ArchiveFile {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { throw failure(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(URL(fileURLWithPath: "/dev/stdin"))
    case S_IFDIR: throw failure(EISDIR)
    default: return .source(try Pipe())
    }
  }

  private static func failure(_ reason: Int32) -> GCodableError {
    GCodableError(.file, String(cString: strerror(reason)))
  }

  /// The bytes of a pipe.
  private struct Pipe: GraphSource {
    let name = StandardInput.name
    private let bytes: Data

    init() throws(GCodableError) {
      do { bytes = try FileHandle.standardInput.readToEnd() ?? Data() } catch {
        throw GCodableError(.file, "cannot be read", underlyingError: error)
      }
    }

    func read(_ range: Range<UInt64>) -> GraphSourceBytes {
      let range = range.clamped(to: 0..<UInt64(bytes.count))
      return GraphSourceBytes(bytes[Int(range.lowerBound)..<Int(range.upperBound)], of: UInt64(bytes.count))
    }
  }
}
