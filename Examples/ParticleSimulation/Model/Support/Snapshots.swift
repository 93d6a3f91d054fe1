import Foundation
import GraphCodable

/// A folder of archives, each the whole state of a simulation after some step.
public struct Snapshots {
  /// The folder, which is made when the first snapshot is saved.
  public let folder: URL
  /// How many of the latest snapshots stay, 0 for all of them.
  public let keepCount: Int

  /// Makes a series of snapshots in `folder`.
  public init(folder: URL, keepCount: Int = 0) {
    self.folder = folder
    self.keepCount = keepCount
  }

  /// Saves the state, and removes the oldest snapshots beyond `keepCount`.
  ///
  /// - Returns: Where it was saved, how large it is and how long it took.
  @discardableResult
  public func save(_ simulation: Simulation) throws -> StoredSnapshot {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stored = try Self.save(simulation, to: url(step: simulation.stepCount))
    if keepCount > 0 {
      for old in try all().dropLast(keepCount) { try FileManager.default.removeItem(at: old) }
    }
    return stored
  }

  /// Saves the state in a file.
  public static func save(_ simulation: Simulation, to url: URL) throws -> StoredSnapshot {
    let duration = try ContinuousClock().measure {
      try GraphEncoder().write(simulation, to: url)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    let byteCount = (attributes[.size] as? NSNumber)?.intValue ?? 0
    return StoredSnapshot(url: url, byteCount: byteCount, duration: duration)
  }

  /// Loads and checks a state.
  ///
  /// - Throws: What the decoder throws if the archive is damaged, or `SimulationError.invalidState` if it is sound
  ///   but holds a state that contradicts itself.
  public static func load(_ url: URL) throws -> Simulation {
    let simulation = try GraphDecoder().read(Simulation.self, from: url)
    try simulation.prepare()
    return simulation
  }

  /// The snapshots in the folder in the order of their steps.
  public func all() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("snapshot-") && $0.pathExtension == "gcodable" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The snapshot with the most steps.
  public func latest() throws -> URL? {
    try all().last
  }

  /// Removes all snapshots of an earlier run.
  public func removeAll() throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    for old in try all() { try FileManager.default.removeItem(at: old) }
  }

  private func url(step: Int) -> URL {
    let digits = String(step)
    let padding = String(repeating: "0", count: max(0, 8 - digits.count))
    return folder.appendingPathComponent("snapshot-\(padding)\(digits).gcodable")
  }
}

/// What saving a snapshot came to.
public struct StoredSnapshot: Sendable {
  /// The file.
  public let url: URL
  /// The size of the file.
  public let byteCount: Int
  /// How long encoding, compressing and writing took together.
  public let duration: Duration
}
