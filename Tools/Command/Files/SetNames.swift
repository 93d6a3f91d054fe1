import Foundation

/// The names of the files of sets, and of the folders of series of sets: see `Documentation/Format.md`.
enum SetNames {
  static let manifest = "set.gcodable"
  static let index = "index.gcodable"

  /// Whether a file of this name is a part of a set, or would be if its set had been committed.
  static func isPart(_ name: String) -> Bool {
    name.wholeMatch(of: /part-[0-9]{5,}-of-[0-9]{5,}\.[a-z0-9-]+\.gcodable/) != nil
  }

  /// Whether a folder of this name is that of a set, in a series.
  static func isSet(_ name: String) -> Bool {
    // Most names in most folders are others.
    name.hasPrefix("set-") && name.wholeMatch(of: /set-[0-9]{12,}/) != nil
  }
}

/// A folder that is a set, or a series of sets, by the names in it.
enum SetFolder {
  case set, setSeries

  /// - Returns: nil for other folders.
  init?(_ url: URL) {
    let manifest = url.appendingPathComponent(SetNames.manifest).path
    // One without bytes says that there is no set: see series of sets in object stores.
    let size = try? FileManager.default.attributesOfItem(atPath: manifest)[.size] as? UInt64
    if let size, size > 0 {
      self = .set
    } else if let names = try? FileManager.default.contentsOfDirectory(atPath: url.path),
      names.contains(where: { SetNames.isSet($0) && isFolder(url.appendingPathComponent($0)) })
    {
      self = .setSeries
    } else {
      return nil
    }
  }

  /// Whether a file, or a folder, of this name belongs to it, or to a set in it that was not committed.
  func has(_ name: String) -> Bool {
    switch self {
    case .set: name == SetNames.manifest || SetNames.isPart(name)
    case .setSeries: name == SetNames.index || SetNames.isSet(name)
    }
  }
}
