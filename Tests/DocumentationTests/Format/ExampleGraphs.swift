import GraphCodable

// The graphs of the worked examples in Documentation/Format.md. Their names, and this module's, are part
// of the bytes that stand there.

/// Two names for one weight.
struct Pair: GCodable {
  var label: String
  var change: Int
  var first: Weight
  var second: Weight

  private enum Key: String { case label, change, first, second }

  init(label: String, change: Int, weight: Weight) {
    self.label = label
    self.change = change
    first = weight
    second = weight
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(label, for: Key.label)
    try encoder.encode(change, for: Key.change)
    try encoder.encode(first, for: Key.first)
    try encoder.encode(second, for: Key.second)
  }

  init(from decoder: GDecoder) throws {
    label = try decoder.decode(for: Key.label)
    change = try decoder.decode(for: Key.change)
    first = try decoder.decode(for: Key.first)
    second = try decoder.decode(for: Key.second)
  }
}

/// What is shared.
final class Weight: GCodable {
  let mass: Double

  private enum Key: String { case mass }

  init(mass: Double) { self.mass = mass }

  func encode(to encoder: GEncoder) throws { try encoder.encode(mass, for: Key.mass) }

  init(from decoder: GDecoder) throws { mass = try decoder.decode(for: Key.mass) }
}

/// The message of the example of a stream.
struct Reading: GCodable, Equatable {
  var step: Int
  var energy: Double

  private enum Key: String { case step, energy }

  init(step: Int, energy: Double) { (self.step, self.energy) = (step, energy) }

  init(from decoder: GDecoder) throws {
    step = try decoder.decode(for: Key.step)
    energy = try decoder.decode(for: Key.energy)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(step, for: Key.step)
    try encoder.encode(energy, for: Key.energy)
  }
}
