// What the programs print.

import Foundation

/// Prints what a simulation consists of.
package func describe(_ simulation: Simulation) {
  let counts = simulation.species.indices.map { index in
    simulation.particles.species.lazy.filter { Int($0) == index }.count
  }
  let shares = zip(simulation.species, counts).map { "\(grouped($0.1)) \($0.0.name)" }
  let cells = simulation.domains.flatMap(\.cells)
  let references = cells.reduce(0) { $0 + $1.neighbours.count }
  print("Particles    \(grouped(simulation.particles.count)): \(shares.joined(separator: ", "))")
  print("Box          \(decimal(simulation.side, 3)) wide, time step \(simulation.parameters.timeStep)")
  print(
    "Graph        \(simulation.domains.count) slabs, \(grouped(cells.count)) cells, "
      + "\(grouped(references)) references between neighbours")
}

/// The temperature and how well the energy is conserved, in a few words.
package func state(_ simulation: Simulation) -> String {
  let drift = String(format: "%.1e", simulation.energies.relativeDrift)
  return "\(decimal(simulation.kelvin, 1)) K, energy drift \(drift)"
}

/// What `body` returns, and how long it took.
package func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try body()
  return (result, clock.now - start)
}

package func decimal(_ number: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", number)
}

package func seconds(_ duration: Duration) -> String {
  "\(decimal(duration / .seconds(1), 3)) s"
}

package func megabytes(_ byteCount: Int) -> String {
  "\(decimal(Double(byteCount) / 1e6, 2)) MB"
}

package func rate(_ byteCount: Int, _ duration: Duration) -> String {
  "\(decimal(Double(byteCount) / 1e6 / (duration / .seconds(1)), 0)) MB/s"
}

package func hexadecimal(_ number: UInt64) -> String {
  String(format: "%016llx", number)
}

package func grouped(_ number: Int) -> String {
  var digits = String(number)
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return ([digits] + groups).joined(separator: ",")
}
