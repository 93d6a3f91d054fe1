import GraphCodable
import MoleculeBenchmarkModel

/// The frames of a molecule's trajectory, stored to a precision on one thread.
struct TrajectoryCases {
  let workload: String
  /// Coordinates frame by frame; in a frame all x, then all y, then all z.
  let coordinates: () throws -> (frameCount: Int, values: [Float])

  var cases: [MeasuredCase] {
    [
      coding(.trajectoryFine, .lz4, 0.005), coding(.trajectoryFineThorough, .lz4hc(level: 9), 0.005),
      coding(.trajectoryFineSmall, .small, 0.005),
      coding(.trajectoryCoarse, .lz4, 0.05), coding(.trajectoryCoarseSmall, .small, 0.05),
      coding(.trajectoryFrame, .lz4, 0.005, frameCount: 1),
      coding(.trajectoryFrameThorough, .lz4hc(level: 9), 0.005, frameCount: 1),
      coding(.trajectoryFrameSmall, .small, 0.005, frameCount: 1),
      coding(.trajectoryFrameCoarseSmall, .small, 0.05, frameCount: 1),
    ].flatMap(\.self)
  }

  private struct Trajectory: GCodable {
    var frames: [[SIMD3<Float>]]
    let precision: GPrecision?

    init(_ frames: [[SIMD3<Float>]], _ precision: GPrecision) {
      (self.frames, self.precision) = (frames, precision)
    }

    func encode(to encoder: GEncoder) throws { try encoder.encode(frames, precision: precision) }

    init(from decoder: GDecoder) throws { (frames, precision) = (try decoder.decode(), nil) }
  }

  private func frames(_ wanted: Int?) throws -> [[SIMD3<Float>]] {
    let (frameCount, values) = try coordinates()
    let atomCount = values.count / 3 / frameCount
    return (0..<(wanted ?? frameCount)).map { frame in
      let start = frame * atomCount * 3
      return (start..<(start + atomCount)).map { place in
        SIMD3(values[place], values[place + atomCount], values[place + 2 * atomCount])
      }
    }
  }

  private func coding(
    _ subject: Subject, _ compression: GraphEncoder.Compression, _ error: Double, frameCount: Int? = nil
  ) -> [MeasuredCase] {
    let encoder = GraphEncoder()
    (encoder.compression, encoder.threadCount) = (compression, 1)
    let decoder = GraphDecoder()
    decoder.threadCount = 1
    func trajectory() throws -> Trajectory { Trajectory(try frames(frameCount), .absolute(error)) }
    func check(_ model: Trajectory, _ decoded: Trajectory) throws {
      for (old, new) in zip(model.frames.joined(), decoded.frames.joined()) {
        try require((old - new).max() <= Float(error) && (new - old).max() <= Float(error))
      }
    }
    return [
      MeasuredCase(
        CaseLabel(workload: workload, operation: .encode, subject: subject), prepare: trajectory
      ) {
        try encoder.encode($0) as [UInt8]
      } check: { model, bytes in
        try check(model, decoder.decode(Trajectory.self, from: bytes))
        return bytes.count
      },
      MeasuredCase(CaseLabel(workload: workload, operation: .decode, subject: subject)) {
        try encoder.encode(trajectory()) as [UInt8]
      } work: {
        try decoder.decode(Trajectory.self, from: $0)
      } check: { bytes, decoded in
        try check(trajectory(), decoded)
        return bytes.count
      },
    ]
  }
}
