import Foundation
import GraphCodable

/// A file of this machine that a server sends ranges of: it stays open, and is the same one whatever becomes of its name.
final class ServedFile: Sendable {
  /// What the page is told of a file; its properties are the keys in JSON.
  struct Listed: Encodable {
    let name: String
    let address: String
    let bytes: UInt64
  }

  let name: String
  private let descriptor: Int32

  /// - Parameters:
  ///   - path: where the file is.
  ///   - name: what the page calls it.
  /// - Throws: `GCodableError`: `file`, where it is not a regular file that can be read; `notAnArchive`, where a page cannot read it.
  init(_ path: String, name: String) throws {
    // A named pipe is refused below, not waited for.
    descriptor = open(FileName.bytes(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.name = name
    guard descriptor >= 0 else { throw GCodableError(.file, String(cString: strerror(errno))) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw GCodableError(.file, "Not a regular file")
    }
    let start = bytes(0..<8)
    if start == Array("gcstream".utf8) {
      throw GCodableError(
        .notAnArchive, "a page does not read streams of messages: make one of samples with graphcodable view")
    }
    guard start == Array("gcodable".utf8) || start == Array("gcseries".utf8) || hasNameOfSeries(name) else {
      throw GCodableError(
        .notAnArchive, "the file is neither an archive nor a series of archives", byteOffset: 0)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// As many as the file has now: a series may grow.
  var byteCount: UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(max(status.st_size, 0)) : 0
  }

  /// The bytes in a range; fewer where the file ends, or cannot be read.
  func bytes(_ range: Range<UInt64>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < buffer.count {
        // Safe because what is asked for ends with the buffer.
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let read = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound) + off_t(count))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return }
        count += read
      }
    }
  }
}

extension ServedFile {
  /// More files of a folder are not listed.
  private static let maximumCount = 256

  /// The file of a name on the command line, or the files of a set, a series of sets, or a series in a folder.
  static func files(_ name: String) throws -> [ServedFile] {
    guard !isAddress(name), name != StandardInput.name else {
      throw GCodableError(.file, "only files of this machine are served")
    }
    let url = fileURL(name)
    guard isFolder(url) else { return [try ServedFile(url.path, name: shownName(name))] }
    guard let folder = try StoredFolder.files(url, most: maximumCount) else {
      throw GCodableError(.file, "the folder is neither a set nor a series")
    }
    return try folder.map { try ServedFile($0.path, name: "\(shownName(name))/\($0.lastPathComponent)") }
  }
}

extension StoredFolder {
  /// The archives of a folder: the parts of a set, or of the last one of several, or the last entries of a series.
  ///
  /// - Returns: nil for another folder.
  fileprivate static func files(_ url: URL, most: Int) throws -> [URL]? {
    func parts(_ set: GraphArchiveSet) -> [URL] { (0..<min(set.partCount, most)).map { set.partURL($0) } }
    switch StoredFolder(url) {
    case .set: return parts(try GraphArchiveSet(url))
    case .setSeries:
      guard let last = try GraphArchiveSetSeries(url).last else { return [] }
      return parts(try GraphArchiveSet(last))
    case .series:
      let names = (FileName.names(in: url.path) ?? []).filter {
        $0.hasPrefix("entry-") && $0.hasSuffix(".gcodable")
      }
      return names.suffix(most).map { url.appendingPathComponent($0) }
    case nil: return nil
    }
  }
}
