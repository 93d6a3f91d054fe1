import GraphCodable

/// A molecule with the connections of its atoms and, if there is one, its trajectory: the root of the graph.
///
/// Every atom is reached in many ways: by the list of all atoms, by its residue, by its bonds, angles and
/// dihedrals. After decoding all of them still lead to one object.
///
///     let molecule = try Molecule(psf: topologyURL, dcd: trajectoryURL)
///     let bytes = try GraphEncoder().encode(molecule) as Bytes
///     let same = try GraphDecoder().decode(Molecule.self, from: bytes)
///     same.bonds[0].first === same.segments[0].residues[0].atoms[0]  // true
public final class Molecule: GCodable {
  /// The titles of the file.
  public let titles: [String]
  /// The chains, which own everything below them.
  public let segments: [Segment]
  /// All atoms in the order of the file.
  public let atoms: [Atom]
  /// All bonds in the order of the file.
  public let bonds: [Bond]
  /// The angles between bonds.
  public let angles: [Angle]
  /// The torsions around bonds.
  public let dihedrals: [Dihedral]
  /// The angles that keep flat groups flat.
  public let impropers: [Dihedral]
  /// Where the atoms are.
  public internal(set) var trajectory: Trajectory?

  init(
    titles: [String], segments: [Segment], atoms: [Atom], bonds: [Bond], angles: [Angle],
    dihedrals: [Dihedral], impropers: [Dihedral]
  ) {
    self.titles = titles
    self.segments = segments
    self.atoms = atoms
    self.bonds = bonds
    self.angles = angles
    self.dihedrals = dihedrals
    self.impropers = impropers
  }

  /// All residues of all segments.
  public var residues: [Residue] { segments.flatMap(\.residues) }

  private enum Key: String {
    case titles, segments, atoms, bonds, angles, dihedrals, impropers, trajectory
  }

  /// Reads a molecule from an archive.
  public init(from decoder: GDecoder) throws {
    titles = try decoder.decode(for: Key.titles)
    segments = try decoder.decode(for: Key.segments)
    atoms = try decoder.decode(for: Key.atoms)
    bonds = try decoder.decode(for: Key.bonds)
    angles = try decoder.decode(for: Key.angles)
    dihedrals = try decoder.decode(for: Key.dihedrals)
    impropers = try decoder.decode(for: Key.impropers)
    trajectory = try decoder.decodeIfPresent(for: Key.trajectory)
  }

  /// Writes the molecule into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(titles, for: Key.titles)
    try encoder.encode(segments, for: Key.segments)
    try encoder.encode(atoms, for: Key.atoms)
    try encoder.encode(bonds, for: Key.bonds)
    try encoder.encode(angles, for: Key.angles)
    try encoder.encode(dihedrals, for: Key.dihedrals)
    try encoder.encode(impropers, for: Key.impropers)
    try encoder.encodeIfPresent(trajectory, for: Key.trajectory)
  }
}
