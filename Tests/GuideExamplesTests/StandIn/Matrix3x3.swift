// Stands in for Apple's `simd` where there is none: compiled as a part of these tests, and as a module
// `simd` for the programs that import it.

#if !canImport(Darwin)
  import GraphCodable

  // swift-format-ignore: TypeNamesShouldBeCapitalized
  /// A matrix of three columns of three numbers, named and described as in `simd`.
  public struct simd_double3x3: Hashable, Sendable {
    private var first: SIMD3<Double>
    private var second: SIMD3<Double>
    private var third: SIMD3<Double>

    /// Makes a matrix with zeros beside its diagonal.
    public init(diagonal: SIMD3<Double>) {
      first = SIMD3(diagonal.x, 0, 0)
      second = SIMD3(0, diagonal.y, 0)
      third = SIMD3(0, 0, diagonal.z)
    }
  }

  extension simd_double3x3: CustomStringConvertible {
    /// The type and its columns.
    public var description: String {
      let columns = [first, second, third].map { "[\($0.x), \($0.y), \($0.z)]" }
      return "simd_double3x3([\(columns.joined(separator: ", "))])"
    }
  }

  extension simd_double3x3: GPackCodable {
    /// Writes the columns.
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      try first.write(to: &wbuffer)
      try second.write(to: &wbuffer)
      try third.write(to: &wbuffer)
    }

    /// Reads the columns.
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      first = try SIMD3(from: &rbuffer)
      second = try SIMD3(from: &rbuffer)
      third = try SIMD3(from: &rbuffer)
    }
  }
#endif
