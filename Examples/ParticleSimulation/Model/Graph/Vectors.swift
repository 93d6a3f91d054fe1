import GraphCodable

/// One vector for each particle, kept as three packed arrays.
///
/// Three arrays instead of one of `SIMD3<Double>`, which has a fourth lane of padding: a quarter less
/// memory to move, and nothing but numbers to store.
public struct Vectors: GCodable, Equatable, Sendable {
  /// The first components.
  public var x: [Double]
  /// The second components.
  public var y: [Double]
  /// The third components.
  public var z: [Double]

  /// Makes `count` vectors of length zero.
  public init(count: Int) {
    x = Array(repeating: 0, count: count)
    y = Array(repeating: 0, count: count)
    z = Array(repeating: 0, count: count)
  }

  /// How many vectors there are.
  public var count: Int { x.count }

  /// The vector of particle `index`.
  public subscript(index: Int) -> SIMD3<Double> {
    get { SIMD3(x[index], y[index], z[index]) }
    set {
      x[index] = newValue.x
      y[index] = newValue.y
      z[index] = newValue.z
    }
  }

  private enum Key: String {
    case x, y, z
  }

  /// Reads vectors from an archive.
  public init(from decoder: GDecoder) throws {
    x = try decoder.decode(for: Key.x)
    y = try decoder.decode(for: Key.y)
    z = try decoder.decode(for: Key.z)
  }

  /// Writes the vectors into an archive.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(x, for: Key.x)
    try encoder.encode(y, for: Key.y)
    try encoder.encode(z, for: Key.z)
  }
}
