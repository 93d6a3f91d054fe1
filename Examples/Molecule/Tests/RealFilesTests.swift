import Foundation
import GraphCodable
import Testing

@testable import MoleculeModel

/// Adenylate kinase: skipped where the files have not been fetched.
@Suite(.enabled(if: realFiles != nil, "adk.psf and adk_dims.dcd are not there: `make data` fetches them"))
struct RealFilesTests {
  @Test func adenylateKinaseIsReadAndComesBackFromAFile() throws {
    let files = try #require(realFiles)
    let molecule = try Molecule(psf: files.psf, dcd: files.dcd)
    #expect(molecule.atoms.count == 3341)
    #expect(molecule.residues.count == 214)
    #expect(molecule.bonds.count == 3365)
    #expect(molecule.angles.count == 6123)
    #expect(molecule.dihedrals.count == 8921)
    #expect(molecule.impropers.count == 541)
    #expect(molecule.segments.map(\.name) == ["4AKE"])
    #expect(molecule.residues[0].atoms.map(\.name).prefix(2) == ["N", "HT1"])
    #expect(abs(molecule.charge + 4) < 1e-3)
    #expect(molecule.brokenIdentities() == [])
    let trajectory = try #require(molecule.trajectory)
    #expect(trajectory.frameCount == 98)
    #expect(trajectory.announcedFrameCount == 500)
    #expect(trajectory.coordinates.count == 98 * 3341 * 3)
    // The enzyme opens.
    let open = try #require(molecule.radiusOfGyration(inFrame: 97))
    let closed = try #require(molecule.radiusOfGyration(inFrame: 0))
    #expect(abs(open - closed) > 1)

    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("molecule-\(UUID().uuidString).gcodable")
    defer { try? FileManager.default.removeItem(at: url) }
    try GraphEncoder().write(molecule, to: url)
    let loaded = try GraphDecoder().read(Molecule.self, from: url)
    #expect(loaded.differences(from: molecule) == [])
    #expect(loaded.brokenIdentities() == [])
  }

  @Test func trajectoryOfAnotherMoleculeIsRefused() throws {
    let files = try #require(realFiles)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("psf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let psf = folder.appendingPathComponent("water.psf")
    try Data(samplePSF.utf8).write(to: psf)
    #expect {
      try Molecule(psf: psf, dcd: files.dcd)
    } throws: {
      "\($0)".contains("3341 atoms")
    }
  }
}

@Suite struct MoleculeFilesTests {
  @Test func missingFilesAreReportedWithTheRemedy() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)")
    #expect {
      try MoleculeFiles.find(in: folder.path)
    } throws: { error in
      "\(error)".contains("make data") && "\(error)".contains(folder.path)
    }
  }

  @Test func filesAreFoundFromAFolderBelow() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("root-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let data = root.appendingPathComponent("data")
    let below = root.appendingPathComponent("Examples/Molecule")
    for folder in [data, below] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for name in [MoleculeFiles.topologyName, MoleculeFiles.trajectoryName] {
      try Data().write(to: data.appendingPathComponent(name))
    }
    let files = try MoleculeFiles.find(from: below.path)
    #expect(
      files.psf.resolvingSymlinksInPath().path
        == data.appendingPathComponent("adk.psf").resolvingSymlinksInPath().path)
  }
}
