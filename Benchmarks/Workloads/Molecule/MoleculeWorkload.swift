import MoleculeBenchmarkModel

/// W8: a real molecule with cycles everywhere, and its trajectory as one large array.
///
/// The model and the readers are those of `Examples/Molecule`.
struct MoleculeWorkload: Workload {
  let id = "W8"
  let unit = "part"
  let remark = "peers get indices for references, made beforehand: they cannot keep shared objects or cycles"
  private let options: WorkloadOptions
  private let fixture: GraphFixture<Molecule>
  private let parts: Parts

  /// How many of each kind the molecule has.
  private final class Parts {
    var atoms = 0
    var tuples = 0
    var groups = 0
    var frames = 0
  }

  init(_ options: WorkloadOptions) {
    self.options = options
    let parts = Parts()
    self.parts = parts
    fixture = GraphFixture {
      let files = try MoleculeFiles.find(in: options.dataFolder)
      let molecule = try Molecule(psf: files.psf, dcd: files.dcd)
      parts.atoms = molecule.atoms.count
      parts.tuples =
        molecule.bonds.count + molecule.angles.count + molecule.dihedrals.count + molecule.impropers.count
      parts.groups = molecule.residues.count + molecule.segments.count
      parts.frames = molecule.trajectory?.frameCount ?? 0
      return molecule
    }
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

  func cases() -> [MeasuredCase] {
    let library = GraphCodableCases(
      workload: id, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Self.isSame)
    let limits = Limits(
      workload: id, bytes: { try fixture.archive(.none) }, scratchFolder: options.scratchFolder)
    let peers = FoundationCases(workload: id) { FlatMolecule(try fixture.model()) }
    return library.cases + peers.cases + limits.cases
  }

  private static func isSame(_ molecule: Molecule, _ other: Molecule) -> Bool {
    other.differences(from: molecule).isEmpty && other.brokenIdentities().isEmpty
  }
}
