import GraphCodable

extension FieldSet: GCodable {
  private enum Key: String {
    case density, pressure, temperature, energy, velocityX, velocityY, velocityZ, vorticity
  }

  init(from decoder: GDecoder) throws {
    density = try decoder.decode(for: Key.density)
    pressure = try decoder.decode(for: Key.pressure)
    temperature = try decoder.decode(for: Key.temperature)
    energy = try decoder.decode(for: Key.energy)
    velocityX = try decoder.decode(for: Key.velocityX)
    velocityY = try decoder.decode(for: Key.velocityY)
    velocityZ = try decoder.decode(for: Key.velocityZ)
    vorticity = try decoder.decode(for: Key.vorticity)
  }

  /// Reads all arrays of an archive into those that are there.
  mutating func read(_ archive: GraphArchive, threadCount: Int) throws {
    func read(_ key: Key, into array: inout [Double]) throws {
      try archive.array(at: [.key(key.rawValue)]).read(into: &array, threadCount: threadCount)
    }
    try read(.density, into: &density)
    try read(.pressure, into: &pressure)
    try read(.temperature, into: &temperature)
    try read(.energy, into: &energy)
    try read(.velocityX, into: &velocityX)
    try read(.velocityY, into: &velocityY)
    try read(.velocityZ, into: &velocityZ)
    try read(.vorticity, into: &vorticity)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(density, for: Key.density)
    try encoder.encode(pressure, for: Key.pressure)
    try encoder.encode(temperature, for: Key.temperature)
    try encoder.encode(energy, for: Key.energy)
    try encoder.encode(velocityX, for: Key.velocityX)
    try encoder.encode(velocityY, for: Key.velocityY)
    try encoder.encode(velocityZ, for: Key.velocityZ)
    try encoder.encode(vorticity, for: Key.vorticity)
  }
}
