import Foundation
import GraphCodable

/// A file, here or on a server, that holds an archive, or a series of them; or a folder that is a series, a set, or a series of sets.
struct StoredFile {
  /// As it was given on the command line, but for what is nobody's business: see `shownName`.
  let name: String
  let byteCount: UInt64
  let content: Content

  enum Content {
    case archive(ArchiveFile)
    case series(GraphArchiveSeries)
    case set(GraphArchiveSet)
    case setSeries(GraphArchiveSetSeries)
    case messages(StoredMessages)
  }

  var kind: FileKind {
    switch content {
    case .archive: .archive
    case .series: .series
    case .set: .set
    case .setSeries: .setSeries
    case .messages: .messages
    }
  }

  /// How many bytes stand behind the last entry of a series; nil if there are none.
  var unfinishedByteCount: UInt64? {
    guard case .series(let series) = content, byteCount > series.byteCount else { return nil }
    return byteCount - series.byteCount
  }

  /// Opens a file, and looks at its first bytes to see what it is.
  ///
  /// - Throws: `GCodableError` when it is none of these or cannot be read.
  init(_ name: String) throws {
    self.name = shownName(name)
    if isAddress(name) {
      let source = try HTTPSource(name)
      let start = FileStart(source)
      byteCount = start.byteCount
      content = try Self.content(start, .source(source), name) {
        try GraphArchiveSeries(source: source, isThorough: true)
      }
      return
    }
    if name == StandardInput.name {
      let archive = try StandardInput.open()
      let start = try FileStart(archive)
      byteCount = start.byteCount
      content = try Self.content(start, archive, name) {
        switch archive {
        case .file(let url): try GraphArchiveSeries(url, isThorough: true)
        case .source(let source): try GraphArchiveSeries(source: source, isThorough: true)
        }
      }
      return
    }
    let url = fileURL(name)
    // Another folder is no file, and told so.
    if !name.isEmpty, isFolder(url), let (content, byteCount) = try Self.content(ofFolder: url) {
      (self.content, self.byteCount) = (content, byteCount)
      return
    }
    try checkScheme(of: name)
    let start = try FileStart(isFileAddress(name) || !FileName.isUTF8(name) ? url.path : name)
    byteCount = start.byteCount
    content = try Self.content(start, .file(url), name) {
      try GraphArchiveSeries(url, isThorough: true)
    }
  }

  /// What a file is, by its first bytes.
  ///
  /// - Parameter name: the name. One of a series, or a stream, says that it is one without entries where its writer was stopped
  ///   before the header was written; under another name it may be an archive that was lost.
  private static func content(
    _ start: FileStart, _ archive: ArchiveFile, _ name: String,
    _ openSeries: () throws -> GraphArchiveSeries
  ) throws -> Content {
    if start.isMessages || hasNameOfStream(name) && start.mayBecomeMessages {
      return .messages(StoredMessages(file: archive))
    }
    let isNamedSeries = hasNameOfSeries(name)
    if start.bytes.isEmpty, !isNamedSeries { throw GCodableError(.notAnArchive, "the file is empty") }
    if start.isArchive { return .archive(archive) }
    let series: GraphArchiveSeries
    do { series = try openSeries() } catch let error as GCodableError
      where error.code == .notAnArchive && !start.isSeries
    {
      throw GCodableError(
        .notAnArchive, "the file is neither an archive nor a series of archives", byteOffset: 0)
    }
    if series.isEmpty, series.damage.isEmpty, !start.hasHeader, !isNamedSeries {
      throw GCodableError(.notAnArchive, "the file has no header", byteOffset: 0)
    }
    return .series(series)
  }

  /// What a folder is, and its bytes; nil for other folders.
  private static func content(ofFolder url: URL) throws -> (Content, UInt64)? {
    switch StoredFolder(url) {
    case .set:
      let set = try set(url)
      return (.set(set), set.byteCount)
    case .setSeries:
      let series = try GraphArchiveSetSeries(url)
      return (.setSeries(series), series.byteCount)
    case .series:
      let series = try GraphArchiveSeries(folder: url)
      return (.series(series), series.byteCount)
    case nil: return nil
    }
  }

  /// The set of a folder, whose manifest the errors name.
  private static func set(_ url: URL) throws -> GraphArchiveSet {
    do { return try GraphArchiveSet(url) } catch let error as GCodableError {
      throw error.about(SetNames.manifest)
    }
  }
}

/// Whether somebody has a folder there.
func isFolder(_ url: URL) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
}

/// What a file holds, in JSON.
enum FileKind: String, Encodable {
  case archive, series, set, setSeries, messages

  /// A number of entries of a series.
  func entryCount(_ number: Int) -> String {
    switch self {
    case .setSeries: count(number, "set", "sets")
    case .messages: count(number, "message", "messages")
    case .archive, .series, .set: count(number, "entry", "entries")
    }
  }
}

/// The first bytes of a file, and how many it has.
private struct FileStart {
  let bytes: [UInt8]
  let byteCount: UInt64

  var isArchive: Bool { bytes == Array("gcodable".utf8) }
  var isSeries: Bool { bytes == Array("gcseries".utf8) }
  var isMessages: Bool { bytes == Array("gcstream".utf8) }
  /// Whether it may be a stream whose writer was stopped at the header.
  var mayBecomeMessages: Bool { Array("gcstream".utf8).starts(with: bytes) }
  /// Whether a series begins here that has all of its header.
  var hasHeader: Bool { isSeries && byteCount >= 64 }

  init(_ source: HTTPSource) { self.init(Array(source.firstBytes.prefix(8)), of: source.byteCount) }

  private init(_ bytes: [UInt8], of byteCount: UInt64) { (self.bytes, self.byteCount) = (bytes, byteCount) }

  init(_ archive: ArchiveFile) throws {
    switch archive {
    case .file(let url): try self.init(url.path)
    case .source(let source):
      let start = try source.read(0..<8)
      self.init(Array(start.bytes), of: start.byteCount)
    }
  }

  init(_ path: String) throws(GCodableError) {
    func failure(_ reason: Int32) -> GCodableError {
      GCodableError(.file, String(cString: strerror(reason)))
    }
    // A named pipe is refused below, not waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      if status.st_mode & S_IFMT == S_IFDIR { throw failure(EISDIR) }
      throw GCodableError(.file, "Not a regular file")
    }
    byteCount = UInt64(status.st_size)
    var buffer = [UInt8](repeating: 0, count: 8)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw failure(errno) }
    bytes = Array(buffer.prefix(count))
  }
}
