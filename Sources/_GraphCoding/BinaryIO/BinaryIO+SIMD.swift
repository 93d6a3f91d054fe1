// Vectors are their scalars in order.

extension BinaryOType where Self: SIMD, Scalar: BinaryOType {
  /// Writes the scalars in order.
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    for index in indices { try self[index].write(to: &wbuffer) }
  }
}

extension BinaryIType where Self: SIMD, Scalar: BinaryIType {
  /// Reads the scalars in order.
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init()
    for index in indices { self[index] = try Scalar(from: &rbuffer) }
  }
}

extension SIMD2: BinaryOType where Scalar: BinaryOType {}
extension SIMD2: BinaryIType where Scalar: BinaryIType {}
extension SIMD3: BinaryOType where Scalar: BinaryOType {}
extension SIMD3: BinaryIType where Scalar: BinaryIType {}
extension SIMD4: BinaryOType where Scalar: BinaryOType {}
extension SIMD4: BinaryIType where Scalar: BinaryIType {}
extension SIMD8: BinaryOType where Scalar: BinaryOType {}
extension SIMD8: BinaryIType where Scalar: BinaryIType {}
extension SIMD16: BinaryOType where Scalar: BinaryOType {}
extension SIMD16: BinaryIType where Scalar: BinaryIType {}
extension SIMD32: BinaryOType where Scalar: BinaryOType {}
extension SIMD32: BinaryIType where Scalar: BinaryIType {}
extension SIMD64: BinaryOType where Scalar: BinaryOType {}
extension SIMD64: BinaryIType where Scalar: BinaryIType {}
