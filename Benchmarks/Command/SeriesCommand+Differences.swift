import ArgumentParser
import Foundation
import GraphCodable
import MoleculeBenchmarkModel

extension SeriesCommand {
  /// Arrays that move a little everywhere, as differences to a key entry and by themselves.
  func measureDifferences(_ folder: ScratchFolder) throws {
    try measureMoving(folder, "1,000,000 particles that move", MovingParticles.states(count: 1_000_000))
    try measureMoving(
      folder, "the same, to 1e-6", MovingParticles.states(count: 1_000_000), precision: .absolute(1e-6))
    guard let data = try? MoleculeFiles.find(in: molecule),
      let trajectory = try Molecule(psf: data.psf, dcd: data.dcd).trajectory
    else { return }
    let count = trajectory.coordinates.count / trajectory.frameCount
    let frames = (0..<trajectory.frameCount).map {
      Array(trajectory.coordinates[($0 * count)..<(($0 + 1) * count)])
    }
    try measureMoving(folder, "the molecule's positions", frames)
    try measureMoving(folder, "the same, to 0.005 angstroms", frames, precision: .absolute(0.005))
  }

  private func measureMoving<State: GCodable & Equatable>(
    _ folder: ScratchFolder, _ title: String, _ states: [State], precision: GPrecision? = nil
  ) throws {
    let files = Files(folder: folder, name: "moving")
    defer { files.remove() }
    let encoder = GraphEncoder()
    encoder.precision = precision
    let ways: [Way] = [.differences, .shared]
    var times: [Way: [Duration]] = [:]
    var series: [Way: GraphArchiveSeries] = [:]
    for way in ways {
      let writer = try files.writer(way)
      for (step, state) in states.enumerated() {
        times[way, default: []].append(
          try time { try encoder.append(state, to: writer, step: step, time: 0) })
      }
      series[way] = writer.series
    }
    guard let differences = series[.differences], let blocks = series[.shared] else { return }
    print("\(title): \(states.count) entries, every tenth a key entry")
    print(
      "  series \(differences.byteCount) bytes; without differences \(blocks.byteCount): "
        + threeDigits(Double(differences.byteCount) / Double(blocks.byteCount)))
    let append = ways.map { median(times[$0, default: []]) }
    print("  append        \(milliseconds(append[0])); without differences \(milliseconds(append[1]))")
    let last = min(states.count, 9) - 1
    let reading = try [differences, blocks].map { series in
      let entry = series[last]
      let read = { _ = try GraphDecoder().read(State.self, from: entry) }
      return median(try (0..<7).map { _ in try time(read) })
    }
    guard try differences[last].archive() == blocks[last].archive() else { throw ExitCode.failure }
    print("  read an entry \(milliseconds(reading[0])); without differences \(milliseconds(reading[1]))")
  }
}

/// Particles that move with constant velocities in a box, and are turned back at its walls.
private enum MovingParticles {
  static func states(count: Int) -> [[SIMD3<Double>]] {
    var random = SplitMix64(seed: 23)
    func number() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    var positions = (0..<count).map { _ in SIMD3(number(), number(), number()) }
    var velocities = (0..<count).map { _ in SIMD3(number(), number(), number()) * 2 - 1 }
    return (0..<20).map { _ in
      for index in positions.indices {
        positions[index] += velocities[index] * 1e-4
        velocities[index].replace(
          with: -velocities[index], where: positions[index] .< 0 .| positions[index] .> 1)
      }
      return positions
    }
  }
}
