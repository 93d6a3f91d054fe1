import Foundation

@testable import MoleculeModel

/// Two residues of three atoms in two segments, in the columns of CHARMM.
let samplePSF = """
  PSF CMAP CHEQ

         2 !NTITLE
  * TWO WATERS, MORE OR LESS
  *  WITH AN EXCLAMATION MARK!

         6 !NATOM
         1 AAAA 1    TIP3 OH2     4  -0.834000       15.9994           0   0.00000     -0.301140E-02
         2 AAAA 1    TIP3 H1      2   0.417000       1.00800           0   0.00000     -0.301140E-02
         3 AAAA 1    TIP3 H2      2   0.417000       1.00800           0   0.00000     -0.301140E-02
         4 BBBB 2    TIP3 OH2     4  -0.834000       15.9994           0   0.00000     -0.301140E-02
         5 BBBB 2    TIP3 H1      2   0.417000       1.00800           0   0.00000     -0.301140E-02
         6 BBBB 2    TIP3 H2      2   0.417000       1.00800           0   0.00000     -0.301140E-02

         4 !NBOND: bonds
         1       2       1       3       4       5       4       6

         2 !NTHETA: angles
         2       1       3       5       4       6

         1 !NPHI: dihedrals
         2       1       3       5

         0 !NIMPHI: impropers


         2       0 !NGRP NST2
         0       1       0       3       1       0

  """

func parsePSF(_ text: String) throws -> PSFTopology {
  try PSFParser.parse(Array(text.utf8))
}

/// Writes DCD files, right and wrong ones.
struct DCDWriter {
  var isBigEndian = false
  private(set) var bytes: [UInt8] = []

  init(isBigEndian: Bool = false) {
    self.isBigEndian = isBigEndian
  }

  mutating func integer(_ value: Int32) {
    let ordered = isBigEndian ? value.bigEndian : value.littleEndian
    withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
  }

  mutating func double(_ value: Double) {
    let ordered = isBigEndian ? value.bitPattern.bigEndian : value.bitPattern.littleEndian
    withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
  }

  mutating func floats(_ values: [Float]) {
    integer(Int32(4 * values.count))
    for value in values { integer(Int32(bitPattern: value.bitPattern)) }
    integer(Int32(4 * values.count))
  }

  /// The three records in front of the frames.
  mutating func head(
    atomCount: Int32, announced: Int32 = 2, titles: [String] = ["A TITLE"], flags: [Int: Int32] = [:]
  ) {
    integer(84)
    bytes.append(contentsOf: "CORD".utf8)
    var control = [Int32](repeating: 0, count: 21)
    control[1] = announced
    control[2] = 1000
    control[3] = 10
    control[10] = Int32(bitPattern: Float(0.5).bitPattern)
    control[20] = 24
    for (index, value) in flags { control[index] = value }
    for value in control[1...] { integer(value) }
    integer(84)
    integer(Int32(4 + 80 * titles.count))
    integer(Int32(titles.count))
    for title in titles {
      bytes.append(contentsOf: title.utf8)
      bytes.append(contentsOf: [UInt8](repeating: 32, count: 80 - title.utf8.count))
    }
    integer(Int32(4 + 80 * titles.count))
    integer(4)
    integer(atomCount)
    integer(4)
  }

  /// Two frames of as many atoms as there are numbers, all coordinates different.
  static func sample(
    atomCount: Int = 6, isBigEndian: Bool = false, flags: [Int: Int32] = [:], hasUnitCells: Bool = false
  ) -> [UInt8] {
    var writer = DCDWriter(isBigEndian: isBigEndian)
    var flags = flags
    if hasUnitCells { flags[11] = 1 }
    writer.head(atomCount: Int32(atomCount), flags: flags)
    for frame in 0..<2 {
      if hasUnitCells {
        writer.integer(48)
        for side in 0..<6 { writer.double(Double(10 * frame + side)) }
        writer.integer(48)
      }
      for axis in 0..<3 {
        writer.floats((0..<atomCount).map { Float(100 * frame + 10 * axis) + Float($0) / 8 })
      }
    }
    return writer.bytes
  }
}

/// The molecule of the two samples.
func sampleMolecule() throws -> Molecule {
  let molecule = Molecule(try parsePSF(samplePSF))
  try molecule.attach(try DCDParser.parse(DCDWriter.sample()))
  return molecule
}

/// The real files, where they have been fetched.
let realFiles = try? MoleculeFiles.find(
  from: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path)
