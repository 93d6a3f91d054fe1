import Foundation
import GraphCodable
import Testing

@testable import MoleculeModel

@Suite struct RoundTripTests {
  func copy(_ molecule: Molecule) throws -> Molecule {
    let bytes = try GraphEncoder().encode(molecule) as Bytes
    return try GraphDecoder().decode(Molecule.self, from: bytes)
  }

  @Test func structureAndNumbersComeBack() throws {
    let molecule = try sampleMolecule()
    let loaded = try copy(molecule)
    #expect(loaded.differences(from: molecule) == [])
    #expect(loaded.trajectory?.coordinates == molecule.trajectory?.coordinates)
    #expect(loaded.segments.map(\.name) == ["AAAA", "BBBB"])
  }

  @Test func moleculeWithoutTrajectoryComesBack() throws {
    let molecule = Molecule(try parsePSF(samplePSF))
    let loaded = try copy(molecule)
    #expect(loaded.trajectory == nil)
    #expect(loaded.differences(from: molecule) == [])
  }

  @Test func everyWayToAnAtomLeadsToOneObject() throws {
    let loaded = try copy(try sampleMolecule())
    #expect(loaded.brokenIdentities() == [])
    let oxygen = loaded.segments[1].residues[0].atoms[0]
    #expect(oxygen === loaded.atoms[3])
    #expect(oxygen === loaded.bonds[2].first)
    #expect(oxygen === loaded.angles[1].vertex)
    #expect(oxygen.residue === loaded.segments[1].residues[0])
    #expect(oxygen.residue?.segment === loaded.segments[1])
    #expect(oxygen.bonds[0] === loaded.bonds[2])
    #expect(oxygen.neighbours.map(\.index) == [4, 5])
    #expect(oxygen.neighbours[0] === loaded.atoms[4])
  }

  @Test func comparisonSeesEveryKindOfDifference() throws {
    let molecule = try sampleMolecule()
    let changes: [(String, String, String)] = [
      ("-0.834000", "-0.834001", "atoms"), ("AAAA 1", "AAAC 1", "segments"),
      ("5       4       6", "5       4       1", "angles"),
      ("4       5       4       6", "4       5       3       6", "bonds"),
      ("3       5\n", "3       4\n", "dihedrals"), ("WATERS", "WETTER", "titles"),
    ]
    for (part, replacement, name) in changes {
      let text = samplePSF.components(separatedBy: part).joined(separator: replacement)
      let other = Molecule(try parsePSF(text))
      #expect(other.differences(from: molecule).contains(name))
      #expect(other.differences(from: molecule).contains("trajectory"))
    }
  }

  @Test func graphIsFreedWithItsRoot() throws {
    weak var atom: Atom?
    do {
      let molecule = try copy(try sampleMolecule())
      atom = molecule.atoms[0]
      #expect(atom != nil)
    }
    #expect(atom == nil)
  }
}
