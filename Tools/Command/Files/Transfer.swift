import Foundation
import GraphCodable

/// Work that reads some files and writes another one: an error tells which of them failed.
struct Transfer {
  let inputs: [String]
  let output: String

  /// - Throws: `Failure`: about an input where that could not be read, or is not what it should be; about the output, with a
  ///   status of its own, where that could not be written.
  func run<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do { return try body() } catch let failure as Failure { throw failure } catch {
      let input = inputs.first { isAbout(error, $0) } ?? inputs.first ?? output
      guard (error as? GCodableError)?.filePath != nil,
        !isAbout(error, input) || isSameFile(fileURL(input).path, fileURL(output).path)
      else {
        throw Failure(error, in: input)
      }
      var failure = Failure(error, in: output)
      failure.status = .outputFailed
      throw failure
    }
  }

  /// Whether an error is about a file, or one in a folder.
  private func isAbout(_ error: any Error, _ name: String) -> Bool {
    guard !isAddress(name), let path = (error as? GCodableError)?.filePath else { return false }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let url = fileURL(name)
    return isSameFile(path, url.path) || isFolder(url) && isSameFile(folder, url.path)
  }
}

/// Whether two paths lead to one file or folder.
func isSameFile(_ path: String, _ other: String) -> Bool {
  var (left, right) = (stat(), stat())
  guard stat(path, &left) == 0, stat(other, &right) == 0 else { return path == other }
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino
}
