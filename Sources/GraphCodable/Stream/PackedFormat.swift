// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// How the elements of a packed array lie side by side: a scalar type and how many of them an element has.
///
/// One byte: the scalar in the low five bits, the lanes as a code in the high three.
@frozen
public struct PackedFormat: RawRepresentable, Hashable, Sendable {
  /// The byte in the archive.
  public let rawValue: UInt8

  /// Makes a format of any byte; `isKnown` tells whether it means anything.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The scalar types; the numbers are part of the format.
  public enum Scalar: UInt8, Sendable, CaseIterable {
    case int8 = 1
    case int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64
    /// One byte, 0 or 1.
    case bool
    case int128, uint128
    /// 16 bytes in the order of RFC 9562.
    case uuid
    /// Seconds since 2001-01-01 00:00 UTC, as a float64.
    case date
    /// One byte of `Data`, which is no number.
    case byte

    /// Bytes of one scalar.
    public var byteCount: Int {
      switch self {
      case .int8, .uint8, .bool, .byte: 1
      case .int16, .uint16, .float16: 2
      case .int32, .uint32, .float32: 4
      case .int64, .uint64, .float64, .date: 8
      case .int128, .uint128, .uuid: 16
      }
    }
  }

  /// How many scalars an element has, by code 0…7.
  static let laneCounts: [Int] = [1, 2, 3, 4, 8, 16, 32, 64]

  /// The format of elements of `lanes` scalars: 1, 2, 3, 4, 8, 16, 32 or 64 of them.
  public init(_ scalar: Scalar, lanes: Int = 1) {
    guard let code = Self.laneCounts.firstIndex(of: lanes) else {
      preconditionFailure("an element has 1, 2, 3, 4, 8, 16, 32 or 64 lanes, not \(lanes)")
    }
    self.init(rawValue: scalar.rawValue | UInt8(code) << 5)
  }

  /// The scalar type; nil for a number that this version does not know.
  public var scalar: Scalar? { Scalar(rawValue: rawValue & 0x1F) }

  /// Scalars per element.
  public var laneCount: Int { Self.laneCounts[Int(rawValue >> 5)] }

  /// Bytes of one element in the archive, without padding; 0 for an unknown format.
  public var byteCount: Int { (scalar?.byteCount ?? 0) * laneCount }

  /// The format of `Data`.
  @inlinable static var byte: Self { Self(rawValue: 17) }

  /// Not the format of anything: the element type is not packable.
  @inlinable static var none: Self { Self(rawValue: 0) }

  /// Not a format in an archive: elements write their own bytes, and their container is one data unit.
  @inlinable static var unit: Self { Self(rawValue: 0xFF) }

  /// Not a format in an archive: elements are structs of several formats.
  @inlinable static var structure: Self { Self(rawValue: 0xFE) }
}
