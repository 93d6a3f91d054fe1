// Linux has no simd module. Matrices are data units of their columns, quaternions of their vector.

#if canImport(simd)
  import simd

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float2x2: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<2 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<2 { self[column] = try SIMD2<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float2x3: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<2 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<2 { self[column] = try SIMD3<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float2x4: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<2 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<2 { self[column] = try SIMD4<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float3x2: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<3 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<3 { self[column] = try SIMD2<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float3x3: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<3 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<3 { self[column] = try SIMD3<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float3x4: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<3 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<3 { self[column] = try SIMD4<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float4x2: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<4 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<4 { self[column] = try SIMD2<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float4x3: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<4 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<4 { self[column] = try SIMD3<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_float4x4: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<4 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<4 { self[column] = try SIMD4<Float>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double2x2: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<2 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<2 { self[column] = try SIMD2<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double2x3: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<2 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<2 { self[column] = try SIMD3<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double2x4: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<2 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<2 { self[column] = try SIMD4<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double3x2: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<3 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<3 { self[column] = try SIMD2<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double3x3: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<3 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<3 { self[column] = try SIMD3<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double3x4: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<3 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<3 { self[column] = try SIMD4<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double4x2: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<4 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<4 { self[column] = try SIMD2<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double4x3: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<4 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<4 { self[column] = try SIMD3<Double>(from: &rbuffer) }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension simd_double4x4: GPackCodable {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws {
      for column in 0..<4 { try self[column].write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init()
      for column in 0..<4 { self[column] = try SIMD4<Double>(from: &rbuffer) }
    }
  }

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
