extension Simulation {
  /// The names of all parts whose bits differ from those of `other`, empty if the two are the same.
  ///
  /// Numbers are compared by their bits, so that −0.0 is not 0.0 and a NaN is itself.
  public func differences(from other: Simulation) -> [String] {
    let mine = bitPatterns
    let theirs = other.bitPatterns
    var names = zip(mine, theirs).filter { $0.0.bits != $0.1.bits }.map(\.0.name)
    if !species.elementsEqual(other.species, by: { type(of: $0) == type(of: $1) && $0.name == $1.name }) {
      names.append("species")
    }
    if parameters != other.parameters { names.append("parameters") }
    return names
  }

  /// A number that depends on each bit of the state and on its place.
  public var fingerprint: UInt64 {
    var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in bitPatterns {
      for bits in part.bits {
        fingerprint = (fingerprint ^ bits) &* 0x9E37_79B9_7F4A_7C15
        fingerprint ^= fingerprint >> 29
      }
    }
    return fingerprint
  }

  /// Everything that changes from step to step, as bits.
  private var bitPatterns: [(name: String, bits: [UInt64])] {
    func bits(_ numbers: [Double]) -> [UInt64] { numbers.map(\.bitPattern) }
    func parts(_ name: String, _ vectors: Vectors) -> [(name: String, bits: [UInt64])] {
      [("\(name).x", bits(vectors.x)), ("\(name).y", bits(vectors.y)), ("\(name).z", bits(vectors.z))]
    }
    return parts("positions", particles.positions) + parts("velocities", particles.velocities)
      + parts("forces", particles.forces) + [
        ("species numbers", particles.species.map { UInt64($0) }),
        ("identifiers", particles.identifiers.map { UInt64(bitPattern: Int64($0)) }),
        ("kinetic energies", bits(energies.kinetic)),
        ("potential energies", bits(energies.potential)),
        ("slab energies", bits(domains.flatMap { [$0.kineticEnergy, $0.potentialEnergy] })),
        ("step count", [UInt64(stepCount)]),
        ("box", [side.bitPattern, UInt64(cellsPerSide)]),
      ]
  }
}
