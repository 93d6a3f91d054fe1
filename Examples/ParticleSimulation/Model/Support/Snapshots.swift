import Foundation
import GraphCodable

/// A series in a folder: an archive for each entry, which is the whole state of a simulation after some step.
public final class Snapshots {
  /// How many of the latest snapshots stay, 0 for all of them.
  public let keepCount: Int

  private let writer: GraphArchiveSeries.Writer

  /// Opens the series in `folder`, or creates both.
  ///
  /// Nobody else can save there meanwhile.
  public init(folder: URL, keepCount: Int = 0) throws {
    self.keepCount = keepCount
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    writer = try GraphArchiveSeries.Writer(folder: folder)
  }

  /// The snapshots in the order in which they were saved.
  public var series: GraphArchiveSeries { writer.series }

  /// Saves the state, and removes the oldest snapshots beyond `keepCount`.
  ///
  /// - Returns: Where it was saved, how large it is and how long it took.
  @discardableResult
  public func save(_ simulation: Simulation) throws -> StoredSnapshot {
    let duration = try ContinuousClock().measure {
      try GraphEncoder().append(
        simulation, to: writer, step: simulation.stepCount, time: simulation.time)
    }
    if keepCount > 0 { try writer.retain(last: keepCount) }
    guard let entry = series.last, let url = entry.url else {
      throw SimulationError.invalidState("the snapshot is not in its series")
    }
    return StoredSnapshot(url: url, byteCount: Int(entry.byteCount), duration: duration)
  }

  /// Removes all snapshots of an earlier run.
  public func removeAll() throws {
    try writer.retain(last: 0)
  }

  /// The latest snapshot in a folder.
  public static func latest(in folder: URL) throws -> URL? {
    try GraphArchiveSeries(folder: folder).last?.url
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
