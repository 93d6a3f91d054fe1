import Foundation

// `CGFloat` is 8 bytes on every platform, so all of these have the same size everywhere.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CGFloat: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { Double(self).write(to: &wbuffer) }
  public init(from rbuffer: inout BinaryReadBuffer) throws { self.init(try Double(from: &rbuffer)) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CGPoint: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    x.write(to: &wbuffer)
    y.write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(x: try CGFloat(from: &rbuffer), y: try CGFloat(from: &rbuffer))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CGSize: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    width.write(to: &wbuffer)
    height.write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(width: try CGFloat(from: &rbuffer), height: try CGFloat(from: &rbuffer))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CGRect: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    origin.write(to: &wbuffer)
    size.write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(origin: try CGPoint(from: &rbuffer), size: try CGSize(from: &rbuffer))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension NSRange: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    location.write(to: &wbuffer)
    length.write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(location: try Int(from: &rbuffer), length: try Int(from: &rbuffer))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AffineTransform: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    for element in [m11, m12, m21, m22, tX, tY] { element.write(to: &wbuffer) }
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(
      m11: try CGFloat(from: &rbuffer), m12: try CGFloat(from: &rbuffer), m21: try CGFloat(from: &rbuffer),
      m22: try CGFloat(from: &rbuffer), tX: try CGFloat(from: &rbuffer), tY: try CGFloat(from: &rbuffer))
  }
}

#if canImport(CoreGraphics)
  import CoreGraphics

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension CGVector: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) {
      dx.write(to: &wbuffer)
      dy.write(to: &wbuffer)
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init(dx: try CGFloat(from: &rbuffer), dy: try CGFloat(from: &rbuffer))
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension CGAffineTransform: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) {
      for element in [a, b, c, d, tx, ty] { element.write(to: &wbuffer) }
    }
    public init(from rbuffer: inout BinaryReadBuffer) throws {
      self.init(
        a: try CGFloat(from: &rbuffer), b: try CGFloat(from: &rbuffer), c: try CGFloat(from: &rbuffer),
        d: try CGFloat(from: &rbuffer), tx: try CGFloat(from: &rbuffer), ty: try CGFloat(from: &rbuffer))
    }
  }
#endif
