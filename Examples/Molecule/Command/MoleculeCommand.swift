import ArgumentParser
import Foundation
import GraphCodable
import MoleculeModel

/// Reads a protein and its trajectory, stores them, loads them, and shows that nothing was lost.
@main
struct MoleculeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "molecule",
    abstract: "Stores a protein as an object graph, loads it, and checks identity and equality.",
    discussion: """
      The input is adenylate kinase on its way from closed to open: adk.psf and adk_dims.dcd. `make data` in the \
      root of the project fetches them. Without --data they are looked for in ./data and ../shared/data.
      """)

  @Option(help: "The folder that has adk.psf and adk_dims.dcd.", completion: .directory)
  var data: String?

  @Option(name: .shortAndLong, help: "Where to save the archive (default: in the temporary folder).")
  var output: String?

  func run() throws {
    let files = try MoleculeFiles.find(in: data)
    let (molecule, parsing) = try timed { try Molecule(psf: files.psf, dcd: files.dcd) }
    describe(molecule, files: files, parsing: parsing)

    let url =
      output.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("molecule.gcodable")
    let (_, saving) = try timed { try GraphEncoder().write(molecule, to: url) }
    let (loaded, loading) = try timed { try GraphDecoder().read(Molecule.self, from: url) }
    try printSizes(molecule, files: files, archive: url, saving: saving, loading: loading)
    try check(loaded, against: molecule)
  }

  private func describe(_ molecule: Molecule, files: MoleculeFiles, parsing: Duration) {
    print("Read         \(files.psf.path) and \(files.dcd.lastPathComponent) in \(seconds(parsing))")
    print(
      "Molecule     \(molecule.atoms.count) atoms in \(molecule.residues.count) residues in "
        + "\(molecule.segments.count) segment(s), \(decimal(molecule.mass, 1)) Da, charge \(decimal(molecule.charge, 2))"
    )
    print(
      "Connections  \(molecule.bonds.count) bonds, \(molecule.angles.count) angles, "
        + "\(molecule.dihedrals.count) dihedrals, \(molecule.impropers.count) impropers")
    guard let trajectory = molecule.trajectory else { return }
    print(
      "Trajectory   \(trajectory.frameCount) frames (the header announces \(trajectory.announcedFrameCount)), "
        + "\(trajectory.coordinates.count) coordinates")
    if let first = molecule.radiusOfGyration(inFrame: 0),
      let last = molecule.radiusOfGyration(inFrame: trajectory.frameCount - 1)
    {
      print("Motion       radius of gyration from \(decimal(first, 2)) Å to \(decimal(last, 2)) Å")
    }
  }

  private func printSizes(
    _ molecule: Molecule, files: MoleculeFiles, archive: URL, saving: Duration, loading: Duration
  ) throws {
    let encoder = GraphEncoder()
    encoder.compression = .none
    let raw = (try encoder.encode(molecule) as Bytes).count
    let stored = try byteCount(archive)
    let sources = try byteCount(files.psf) + byteCount(files.dcd)
    let ratio = Double(raw) / Double(max(stored, 1))
    print("Saved        \(archive.path) in \(seconds(saving)), loaded in \(seconds(loading))")
    print(
      "Sizes        source files \(megabytes(sources)), graph uncompressed \(megabytes(raw)), "
        + "stored \(megabytes(stored)), ratio \(decimal(ratio, 2))")
  }

  /// Prints what was compared, and fails if anything is not as before.
  private func check(_ loaded: Molecule, against molecule: Molecule) throws {
    let broken = loaded.brokenIdentities()
    let differences = loaded.differences(from: molecule)
    if let bond = loaded.bonds.first, let atom = bond.first, let residue = atom.residue,
      let same = residue.atoms.first(where: { $0.index == atom.index })
    {
      print(
        "Example      \(atom.name) of \(residue.name) \(residue.number): the atom of the first bond and that of "
          + "its residue are \(atom === same ? "one object" : "TWO OBJECTS")")
    }
    print(
      "Identity     \(broken.isEmpty ? "every way to an atom leads to one object" : "BROKEN \(broken.joined(separator: ", "))")"
    )
    print(
      "Equality     \(differences.isEmpty ? "all parts are the same bit for bit" : "DIFFERENT \(differences.joined(separator: ", "))")"
    )
    guard broken.isEmpty, differences.isEmpty else { throw ExitCode.failure }
  }
}

private func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try body()
  return (result, clock.now - start)
}

private func byteCount(_ url: URL) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
  return (attributes[.size] as? NSNumber)?.intValue ?? 0
}

private func decimal(_ number: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", number)
}

private func seconds(_ duration: Duration) -> String {
  "\(decimal(duration / .seconds(1), 3)) s"
}

private func megabytes(_ byteCount: Int) -> String {
  "\(decimal(Double(byteCount) / 1e6, 2)) MB"
}
