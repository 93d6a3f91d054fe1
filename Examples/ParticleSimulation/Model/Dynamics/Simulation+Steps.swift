extension Simulation {
  /// Makes `count` steps of the velocity-Verlet method.
  ///
  /// - Parameters:
  ///   - afterEach: Called after each step.
  /// - Throws: `SimulationError.unstable` if a particle leaves the box by more than its length, after which the
  ///   state is of no use; `SimulationError.invalidState` if a loaded state contradicts itself; and
  ///   whatever `afterEach` throws.
  public func run(steps count: Int, afterEach: (Simulation) throws -> Void = { _ in }) throws {
    for _ in 0..<max(count, 0) {
      try step()
      try afterEach(self)
    }
  }

  /// Makes one step.
  public func step() throws {
    let engine = try readyEngine()
    guard engine.kickAndDrift(&particles) else {
      throw SimulationError.unstable(step: stepCount + 1)
    }
    engine.computeForces(&particles, finishingStep: true)
    stepCount += 1
    recordEnergies(engine)
  }

  /// Checks the state and prepares the first step, which would do it too.
  ///
  /// Call it after loading to learn early whether the state is sound.
  ///
  /// - Throws: `SimulationError.invalidState` if the state contradicts itself.
  public func prepare() throws {
    _ = try readyEngine()
  }

  /// Sorts a first state into cells and computes its forces.
  func start() throws {
    let engine = try Engine(self, workers: Workers(count: threadCount))
    guard engine.sort(&particles) else {
      throw SimulationError.invalidState("a particle is outside of the box")
    }
    engine.computeForces(&particles, finishingStep: false)
    self.engine = engine
    recordEnergies(engine)
  }

  private func readyEngine() throws -> Engine {
    if let engine { return engine }
    let engine = try Engine(self, workers: Workers(count: threadCount))
    guard engine.findCells(&particles) else {
      throw SimulationError.invalidState("the particles are not in the order of their cells")
    }
    self.engine = engine
    return engine
  }

  /// Adds up the energies of the cells in a fixed order.
  private func recordEnergies(_ engine: Engine) {
    let layer = cellsPerSide * cellsPerSide
    for domain in domains {
      let cells = domain.index * layer..<(domain.index + 1) * layer
      domain.potentialEnergy = engine.potentialEnergies[cells].reduce(0, +)
      domain.kineticEnergy = engine.kineticEnergies[cells].reduce(0, +)
    }
    energies.append(
      kinetic: domains.reduce(0) { $0 + $1.kineticEnergy },
      potential: domains.reduce(0) { $0 + $1.potentialEnergy })
  }
}
