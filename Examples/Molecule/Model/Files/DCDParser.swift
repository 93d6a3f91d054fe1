/// What the first record of a DCD file says.
struct DCDHeader {
  var titles: [String] = []
  let frameCount: Int
  let firstStep: Int
  let stepsPerFrame: Int
  let timeStep: Double
  let hasUnitCells: Bool
  let hasFourthDimension: Bool
}

/// Reads a CHARMM or NAMD trajectory (DCD).
///
/// The number of frames in the header is not believed: a program that is stopped early has promised more than it
/// wrote. The file has to end where a frame ends, though.
struct DCDParser {
  private static let headerLength = 84
  private var records: FortranRecords

  /// Parses a whole file.
  ///
  /// - Throws: `MoleculeError.binary` with the offset of what is wrong.
  static func parse(_ bytes: [UInt8]) throws -> Trajectory {
    var parser = DCDParser(records: try FortranRecords(bytes, firstLength: headerLength))
    return try parser.parse()
  }

  private init(records: FortranRecords) {
    self.records = records
  }

  private mutating func parse() throws -> Trajectory {
    var header = try parseHeader()
    header.titles = try parseTitles()
    let countRecord = try records.next("the number of atoms", length: 4)
    let atomCount = Int(records.integer(at: countRecord.lowerBound))
    guard atomCount > 0 else {
      throw MoleculeError.binary(offset: countRecord.lowerBound, "the file is of \(atomCount) atoms")
    }
    var coordinates: [Float] = []
    var unitCells: [Double] = []
    var frameCount = 0
    while !records.isAtEnd {
      frameCount += 1
      try parseFrame(frameCount, header, atomCount, &coordinates, &unitCells)
    }
    return Trajectory(
      header: header, atomCount: atomCount, frameCount: frameCount, unitCells: unitCells,
      coordinates: coordinates)
  }

  private mutating func parseHeader() throws -> DCDHeader {
    let body = try records.next("the header", length: Self.headerLength)
    guard records.text(body.lowerBound..<body.lowerBound + 4) == "CORD" else {
      throw MoleculeError.binary(
        offset: body.lowerBound, "this is no trajectory of coordinates: the mark CORD is missing")
    }
    func control(_ index: Int) -> Int {
      Int(records.integer(at: body.lowerBound + 4 * index))
    }
    guard control(9) == 0 else {
      throw MoleculeError.binary(
        offset: body.lowerBound + 36,
        "trajectories with fixed atoms (here \(control(9))) are not supported by this example")
    }
    // Version 0 is X-PLOR, whose time step is a double and which knows no further flags.
    let isCHARMM = control(20) != 0
    return DCDHeader(
      frameCount: control(1), firstStep: control(2), stepsPerFrame: control(3),
      timeStep: isCHARMM
        ? Double(records.float(at: body.lowerBound + 40)) : records.double(at: body.lowerBound + 40),
      hasUnitCells: isCHARMM && control(11) != 0, hasFourthDimension: isCHARMM && control(12) != 0)
  }

  private mutating func parseTitles() throws -> [String] {
    let body = try records.next("the titles")
    guard body.count >= 4 else {
      throw MoleculeError.binary(offset: body.lowerBound, "the record of the titles is empty")
    }
    let count = Int(records.integer(at: body.lowerBound))
    guard count >= 0, (body.count - 4) / 80 >= count else {
      throw MoleculeError.binary(
        offset: body.lowerBound, "\(count) titles of 80 bytes do not fit into \(body.count - 4) bytes")
    }
    return (0..<count).map { index in
      let start = body.lowerBound + 4 + 80 * index
      return records.text(start..<start + 80)
    }
  }

  private mutating func parseFrame(
    _ number: Int, _ header: DCDHeader, _ atomCount: Int, _ coordinates: inout [Float],
    _ unitCells: inout [Double]
  ) throws {
    if header.hasUnitCells {
      let body = try records.next("the unit cell of frame \(number)", length: 48)
      for offset in stride(from: body.lowerBound, to: body.upperBound, by: 8) {
        unitCells.append(records.double(at: offset))
      }
    }
    for axis in ["x", "y", "z"] {
      let body = try records.next("\(axis) of frame \(number)", length: 4 * atomCount)
      records.appendFloats(body, to: &coordinates)
    }
    if header.hasFourthDimension {
      _ = try records.next("the fourth dimension of frame \(number)", length: 4 * atomCount)
    }
  }
}
