import Foundation
import Testing

@testable import MoleculeModel

@Suite struct PSFParserTests {
  @Test func fieldsAreReadFromTheirColumns() throws {
    let topology = try parsePSF(samplePSF)
    #expect(topology.titles == ["* TWO WATERS, MORE OR LESS", "*  WITH AN EXCLAMATION MARK!"])
    #expect(topology.atoms.count == 6)
    #expect(
      topology.atoms[3]
        == PSFTopology.AtomRecord(
          segment: "BBBB", residueNumber: "2", residueName: "TIP3", name: "OH2", type: "4",
          charge: -0.834, mass: 15.9994))
    #expect(topology.bonds == [[0, 1], [0, 2], [3, 4], [3, 5]])
    #expect(topology.angles == [[1, 0, 2], [4, 3, 5]])
    #expect(topology.dihedrals == [[1, 0, 2, 4]])
    #expect(topology.impropers == [])
  }

  @Test func emptyAndTouchingFieldsOfTheColumnsAreKeptApart() throws {
    let topology = try parsePSF(
      """
      PSF
             1 !NATOM
             1      1234ABCDEF
      """.replacingLine(2, with: "       1      1A   ALA  CA   CT1   0.700000E-01   12.0110           0"))
    #expect(topology.atoms[0].segment == "")
    #expect(topology.atoms[0].residueNumber == "1A")
    #expect(topology.atoms[0].type == "CT1")
    #expect(topology.atoms[0].charge == 0.07)
  }

  @Test func extendedFormatHasWiderColumns() throws {
    let topology = try parsePSF(
      """
      PSF EXT XPLOR

               1 !NATOM
               1 PROTEINA 12       HISTIDIN CALPHA01 CT1      0.700000E-01   12.0110           0

      """)
    #expect(topology.atoms[0].segment == "PROTEINA")
    #expect(topology.atoms[0].residueName == "HISTIDIN")
    #expect(topology.atoms[0].name == "CALPHA01")
  }

  @Test func freeFormatIsSplitAtBlanksAndTabs() throws {
    let topology = try parsePSF("PSF NAMD\r\n\r\n1 !NATOM\r\n1 LONGSEGMENT 1\tALA CA CT1 0.07 12.011 0\r\n")
    #expect(topology.atoms[0].segment == "LONGSEGMENT")
    #expect(topology.atoms[0].mass == 12.011)
  }

  @Test func numbersAsWideAsTheirColumnMayTouch() throws {
    let layout = PSFAtomLayout(isExtended: false, isFree: false)
    #expect(layout.parseNumbers("1234567812345679       3") == [12_345_678, 12_345_679, 3])
    #expect(layout.parseNumbers("       1      2x") == nil)
  }

  @Test(arguments: [
    ("", 1), ("PDB\n", 1), ("PSF\n\n", 2),
    ("PSF\n       2 !NATOM\n       1 A    1    ALA  CA   CT1  0.1 12.0 0\n", 3),
    ("PSF\n       1 !NATOM\n       2 A    1    ALA  CA   CT1  0.1 12.0 0\n", 3),
    ("PSF\n       1 !NATOM\n       1 A    1    ALA  CA   CT1  zero 12.0 0\n", 3),
    ("PSF\n       1 !NATOM\n       1 A    1    ALA\n", 3),
    ("PSF\n      -1 !NATOM\n", 2), ("PSF\n !NATOM\n", 2), ("PSF\n 1 !NBOND\n", 2),
    ("PSF\n       9 !NTITLE\n only one\n", 3),
  ])
  func whatIsNoTopologyIsRefusedWithItsLine(text: String, line: Int) {
    #expect {
      try parsePSF(text)
    } throws: { error in
      guard case MoleculeError.text(line: let found, _) = error else { return false }
      return found == line
    }
  }

  @Test(arguments: [
    ("       4       6\n", "       4       7\n", "no atom 7"),
    ("       4       6\n", "       4       0\n", "no atom 0"),
    ("       4       6\n", "       4\n", "ends after 3"),
    ("       4       6\n", "       4       4\n", "with itself"),
    ("       4       6\n", "       4       6       1\n", "more than 4"),
    ("4 !NBOND", "9223372036854775807 !NBOND", "ends after 4"),
    ("2 !NTHETA: angles", "2 !NBOND", "second section"),
  ])
  func wrongConnectionsAreRefused(part: String, replacement: String, message: String) throws {
    let text = samplePSF.replacing(part, with: replacement)
    #expect(text != samplePSF)
    #expect {
      try parsePSF(text)
    } throws: { error in
      "\(error)".contains(message)
    }
  }

  @Test func everyTruncationEitherThrowsOrLosesWholeSectionsOnly() {
    let bytes = Array(samplePSF.utf8)
    for count in 0..<bytes.count {
      if let topology = try? PSFParser.parse(Array(bytes[..<count])) {
        #expect(topology.atoms.count == 6)
        #expect([0, 4].contains(topology.bonds.count))
      }
    }
  }

  @Test func changedBytesNeverTrap() {
    let bytes = Array(samplePSF.utf8)
    for index in bytes.indices {
      for value in [0, 10, 32, 33, 45, 57, 255] as [UInt8] {
        var changed = bytes
        changed[index] = value
        _ = try? PSFParser.parse(changed)
      }
    }
  }
}

extension String {
  fileprivate func replacingLine(_ number: Int, with line: String) -> String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    lines[number] = line
    return lines.joined(separator: "\n")
  }

  fileprivate func replacing(_ part: String, with replacement: String) -> String {
    components(separatedBy: part).joined(separator: replacement)
  }
}
