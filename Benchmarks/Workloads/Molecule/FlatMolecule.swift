import MoleculeBenchmarkModel

/// W8 for coders without identity: every reference as an index, every list of tuples as one list of indices.
///
/// As for W2, the time to turn the molecule into this form and back is *not* counted, in favour of the peers.
struct FlatMolecule: Codable, Equatable {
  struct FlatAtom: Codable, Equatable {
    var name: String
    var type: String
    var charge: Double
    var mass: Double
    var residue: Int
  }

  struct FlatResidue: Codable, Equatable {
    var number: String
    var name: String
    var segment: Int
  }

  struct FlatTrajectory: Codable, Equatable {
    var titles: [String]
    var atomCount: Int
    var frameCount: Int
    var announcedFrameCount: Int
    var firstStep: Int
    var stepsPerFrame: Int
    var timeStep: Double
    var unitCells: [Double]
    var coordinates: [Float]
  }

  var titles: [String]
  var segments: [String]
  var residues: [FlatResidue]
  var atoms: [FlatAtom]
  var bonds: [Int]
  var angles: [Int]
  var dihedrals: [Int]
  var impropers: [Int]
  var trajectory: FlatTrajectory?
}

extension FlatMolecule {
  init(_ molecule: Molecule) {
    titles = molecule.titles
    segments = molecule.segments.map(\.name)
    residues = molecule.segments.enumerated().flatMap { number, segment in
      segment.residues.map { FlatResidue(number: $0.number, name: $0.name, segment: number) }
    }
    var residueNumbers = [Int](repeating: -1, count: molecule.atoms.count)
    for (number, residue) in molecule.residues.enumerated() {
      for atom in residue.atoms { residueNumbers[atom.index] = number }
    }
    atoms = molecule.atoms.map { atom in
      FlatAtom(
        name: atom.name, type: atom.type, charge: atom.charge, mass: atom.mass,
        residue: residueNumbers[atom.index])
    }
    bonds = molecule.bonds.flatMap { [$0.first, $0.second] }.map { $0?.index ?? -1 }
    angles = molecule.angles.flatMap(\.atoms).map(\.index)
    dihedrals = molecule.dihedrals.flatMap(\.atoms).map(\.index)
    impropers = molecule.impropers.flatMap(\.atoms).map(\.index)
    trajectory = molecule.trajectory.map(FlatTrajectory.init)
  }
}

extension FlatMolecule.FlatTrajectory {
  init(_ trajectory: Trajectory) {
    titles = trajectory.titles
    atomCount = trajectory.atomCount
    frameCount = trajectory.frameCount
    announcedFrameCount = trajectory.announcedFrameCount
    firstStep = trajectory.firstStep
    stepsPerFrame = trajectory.stepsPerFrame
    timeStep = trajectory.timeStep
    unitCells = trajectory.unitCells
    coordinates = trajectory.coordinates
  }
}
