import GraphCodable
import GraphCodableTestSupport

/// A snapshot of which some parts change and others do not.
struct SharedFrame: GCodable, Equatable {
  var title = "frame"
  /// The same in all of them; two blocks where it is not compressed.
  var fixed = Self.numbers(seed: 1, 200_000)
  var moving: [Double]
  var zeros = [Float](repeating: 0, count: 600_000)

  private enum Key: String { case title, fixed, moving, zeros }

  /// The frame of a step.
  init(_ step: Int) { moving = Self.numbers(seed: UInt64(step) + 100, 30_000) }

  /// Numbers that a byte shuffle makes some smaller.
  static func numbers(seed: UInt64, _ count: Int) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in 1 + Double(random.next() >> 40) / Double(1 << 30) }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(title, for: Key.title)
    try encoder.encode(fixed, for: Key.fixed)
    try encoder.encode(moving, for: Key.moving)
    try encoder.encode(zeros, for: Key.zeros)
  }

  init(from decoder: GDecoder) throws {
    title = try decoder.decode(for: Key.title)
    fixed = try decoder.decode(for: Key.fixed)
    moving = try decoder.decode(for: Key.moving)
    zeros = try decoder.decode(for: Key.zeros)
  }
}
