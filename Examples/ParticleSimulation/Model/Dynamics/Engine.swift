/// Moves the particles of a simulation: what can be worked out from the state and so is not part of it.
final class Engine {
  private let workers: Workers
  private let pairs: PairTable
  private let cells: CellTable
  private let side: Double
  private let timeStep: Double
  private var sorter: CellSorter
  private(set) var potentialEnergies: [Double]
  private(set) var kineticEnergies: [Double]

  /// How many particles one piece of work drifts.
  private static let driftPieceCount = 8192

  /// Makes an engine for the state of `simulation`, and checks that state.
  ///
  /// - Throws: `SimulationError.invalidState` if the state contradicts itself, so that no loop over plain
  ///   memory can leave it.
  init(_ simulation: Simulation, workers: Workers) throws {
    self.workers = workers
    pairs = PairTable(species: simulation.species)
    cells = try CellTable(simulation)
    side = simulation.side
    timeStep = simulation.parameters.timeStep
    let particles = simulation.particles
    guard (1...255).contains(pairs.speciesCount), (1...Int(Int32.max)).contains(particles.count),
      particles.isConsistent, particles.species.allSatisfy({ $0 < simulation.species.count })
    else {
      throw SimulationError.invalidState("the arrays of the particles do not fit together")
    }
    guard side.isFinite, pairs.longestCutoff <= side / Double(cells.cellsPerSide) else {
      throw SimulationError.invalidState("the cells are narrower than the longest cutoff")
    }
    sorter = CellSorter(
      groupCount: cells.cellCount * pairs.speciesCount, particleCount: particles.count)
    potentialEnergies = Array(repeating: 0, count: cells.cellCount)
    kineticEnergies = Array(repeating: 0, count: cells.cellCount)
  }

  /// The particles of the cell with number `index`.
  func particleRange(ofCell index: Int) -> Range<Int> {
    let starts = sorter.groupStarts
    return Int(starts[index * pairs.speciesCount])..<Int(starts[(index + 1) * pairs.speciesCount])
  }

  /// Puts particles that lie anywhere in the box into the order of their cells.
  ///
  /// - Returns: Whether they all lie in the box.
  func sort(_ particles: inout Particles) -> Bool {
    drift(&particles, by: nil)
    guard sorter.findOrder() else { return false }
    sorter.sort(&particles, workers: workers)
    return true
  }

  /// Finds the cells of particles that should be in order already, and says whether they are.
  func findCells(_ particles: inout Particles) -> Bool {
    drift(&particles, by: nil)
    return sorter.findOrder() && sorter.isSorted
  }

  /// Gives the velocities half a kick, moves the particles, and sorts them anew.
  ///
  /// - Returns: Whether all particles are still in the box or one period beside it.
  func kickAndDrift(_ particles: inout Particles) -> Bool {
    drift(&particles, by: timeStep)
    guard sorter.findOrder() else { return false }
    sorter.sort(&particles, workers: workers)
    return true
  }

  /// Finds the group of each particle, after half a kick and a drift if there is a time step.
  private func drift(_ particles: inout Particles, by timeStep: Double?) {
    let count = particles.count
    let pieceCount = (count + Self.driftPieceCount - 1) / Self.driftPieceCount
    particles.withPointers { particles in
      sorter.groups.withUnsafeMutableBufferPointer { groups in
        pairs.masses.withUnsafeBufferPointer { masses in
          let loop = DriftLoop(
            particles: particles, groups: groups.baseAddress!, masses: masses.baseAddress!,
            speciesCount: pairs.speciesCount, cellsPerSide: cells.cellsPerSide, side: side,
            timeStep: timeStep)
          workers.run(pieceCount) { piece in
            let first = piece * Self.driftPieceCount
            loop.run(first..<min(first + Self.driftPieceCount, count))
          }
        }
      }
    }
  }

  /// Computes all forces and the energies of all cells.
  ///
  /// - Parameters:
  ///   - finishingStep: Whether the velocities get the second half of their kick.
  func computeForces(_ particles: inout Particles, finishingStep: Bool) {
    let rowLength = cells.cellsPerSide
    let rowCount = cells.cellCount / rowLength
    particles.withPointers { pointers in
      withKernel(pointers, halfStep: finishingStep ? timeStep / 2 : nil) { kernel in
        workers.run(rowCount) { row in
          kernel.run(cells: row * rowLength..<(row + 1) * rowLength)
        }
      }
    }
  }

  private func withKernel(
    _ particles: ParticlePointers, halfStep: Double?, _ body: (ForceKernel) -> Void
  ) {
    sorter.groupStarts.withUnsafeBufferPointer { groupStarts in
      cells.neighbours.withUnsafeBufferPointer { neighbours in
        cells.shiftNumbers.withUnsafeBufferPointer { shiftNumbers in
          cells.shifts.withUnsafeBufferPointer { shifts in
            pairs.interactions.withUnsafeBufferPointer { interactions in
              pairs.masses.withUnsafeBufferPointer { masses in
                potentialEnergies.withUnsafeMutableBufferPointer { potential in
                  kineticEnergies.withUnsafeMutableBufferPointer { kinetic in
                    body(
                      ForceKernel(
                        particles: particles, groupStarts: groupStarts.baseAddress!,
                        neighbours: neighbours.baseAddress!, shiftNumbers: shiftNumbers.baseAddress!,
                        shifts: shifts.baseAddress!, interactions: interactions.baseAddress!,
                        masses: masses.baseAddress!, potentialEnergies: potential.baseAddress!,
                        kineticEnergies: kinetic.baseAddress!, speciesCount: pairs.speciesCount,
                        halfStep: halfStep))
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
