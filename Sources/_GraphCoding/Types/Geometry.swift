import Foundation
import _GraphFiles

// Points, sizes, rectangles and vectors are 2 or 4 doubles on every platform, ranges of `NSRange` 2 integers
// of 64 bits. Where `CGFloat` and `Int` are narrower, arrays of them are not what lies in memory.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CGFloat: _GraphLeafEncodable, _GraphLeafDecodable {
  /// Stored as a `Double` on every platform.
  @inlinable public static var _graphPlainKind: GraphKind { .float64 }

  public func _graphWritePlain(_ encoder: GEncoder) throws { try Double(self)._graphWritePlain(encoder) }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> CGFloat {
    CGFloat(try Double._graphRead(decoder, kind))
  }
}

#if _pointerBitWidth(_64)
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension CGFloat: _GraphPackable {
    @inlinable public static var _graphPacked: PackedFormat { Double._graphPacked }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension CGPoint: _GraphFixed {
    public static var _graphPacked: PackedFormat { .init(.float64, lanes: 2, meaning: .point) }
    public static var _graphZero: CGPoint { CGPoint() }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension CGSize: _GraphFixed {
    public static var _graphPacked: PackedFormat { .init(.float64, lanes: 2, meaning: .size) }
    public static var _graphZero: CGSize { CGSize() }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension CGRect: _GraphFixed {
    public static var _graphPacked: PackedFormat { .init(.float64, lanes: 4, meaning: .rectangle) }
    public static var _graphZero: CGRect { CGRect() }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension NSRange: _GraphFixed {
    public static var _graphPacked: PackedFormat { .init(.int64, lanes: 2, meaning: .locationAndLength) }
    public static var _graphZero: NSRange { NSRange() }
  }
#else
  extension CGPoint: GPackCodable {}
  extension CGSize: GPackCodable {}
  extension CGRect: GPackCodable {}
  extension NSRange: GPackCodable {}
#endif

// Six doubles are no packed format, so a transform is a data unit, and so is an array of them.
extension AffineTransform: GPackCodable {}

#if canImport(CoreGraphics)
  import CoreGraphics

  // Linux has no `CGVector` and no `CGAffineTransform`.
  #if _pointerBitWidth(_64)
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    extension CGVector: _GraphFixed {
      public static var _graphPacked: PackedFormat { .init(.float64, lanes: 2, meaning: .planeVector) }
      public static var _graphZero: CGVector { CGVector() }
    }
  #else
    extension CGVector: GPackCodable {}
  #endif

  extension CGAffineTransform: GPackCodable {}
#endif
