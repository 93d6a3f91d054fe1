import GraphCodable

/// W9's message: twelve numbers.
///
/// For the peers it is `Codable`, as the compiler writes it.
struct Sample: Codable, Equatable {
  var step: Int
  var particle: Int32
  var x: Double
  var y: Double
  var z: Double
  var velocityX: Double
  var velocityY: Double
  var velocityZ: Double
  var mass: Double
  var charge: Double
  var temperature: Float
  var flags: UInt32
}

extension Sample: GCodable {
  private enum Key: String {
    case step, particle, x, y, z, velocityX, velocityY, velocityZ, mass, charge, temperature, flags
  }

  init(from decoder: GDecoder) throws {
    step = try decoder.decode(for: Key.step)
    particle = try decoder.decode(for: Key.particle)
    x = try decoder.decode(for: Key.x)
    y = try decoder.decode(for: Key.y)
    z = try decoder.decode(for: Key.z)
    velocityX = try decoder.decode(for: Key.velocityX)
    velocityY = try decoder.decode(for: Key.velocityY)
    velocityZ = try decoder.decode(for: Key.velocityZ)
    mass = try decoder.decode(for: Key.mass)
    charge = try decoder.decode(for: Key.charge)
    temperature = try decoder.decode(for: Key.temperature)
    flags = try decoder.decode(for: Key.flags)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(step, for: Key.step)
    try encoder.encode(particle, for: Key.particle)
    try encoder.encode(x, for: Key.x)
    try encoder.encode(y, for: Key.y)
    try encoder.encode(z, for: Key.z)
    try encoder.encode(velocityX, for: Key.velocityX)
    try encoder.encode(velocityY, for: Key.velocityY)
    try encoder.encode(velocityZ, for: Key.velocityZ)
    try encoder.encode(mass, for: Key.mass)
    try encoder.encode(charge, for: Key.charge)
    try encoder.encode(temperature, for: Key.temperature)
    try encoder.encode(flags, for: Key.flags)
  }
}

extension Sample {
  static func generate(count: Int) -> [Sample] {
    var random = SplitMix64(seed: 0x5743_0009)
    return (0..<count).map { step in
      Sample(
        step: step, particle: Int32(random.below(100_000)), x: random.symmetric(100),
        y: random.symmetric(100),
        z: random.symmetric(100), velocityX: random.symmetric(1), velocityY: random.symmetric(1),
        velocityZ: random.symmetric(1), mass: 1 + random.unit(), charge: random.symmetric(2),
        temperature: Float(random.unit() * 300), flags: UInt32(random.below(1 << 16)))
    }
  }
}
