import GraphCodable

/// A periodic cube of soft spheres, which push each other away where they overlap; what all ranks know.
///
/// It is cut into layers along x, each of which is at least as thick as a sphere. A rank has some of the layers.
struct Box: GCodable, Hashable, Sendable {
  /// How many particles stand along each side at the start.
  let particlesPerSide: Int
  /// The length of each side, in diameters of a sphere.
  var side: Double { Double(particlesPerSide) * 0.9 }
  /// How many layers there are, and cells along each side of a layer.
  var layerCount: Int { Int(side) }
  var particleCount: Int { particlesPerSide * particlesPerSide * particlesPerSide }

  static let timeStep = 0.005
  static let stiffness = 100.0

  /// - Throws: `invalidValue` for a box with less than three layers, in which the same particles are on both sides.
  init(particlesPerSide: Int) throws {
    guard 4...1000 ~= particlesPerSide else {
      throw GCodableError(.invalidValue, "\(particlesPerSide) particles along each side: from 4 to 1000")
    }
    self.particlesPerSide = particlesPerSide
  }

  /// The layer of a place.
  func layer(_ position: SIMD3<Double>) -> Int { cell(position.x) }

  /// The number of a cell along one side.
  func cell(_ coordinate: Double) -> Int { min(Int(coordinate / side * Double(layerCount)), layerCount - 1) }

  /// The same place in the box.
  func wrapped(_ position: SIMD3<Double>) -> SIMD3<Double> {
    let inside = position - side * (position / side).rounded(.down)
    // A negative number next to zero is rounded up to the whole side.
    return inside.replacing(with: 0, where: inside .>= side)
  }

  /// The shortest way from one particle to another or to one of its images.
  func distance(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> SIMD3<Double> {
    let distance = one - other
    return distance - side * (distance / side).rounded(.toNearestOrEven)
  }

  /// A particle at the start, which depends on its number alone.
  func particle(_ identifier: Int) -> Particle {
    var state = UInt64(identifier)
    // Numbers from -1 to 1, by SplitMix64.
    func random() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-52 - 1
    }
    let row = identifier / particlesPerSide
    let place = SIMD3(
      Double(row / particlesPerSide), Double(row % particlesPerSide), Double(identifier % particlesPerSide))
    let position = 0.9 * (place + 0.5 + 0.1 * SIMD3(random(), random(), random()))
    return Particle(
      identifier: identifier, position: wrapped(position), velocity: SIMD3(random(), random(), random()))
  }

  private enum Key: String { case particlesPerSide }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(particlesPerSide, for: Key.particlesPerSide)
  }

  init(from decoder: GDecoder) throws {
    try self.init(particlesPerSide: decoder.decode(for: Key.particlesPerSide))
  }
}

/// A sphere; all of it can be sent as it is.
struct Particle: BitwiseCopyable, Sendable {
  let identifier: Int
  var position: SIMD3<Double>
  var velocity: SIMD3<Double>
  var force = SIMD3<Double>()
  /// Its half of the energies of its pairs.
  var potentialEnergy = 0.0
}
