import Foundation
import GraphCodable
import ParticleModel

/// A process that simulates and appends a snapshot every few steps, from the last one that there is.
///
/// Before each append it writes a line, and after it another one.
struct Run {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() throws {
    let writer = try GraphArchiveSeries.Writer(options.series)
    let simulation =
      try writer.series.last.map { try GraphDecoder().read(Simulation.self, from: $0) } ?? first()
    simulation.threadCount = options.threadCount
    func append() throws {
      let step = simulation.stepCount
      say("append \(step)")
      try GraphEncoder().append(simulation, to: writer, step: step, time: simulation.time)
      say("appended \(step)")
    }
    if writer.series.isEmpty { try append() }
    try simulation.run(steps: options.steps - simulation.stepCount) { simulation in
      let step = simulation.stepCount
      if step % options.interval == 0 || step == options.steps { try append() }
    }
  }

  /// Writes a line at once, for whoever waits for it.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  private func first() throws -> Simulation {
    try Simulation(options.parameters, shares: Simulation.mixture(), threadCount: options.threadCount)
  }
}
