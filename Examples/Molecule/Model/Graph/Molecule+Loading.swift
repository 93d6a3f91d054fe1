import Foundation

extension Molecule {
  /// Reads a molecule from a CHARMM topology and, if given, its trajectory.
  ///
  /// - Parameters:
  ///   - psf: A PSF file.
  ///   - dcd: A DCD file.
  /// - Throws: `MoleculeError` where a file is not what it should be, or the two do not fit together; what
  ///   Foundation throws where a file cannot be read.
  public convenience init(psf: URL, dcd: URL? = nil) throws {
    let topology = try PSFParser.parse(Array(try Data(contentsOf: psf)))
    self.init(topology)
    if let dcd {
      try attach(try DCDParser.parse(Array(try Data(contentsOf: dcd))))
    }
  }

  /// Adds a trajectory of the same number of atoms.
  func attach(_ trajectory: Trajectory) throws {
    guard trajectory.atomCount == atoms.count else {
      throw MoleculeError.mismatch(
        "the trajectory has \(trajectory.atomCount) atoms, but the topology has \(atoms.count)")
    }
    self.trajectory = trajectory
  }

  /// Connects the records of a topology to a graph.
  convenience init(_ topology: PSFTopology) {
    let atoms = topology.atoms.enumerated().map { index, record in
      Atom(
        index: index, name: record.name, type: record.type, charge: record.charge, mass: record.mass)
    }
    let bonds = topology.bonds.map { Bond(atoms[$0[0]], atoms[$0[1]]) }
    for bond in bonds {
      bond.first?.bonds.append(bond)
      bond.second?.bonds.append(bond)
    }
    func dihedrals(_ tuples: [[Int]]) -> [Dihedral] {
      tuples.map { Dihedral(atoms[$0[0]], atoms[$0[1]], atoms[$0[2]], atoms[$0[3]]) }
    }
    self.init(
      titles: topology.titles, segments: Self.makeSegments(topology.atoms, atoms), atoms: atoms,
      bonds: bonds, angles: topology.angles.map { Angle(atoms[$0[0]], atoms[$0[1]], atoms[$0[2]]) },
      dihedrals: dihedrals(topology.dihedrals), impropers: dihedrals(topology.impropers))
  }

  /// Groups atoms that follow each other with the same residue, and residues by the name of their segment.
  private static func makeSegments(_ records: [PSFTopology.AtomRecord], _ atoms: [Atom]) -> [Segment] {
    var segments: [Segment] = []
    var segmentNumbers: [String: Int] = [:]
    var current: (segment: String, residue: Residue)?
    for (record, atom) in zip(records, atoms) {
      let isSame =
        current.map {
          $0.segment == record.segment && $0.residue.number == record.residueNumber
            && $0.residue.name == record.residueName
        } ?? false
      if !isSame {
        let residue = Residue(number: record.residueNumber, name: record.residueName)
        let number = segmentNumbers[record.segment] ?? segments.count
        if number == segments.count {
          segmentNumbers[record.segment] = number
          segments.append(Segment(name: record.segment))
        }
        segments[number].residues.append(residue)
        residue.segment = segments[number]
        current = (record.segment, residue)
      }
      current?.residue.atoms.append(atom)
      atom.residue = current?.residue
    }
    return segments
  }
}
