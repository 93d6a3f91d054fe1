import GraphCodable

/// Tells rank 0 how far the others are with a save: that it goes on, and whom it waits for.
///
///     let heartbeat = MPIHeartbeat(every: .seconds(10)) { beat in
///       print("\(beat.writtenCount) of \(beat.partCount) parts written, waiting for \(beat.missingRanks)")
///     }
///
/// It begins when rank 0 has written its own part, of which a `Progress` can report.
public struct MPIHeartbeat {
  /// How far a save is.
  public struct Beat: Sendable {
    /// How many parts are on the device.
    public let writtenCount: Int
    /// How many there will be.
    public let partCount: Int
    /// The ranks of which nothing has been heard, in ascending order.
    public let missingRanks: [Int]
    /// The time since rank 0 began to save.
    public let time: Duration
  }

  let interval: Duration
  let report: (Beat) -> Void

  /// Makes a heartbeat.
  ///
  /// - Parameters:
  ///   - interval: the time between two beats, if it takes that long; there is another one when all parts are there.
  ///   - report: is called on rank 0, on the thread that saves.
  public init(every interval: Duration = .seconds(10), report: @escaping (Beat) -> Void) {
    (self.interval, self.report) = (interval, report)
  }
}
