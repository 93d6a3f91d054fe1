import GraphCodable

/// Where the atoms are in a series of frames, as one packed array.
public final class Trajectory: GCodable {
  /// The titles of the file.
  public let titles: [String]
  /// How many atoms each frame holds.
  public let atomCount: Int
  /// How many frames there are.
  public let frameCount: Int
  /// How many frames the header of the file promises, which a run that was stopped early does not reach.
  public let announcedFrameCount: Int
  /// The number of the first integration step.
  public let firstStep: Int
  /// How many integration steps lie between two frames.
  public let stepsPerFrame: Int
  /// The length of an integration step in the unit of the program that wrote the file (AKMA: 48.9 fs).
  public let timeStep: Double
  /// The unit cell of each frame, six numbers each, or nothing.
  public let unitCells: [Double]
  /// All coordinates in ångström: frame by frame, in a frame all x, then all y, then all z.
  public let coordinates: [Float]

  init(
    header: DCDHeader, atomCount: Int, frameCount: Int, unitCells: [Double], coordinates: [Float]
  ) {
    titles = header.titles
    self.atomCount = atomCount
    self.frameCount = frameCount
    announcedFrameCount = header.frameCount
    firstStep = header.firstStep
    stepsPerFrame = header.stepsPerFrame
    timeStep = header.timeStep
    self.unitCells = unitCells
    self.coordinates = coordinates
  }

  /// The position of one atom in one frame.
  public func position(ofAtom atom: Int, inFrame frame: Int) -> SIMD3<Float> {
    precondition((0..<atomCount).contains(atom) && (0..<frameCount).contains(frame))
    let start = 3 * frame * atomCount + atom
    return SIMD3(
      coordinates[start], coordinates[start + atomCount], coordinates[start + 2 * atomCount])
  }

  private enum Key: String {
    case titles, atomCount, frameCount, announcedFrameCount, firstStep, stepsPerFrame, timeStep
    case unitCells, coordinates
  }

  /// Reads a trajectory from an archive.
  ///
  /// - Throws: `MoleculeError.mismatch` if the numbers of atoms, frames and coordinates do not fit together.
  public init(from decoder: GDecoder) throws {
    titles = try decoder.decode(for: Key.titles)
    atomCount = try decoder.decode(for: Key.atomCount)
    frameCount = try decoder.decode(for: Key.frameCount)
    announcedFrameCount = try decoder.decode(for: Key.announcedFrameCount)
    firstStep = try decoder.decode(for: Key.firstStep)
    stepsPerFrame = try decoder.decode(for: Key.stepsPerFrame)
    timeStep = try decoder.decode(for: Key.timeStep)
    unitCells = try decoder.decode(for: Key.unitCells)
    coordinates = try decoder.decode(for: Key.coordinates)
    let (values, overflow) = atomCount.multipliedReportingOverflow(by: frameCount)
    guard atomCount >= 0, frameCount >= 0, !overflow, coordinates.count % 3 == 0,
      coordinates.count / 3 == values
    else {
      throw MoleculeError.mismatch(
        "\(coordinates.count) coordinates are not those of \(atomCount) atoms in \(frameCount) frames")
    }
  }

  /// Writes the trajectory into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(titles, for: Key.titles)
    try encoder.encode(atomCount, for: Key.atomCount)
    try encoder.encode(frameCount, for: Key.frameCount)
    try encoder.encode(announcedFrameCount, for: Key.announcedFrameCount)
    try encoder.encode(firstStep, for: Key.firstStep)
    try encoder.encode(stepsPerFrame, for: Key.stepsPerFrame)
    try encoder.encode(timeStep, for: Key.timeStep)
    try encoder.encode(unitCells, for: Key.unitCells)
    try encoder.encode(coordinates, for: Key.coordinates)
  }
}
