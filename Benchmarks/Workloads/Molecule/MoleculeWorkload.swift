import MoleculeBenchmarkModel

/// W8: a real molecule with cycles everywhere, and its trajectory as one large array.
///
/// The model and the readers are those of `Examples/Molecule`.
struct MoleculeWorkload: GraphWorkload {
  static let id = "W8"
  static let subject = "a molecule"
  /// A real molecule has one size.
  static let sizes = [1.0]
  let unit = "part"
  let remark = "peers get indices for references, made beforehand: they cannot keep shared objects or cycles"
  let options: WorkloadOptions
  private let parts = Parts()

  /// How many of each kind the molecule has.
  private final class Parts {
    var atoms = 0
    var tuples = 0
    var groups = 0
    var frames = 0
  }

  init(_ options: WorkloadOptions) {
    self.options = options
  }

  var title: String {
    "adenylate kinase: \(grouped(parts.atoms)) atoms, \(grouped(parts.tuples)) bonds, angles and dihedrals, "
      + "\(parts.groups) residues and segments, \(parts.frames) frames"
  }

  var unitCount: Int { parts.atoms + parts.tuples + parts.groups }

  var obstacle: String? {
    do {
      _ = try MoleculeFiles.find(in: options.dataFolder)
      return nil
    } catch {
      return "\(error)"
    }
  }

  func generate() throws -> Molecule {
    let files = try MoleculeFiles.find(in: options.dataFolder)
    let molecule = try Molecule(psf: files.psf, dcd: files.dcd)
    parts.atoms = molecule.atoms.count
    parts.tuples =
      molecule.bonds.count + molecule.angles.count + molecule.dihedrals.count + molecule.impropers.count
    parts.groups = molecule.residues.count + molecule.segments.count
    parts.frames = molecule.trajectory?.frameCount ?? 0
    return molecule
  }

  static func isSame(_ model: Molecule, _ decoded: Molecule) -> Bool {
    decoded.differences(from: model).isEmpty && decoded.brokenIdentities().isEmpty
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    let peers = FoundationCases(workload: name) { FlatMolecule(try fixture.model()) }
    let trajectory = TrajectoryCases(workload: name) {
      guard let trajectory = try fixture.model().trajectory else { return (1, []) }
      return (trajectory.frameCount, trajectory.coordinates)
    }
    return graphCases(fixture) + trajectory.cases + peers.cases
  }
}
