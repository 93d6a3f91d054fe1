/// W4's root: eight large arrays, as the state of a simulation on a grid.
///
/// For the peers it is `Codable`, as the compiler writes it.
struct FieldSet: Codable, Equatable {
  static let arrayCount = 8

  var density: [Double]
  var pressure: [Double]
  var temperature: [Double]
  var energy: [Double]
  var velocityX: [Double]
  var velocityY: [Double]
  var velocityZ: [Double]
  var vorticity: [Double]

  var arrays: [[Double]] {
    [density, pressure, temperature, energy, velocityX, velocityY, velocityZ, vorticity]
  }
}

extension FieldSet {
  /// Eight arrays of `count` values each.
  static func generate(count: Int) -> FieldSet {
    var random = SplitMix64(seed: 0x5743_0004)
    func field(_ period: Double) -> [Double] {
      smoothField(count: count, period: period, noise: 3e-5, random: &random)
    }
    return FieldSet(
      density: field(900), pressure: field(1_500), temperature: field(2_300), energy: field(3_100),
      velocityX: field(4_700), velocityY: field(6_100), velocityZ: field(8_900), vorticity: field(700))
  }

  /// A sine and its third harmonic about an offset, with small uniform noise.
  ///
  /// The sines come from rotating a point, with no call of the mathematics library, so every platform makes
  /// the same bits.
  private static func smoothField(
    count: Int, period: Double, noise: Double, random: inout SplitMix64
  ) -> [Double] {
    var slow = Rotation(period: period)
    var fast = Rotation(period: period / 3)
    return [Double](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      for index in 0..<count {
        let value = 2.5 + slow.next() + 0.2 * fast.next() + random.symmetric(noise)
        buffer.initializeElement(at: index, to: value)
      }
      initializedCount = count
    }
  }
}

/// A point that goes round the unit circle in about `period` steps.
private struct Rotation {
  private let cosine: Double
  private let sine: Double
  private var x = 1.0
  private var y = 0.0

  init(period: Double) {
    // The half-angle formulas give an exact point of the circle for any tangent.
    let halfTangent = 3.141592653589793 / period
    let square = halfTangent * halfTangent
    cosine = (1 - square) / (1 + square)
    sine = 2 * halfTangent / (1 + square)
  }

  mutating func next() -> Double {
    (x, y) = (cosine * x - sine * y, sine * x + cosine * y)
    return y
  }
}
