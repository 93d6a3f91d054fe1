import GraphCodable

/// Reports the progress of a save to rank 0: that it continues, and which ranks it waits for.
///
///     let heartbeat = MPIHeartbeat(every: .seconds(10)) { beat in
///       print("\(beat.writtenCount) of \(beat.partCount) parts written, waiting for \(beat.missingRanks)")
///     }
///
/// It begins when rank 0 has written its own part, whose progress a `Progress` can report.
public struct MPIHeartbeat {
  /// The state of a save.
  public struct Beat: Sendable {
    /// The number of parts that are on the device.
    public let writtenCount: Int
    /// The number of parts of the set.
    public let partCount: Int
    /// The ranks that have not reported yet, in ascending order.
    public let missingRanks: [Int]
    /// The time since rank 0 began to save.
    public let time: Duration
  }

  let interval: Duration
  let report: (Beat) -> Void

  /// Makes a heartbeat.
  ///
  /// - Parameters:
  ///   - interval: the time between two beats; there is another one when all parts are written.
  ///   - report: the function to call, on rank 0, on the thread that saves.
  public init(every interval: Duration = .seconds(10), report: @escaping (Beat) -> Void) {
    (self.interval, self.report) = (interval, report)
  }
}
