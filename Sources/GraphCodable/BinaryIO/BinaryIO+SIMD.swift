// Vectors are their scalars in order.

extension SIMD {
  fileprivate func writeScalars(to wbuffer: inout BinaryWriteBuffer) throws where Scalar: BinaryOType {
    for index in indices { try self[index].write(to: &wbuffer) }
  }

  fileprivate init(scalarsFrom rbuffer: inout BinaryReadBuffer) throws where Scalar: BinaryIType {
    self.init()
    for index in indices { self[index] = try Scalar(from: &rbuffer) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD2: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD2: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD3: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD3: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD4: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD4: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD8: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD8: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD16: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD16: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD32: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD32: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD64: BinaryOType where Scalar: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try writeScalars(to: &wbuffer) }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SIMD64: BinaryIType where Scalar: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { try self.init(scalarsFrom: &rbuffer) }
}
