import Foundation

/// The files that a command is to look at: those that are named, and the archives, series and sets in folders that are.
///
/// A set, or a folder that is a series, stands for the files that belong to it. So do parts that no manifest has, which a
/// process that was killed has left or another one is writing.
struct FileSearch {
  /// In the order of the names, those of a folder in alphabetical order.
  private(set) var files: [String] = []
  /// How many folders have been looked into.
  private(set) var folderCount = 0

  /// - Throws: `Failure` where a folder cannot be read.
  init(_ names: [String]) throws {
    for name in names {
      guard !name.isEmpty, name != StandardInput.name, isFolder(fileURL(name)) else {
        files.append(name)
        continue
      }
      let found = try Self.files(in: name)
      // A folder without any is no file, and told so.
      files += found.isEmpty ? [name] : found
      folderCount += found.isEmpty || found == [name] ? 0 : 1
    }
  }

  /// Sets and series in a folder and in those in it, and archives, series and streams by their names or their first bytes.
  private static func files(in folder: String) throws -> [String] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let address = fileURL(folder).path
    guard let names = FileName.names(in: address) else {
      throw Failure("\(folder): cannot be read", status: .unreadable)
    }
    let kind = StoredFolder(fileURL(folder))
    var files = kind == nil ? [] : [folder]
    // What begins with a dot is not finished, or none of the user's business.
    for name in names where !name.hasPrefix(".") && kind?.has(name) != true {
      let path = prefix + name
      switch FileName.status(address + "/" + name).map({ $0.st_mode & S_IFMT }) {
      case S_IFDIR: files += try Self.files(in: path)
      case S_IFREG where isNamed(name) || hasMagic(path): files.append(path)
      default: break
      }
    }
    return files
  }

  /// Also those whose first bytes were lost are looked at, and told.
  private static func isNamed(_ name: String) -> Bool {
    [".gcodable", ".gcseries", ".gclog"].contains { name.hasSuffix($0) }
  }

  private static func hasMagic(_ path: String) -> Bool {
    // What cannot be read is looked at, and told.
    guard let handle = try? FileHandle(forReadingFrom: fileURL(path)) else { return true }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: 8) else { return true }
    return ["gcodable", "gcseries", "gcstream"].contains { start == Data($0.utf8) }
  }
}
