import Foundation
import GraphCodable

/// A folder that is a set, or a series of sets or archives, by the names in it.
enum StoredFolder {
  case set, setSeries, series

  /// - Returns: nil for other folders.
  init?(_ url: URL) {
    let manifest = url.appendingPathComponent(SetNames.manifest).path
    // An empty one means that there is no set: see series of sets in object stores.
    let size = try? FileManager.default.attributesOfItem(atPath: manifest)[.size] as? UInt64
    if let size, size > 0 {
      self = .set
      return
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    if names.contains(where: { SetNames.isSet($0) && isFolder(url.appendingPathComponent($0)) }) {
      self = .setSeries
    } else if names.contains(where: Self.isOfSeries), let series = try? GraphArchiveSeries(folder: url),
      !series.isEmpty || !series.damage.isEmpty
    {
      self = .series
    } else {
      return nil
    }
  }

  /// Whether it is a set, or has sets.
  var hasSets: Bool { self != .series }

  /// Whether a file, or a folder, of this name belongs to it, or to a set in it that was not committed.
  func has(_ name: String) -> Bool {
    switch self {
    case .set: name == SetNames.manifest || SetNames.isPart(name)
    case .setSeries: name == SetNames.index || SetNames.isSet(name)
    case .series: Self.isOfSeries(name)
    }
  }

  /// Whether it is the name of a file in a series of archives.
  private static func isOfSeries(_ name: String) -> Bool {
    name == SetNames.index
      || name.hasPrefix("entry-") && name.wholeMatch(of: /entry-[0-9]{12,}\.gcodable/) != nil
  }
}
