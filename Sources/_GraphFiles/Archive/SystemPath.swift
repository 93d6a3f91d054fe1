import Foundation
import _GraphSupport

/// Paths as the system follows them: behind a link, `..` is the folder above the one that the link leads to.
///
/// Foundation takes `link/..` away as text, both where it resolves a link and where it joins a relative URL with its base.
package enum SystemPath {
  /// The path of a file's URL, absolute and otherwise as it was given.
  ///
  /// - Throws: `file` for another URL, and for one whose path the system does not have.
  package static func path(_ url: URL) throws -> String {
    guard url.isFileURL else { throw GCodableError(.file, "\(url) is not the URL of a file") }
    let path = text(of: url)
    // Foundation's path ends at a zero.
    guard !path.isEmpty, !url.absoluteString.contains("%00") else {
      throw GCodableError(.file, "\(url) has no path that is UTF-8 without zeros: give the file another name")
    }
    return path
  }

  /// The same file, by an absolute path; any other URL as it is.
  package static func url(_ url: URL) -> URL {
    guard url.isFileURL, url.baseURL != nil else { return url }
    return URL(fileURLWithPath: text(of: url))
  }

  private static func text(of url: URL) -> String {
    guard let base = url.baseURL, !url.relativePath.hasPrefix("/") else { return url.path }
    let folder = base.hasDirectoryPath ? text(of: base) : folder(of: text(of: base))
    return (folder == "/" ? "" : folder) + "/" + url.relativePath
  }

  /// The folder that a path leads to before its last name.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last name of a path.
  package static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The file that a path leads to: where its last name is a link, even to nothing, that of the link's target.
  ///
  /// No folder in it is a link: what is done by this path goes on in one folder, even if links are moved meanwhile.
  ///
  /// - Throws: `file` where links lead in a circle, or to a name that is not UTF-8.
  package static func followingLinks(_ path: String) throws -> String {
    var place = path
    // 40 in a row is the system's own limit.
    for _ in 0..<40 {
      guard let target = try target(of: place) else {
        // A folder that is not there is an error of the system where the path is used.
        return resolved(folder(of: place)).map { ($0 == "/" ? "" : $0) + "/" + name(of: place) } ?? place
      }
      place = target.hasPrefix("/") ? target : folder(of: place) + "/" + target
    }
    throw FileOutcome.error("follow", path, reason: ELOOP)
  }

  /// Whether a path ends at a link, whatever that leads to.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// A folder by a path without links; nil where there is none, or whose name is not UTF-8.
  private static func resolved(_ folder: String) -> String? {
    guard let bytes = unsafe realpath(folder, nil) else { return nil }
    defer { unsafe free(bytes) }  // `realpath` has allocated it.
    return unsafe String(validatingCString: bytes)
  }

  /// What a link says; nil for what is none.
  private static func target(of path: String) throws -> String? {
    let capacity = Int(PATH_MAX)
    var bytes = [CChar](repeating: 0, count: capacity)
    // The buffer and the path are there for the time of the call, which writes no more than it is told.
    let count = unsafe readlink(path, &bytes, capacity)
    guard count > 0 else { return nil }
    guard let target = String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
      throw GCodableError(
        file: path, "\(path) is a link to a name that is not UTF-8: give the file another one")
    }
    return target
  }

  /// What is at a path, after links; nil if nothing is.
  package static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
