extension Molecule {
  /// The sum of the masses in daltons.
  public var mass: Double {
    atoms.reduce(0) { $0 + $1.mass }
  }

  /// The sum of the partial charges in elementary charges.
  public var charge: Double {
    atoms.reduce(0) { $0 + $1.charge }
  }

  /// How far the atoms are from their common centre of mass in one frame, in ångström.
  ///
  /// - Returns: The radius of gyration, or `nil` without a trajectory or a mass.
  public func radiusOfGyration(inFrame frame: Int) -> Double? {
    guard let trajectory, (0..<trajectory.frameCount).contains(frame), mass > 0 else { return nil }
    let positions = atoms.indices.map { SIMD3<Double>(trajectory.position(ofAtom: $0, inFrame: frame)) }
    var centre = SIMD3<Double>.zero
    for (atom, position) in zip(atoms, positions) { centre += atom.mass * position }
    centre /= mass
    var sum = 0.0
    for (atom, position) in zip(atoms, positions) {
      let offset = position - centre
      sum += atom.mass * (offset * offset).sum()
    }
    return (sum / mass).squareRoot()
  }
}
