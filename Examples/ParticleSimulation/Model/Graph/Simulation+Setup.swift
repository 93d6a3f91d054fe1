import Foundation

extension Simulation {
  /// Makes a simulation of a mixture of argon, krypton and beads on a lattice, moving at random.
  ///
  /// - Throws: `SimulationError` if the parameters make no sense or the box is too small for the cutoffs.
  public convenience init(_ parameters: Parameters) throws {
    try self.init(parameters, shares: Self.mixture(), threadCount: 0)
  }

  /// Makes a simulation of any mixture.
  ///
  /// - Parameters:
  ///   - shares: The species with their shares of all particles, which add up to 1.
  ///   - threadCount: How many cores work on it, 0 for all of them.
  public convenience init(
    _ parameters: Parameters, shares: [(species: Species, share: Double)], threadCount: Int = 0
  ) throws {
    try parameters.check()
    guard (1...255).contains(shares.count), shares.allSatisfy({ $0.share >= 0 }),
      abs(shares.map(\.share).reduce(0, +) - 1) < 1e-9
    else {
      throw SimulationError.invalidParameter("the shares of the species must add up to 1")
    }
    let species = shares.map(\.species)
    let side = parameters.side
    let cutoff = PairTable(species: species).longestCutoff
    let cellsPerSide = Int(min(side / cutoff, 1000))
    guard cellsPerSide >= 3 else {
      throw SimulationError.boxTooSmall(side: side, needed: 3 * cutoff)
    }
    self.init(
      parameters: parameters, side: side, cellsPerSide: cellsPerSide, species: species,
      domains: Self.makeGrid(cellsPerSide: cellsPerSide),
      particles: Self.makeParticles(parameters, shares: shares, side: side))
    self.threadCount = threadCount
    try start()
  }

  /// The mixture of the demonstration: two noble gases of one material, and beads of another.
  public static func mixture() -> [(species: Species, share: Double)] {
    let noble = Material(name: "noble gas", kelvinPerUnit: 119.8, angstromPerUnit: 3.405)
    let polymer = Material(name: "polymer", kelvinPerUnit: 119.8, angstromPerUnit: 3.405)
    return [(Argon(material: noble), 0.6), (Krypton(material: noble), 0.25), (Bead(material: polymer), 0.15)]
  }

  /// Makes the slabs and cells of a periodic grid, and connects each cell with the 26 around it.
  private static func makeGrid(cellsPerSide count: Int) -> [Domain] {
    let layer = count * count
    let cells = (0..<layer * count).map { index in
      Cell(index: index, place: CellTable.place(of: index, cellsPerSide: count))
    }
    for cell in cells {
      cell.neighbours = CellTable.places(around: cell.place, cellsPerSide: count).map { place in
        cells[(place.z * count + place.y) * count + place.x]
      }
    }
    return (0..<count).map { index in
      Domain(index: index, cells: Array(cells[index * layer..<(index + 1) * layer]))
    }
  }

  /// Puts particles on a face-centred cubic lattice, with species and velocities drawn at random.
  private static func makeParticles(
    _ parameters: Parameters, shares: [(species: Species, share: Double)], side: Double
  ) -> Particles {
    var particles = Particles(count: parameters.particleCount)
    var random = RandomNumbers(seed: parameters.seed)
    for (index, site) in latticeSites(parameters.particleCount, side: side).enumerated() {
      particles.positions[index] = site
      particles.species[index] = draw(shares, random.uniform())
    }
    let masses = particles.species.map { shares[Int($0)].species.mass }
    var momentum = SIMD3<Double>.zero
    for (index, mass) in masses.enumerated() {
      let direction = SIMD3(random.normal(), random.normal(), random.normal())
      particles.velocities[index] = direction * (parameters.temperature / mass).squareRoot()
      momentum += mass * particles.velocities[index]
    }
    // The box as a whole stays at rest.
    let drift = momentum / masses.reduce(0, +)
    for index in masses.indices { particles.velocities[index] -= drift }
    return particles
  }

  private static func draw(_ shares: [(species: Species, share: Double)], _ number: Double) -> UInt8 {
    var rest = number
    for (index, entry) in shares.enumerated() {
      rest -= entry.share
      if rest < 0 { return UInt8(index) }
    }
    return UInt8(shares.lastIndex { $0.share > 0 } ?? 0)
  }

  /// The sites of the smallest lattice with at least `count` sites, with the surplus left out evenly.
  private static func latticeSites(_ count: Int, side: Double) -> [SIMD3<Double>] {
    var unitsPerSide = 1
    while 4 * unitsPerSide * unitsPerSide * unitsPerSide < count { unitsPerSide += 1 }
    let siteCount = 4 * unitsPerSide * unitsPerSide * unitsPerSide
    let unit = side / Double(unitsPerSide)
    let corners: [SIMD3<Double>] = [
      [0.25, 0.25, 0.25], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75], [0.25, 0.75, 0.75],
    ]
    var sites: [SIMD3<Double>] = []
    sites.reserveCapacity(count)
    for site in 0..<siteCount where (site + 1) * count / siteCount > site * count / siteCount {
      let place = CellTable.place(of: site / 4, cellsPerSide: unitsPerSide)
      sites.append((SIMD3<Double>(place) + corners[site % 4]) * unit)
    }
    return sites
  }
}
