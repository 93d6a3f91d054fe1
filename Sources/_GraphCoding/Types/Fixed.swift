import _GraphFiles
import _GraphSupport

/// A type whose values are a fixed number of scalars, stored as their bytes after a `PackedFormat`.
///
/// The scalars must be at the start of the value's memory without gaps; anything after them (padding, the
/// fourth lane of a `SIMD3`) is not stored. Not for use outside the package.
public protocol _GraphFixed: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  /// A value whose scalars are overwritten by those of the archive.
  static var _graphZero: Self { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphFixed {
  @inlinable public static var _graphPlainKind: GraphKind { .fixed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeFixed(self, Self._graphPacked)
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    guard kind == .fixed else { return try decoder.readOther(Self.self, kind) }
    let bytes = try unsafe decoder.readFixed(Self.self, _graphPacked)
    var value = _graphZero
    unsafe withUnsafeMutableBytes(of: &value) { unsafe $0.copyMemory(from: bytes) }
    return value
  }
}

extension GEncoder {
  /// Writes a packed format; room for it has been reserved.
  func putFormat(_ format: PackedFormat) { state.pointee.out.putVarint(UInt64(format.rawValue)) }

  /// Writes a trivial value that begins with the scalars of `format`: the format, then their bytes.
  func writeFixed<Value>(_ value: Value, _ format: PackedFormat) throws {
    try reserve(byteCount: format.byteCount + 9)
    putFormat(format)
    unsafe withUnsafeBytes(of: value) {
      unsafe state.pointee.out.putBytes($0.baseAddress, count: format.byteCount)
    }
  }
}

extension GDecoder {
  /// Reads the bytes of a value of kind `fixed`.
  ///
  /// - Throws: `typeMismatch` where they are not in the format of `type`.
  func readFixed(_ type: Any.Type, _ format: PackedFormat) throws -> UnsafeRawBufferPointer {
    let stored = try state.pointee.stream.readFormat()
    guard stored.plain == format else {
      throw typeMismatch(type, "the archive has a value of format \(stored)")
    }
    return try unsafe readBytes(UInt64(format.byteCount))
  }
}
