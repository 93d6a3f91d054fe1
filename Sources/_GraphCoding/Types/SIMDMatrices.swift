// Linux has no simd module. Matrices are data units of their columns, quaternions of their vector.

#if canImport(simd)
  import simd

  /// A matrix.
  ///
  /// Not for use outside the package.
  public protocol _GraphMatrix: GPackCodable {
    associatedtype Column: BinaryIOType
    init()
    subscript(column: Int) -> Column { get set }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension _GraphMatrix {
    /// A matrix is a C struct of its columns and nothing else: see matrix_types.h.
    private var columnIndices: Range<Int> { 0..<(MemoryLayout<Self>.size / MemoryLayout<Column>.stride) }

    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in columnIndices { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in columnIndices { self[column] = try Column(from: &rbuffer) }
    }
  }

  extension simd_float2x2: _GraphMatrix {}
  extension simd_float2x3: _GraphMatrix {}
  extension simd_float2x4: _GraphMatrix {}
  extension simd_float3x2: _GraphMatrix {}
  extension simd_float3x3: _GraphMatrix {}
  extension simd_float3x4: _GraphMatrix {}
  extension simd_float4x2: _GraphMatrix {}
  extension simd_float4x3: _GraphMatrix {}
  extension simd_float4x4: _GraphMatrix {}
  extension simd_double2x2: _GraphMatrix {}
  extension simd_double2x3: _GraphMatrix {}
  extension simd_double2x4: _GraphMatrix {}
  extension simd_double3x2: _GraphMatrix {}
  extension simd_double3x3: _GraphMatrix {}
  extension simd_double3x4: _GraphMatrix {}
  extension simd_double4x2: _GraphMatrix {}
  extension simd_double4x3: _GraphMatrix {}
  extension simd_double4x4: _GraphMatrix {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_quatf: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws { try vector.write(to: &wbuffer) }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init(vector: try SIMD4<Float>(from: &rbuffer))
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_quatd: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws { try vector.write(to: &wbuffer) }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init(vector: try SIMD4<Double>(from: &rbuffer))
    }
  }
#endif
