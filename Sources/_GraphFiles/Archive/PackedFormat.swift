import _GraphSupport

/// The format of the elements of a packed array: a scalar type, the number of scalars in an element, and their meaning
/// together.
///
/// | bits | what |
/// | --- | --- |
/// | 0…4 | the scalar |
/// | 5…7 | a code for the number of lanes |
/// | 8…15 | the meaning |
@frozen
public struct PackedFormat: RawRepresentable, Hashable, Sendable {
  /// The number in the archive.
  public let rawValue: UInt16

  /// Makes a format from any number, known or not.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The scalar types; the numbers are part of the format.
  public enum Scalar: UInt16, Sendable, CaseIterable {
    case int8 = 1
    case int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64
    /// One byte, 0 or 1.
    case bool
    case int128, uint128
    /// 16 bytes in the order of RFC 9562.
    case uuid
    /// Seconds since 2001-01-01 00:00 UTC, as a float64.
    case date
    /// One byte of `Data`, which is not a number.
    case byte
    /// A time span in attoseconds, as an int128.
    case duration
    /// A duration since the start of a clock that continues while the machine sleeps.
    case continuousInstant
    /// A duration since the start of a clock that stops while the machine sleeps.
    case suspendingInstant
    /// The upper half of a float32.
    case bfloat16
    /// One byte with 4 bits of exponent and 3 of mantissa, without infinities.
    case float8e4m3
    /// One byte with 5 bits of exponent and 2 of mantissa.
    case float8e5m2
    /// An IEEE 754 decimal128 with its significand as a binary integer.
    case decimal128

    /// Whether its bits are those of a binary floating-point number of at least two bytes, so that they order as the numbers do.
    var isFloatingPoint: Bool {
      switch self {
      case .float16, .float32, .float64, .date, .bfloat16: true
      default: false
      }
    }

    /// Bytes of one scalar.
    public var byteCount: Int { byteCounts[Int(rawValue)] }
  }

  /// The meaning of an element's lanes; the numbers are part of the format.
  public enum Meaning: UInt16, Sendable, CaseIterable {
    /// A scalar, or a vector of scalars.
    case none = 0
    /// Lower bound and excluded upper bound.
    case range
    /// Lower bound and included upper bound.
    case closedRange
    /// The lower bound.
    case partialRangeFrom
    /// The excluded upper bound.
    case partialRangeUpTo
    /// The included upper bound.
    case partialRangeThrough
    /// Location and length.
    case locationAndLength
    /// x and y of a point.
    case point
    /// Width and height.
    case size
    /// x, y, width and height.
    case rectangle
    /// x and y of a vector in the plane.
    case planeVector
    /// The bitmap of a `CharacterSet`.
    case characterSet
    /// Real and imaginary part.
    case complex
    /// Seconds since 1970-01-01 00:00 UTC, without leap seconds.
    case unixSeconds
    /// Milliseconds since then.
    case unixMilliseconds
    /// Microseconds since then.
    case unixMicroseconds
    /// Nanoseconds since then.
    case unixNanoseconds
    /// A time span in seconds.
    case spanSeconds
    /// A time span in milliseconds.
    case spanMilliseconds
    /// A time span in microseconds.
    case spanMicroseconds
    /// A time span in nanoseconds.
    case spanNanoseconds
    /// UTF-8: an array of it is a string.
    case utf8

    /// Whether it is two bounds.
    @usableFromInline package var isPair: Bool { self == .range || self == .closedRange }

    /// Whether elements of `laneCount` scalars can have this meaning.
    @inlinable func suits(_ scalar: Scalar, laneCount: Int) -> Bool {
      switch self {
      case .none: true
      case .range, .closedRange: laneCount == 2
      case .partialRangeFrom, .partialRangeUpTo, .partialRangeThrough: laneCount == 1
      case .locationAndLength: laneCount == 2 && scalar == .int64
      case .point, .size, .planeVector: laneCount == 2 && scalar == .float64
      case .rectangle: laneCount == 4 && scalar == .float64
      case .characterSet, .utf8: laneCount == 1 && scalar == .byte
      case .complex: laneCount == 2 && (scalar == .float16 || scalar == .float32 || scalar == .float64)
      case .unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .spanSeconds,
        .spanMilliseconds, .spanMicroseconds, .spanNanoseconds:
        laneCount == 1 && scalar == .int64
      }
    }

    /// Whether it describes numbers that are read as such, too.
    @usableFromInline var isNote: Bool { rawValue >= Meaning.complex.rawValue && self != .utf8 }
  }

  /// How many scalars an element has, by code 0…7.
  @usableFromInline package static let laneCounts: [Int] = [1, 2, 3, 4, 8, 16, 32, 64]

  /// The format of elements of `lanes` scalars: 1, 2, 3, 4, 8, 16, 32 or 64 of them.
  public init(_ scalar: Scalar, lanes: Int = 1, meaning: Meaning = .none) {
    guard let code = Self.laneCounts.firstIndex(of: lanes) else {
      preconditionFailure("an element has 1, 2, 3, 4, 8, 16, 32 or 64 lanes, not \(lanes)")
    }
    self.init(rawValue: scalar.rawValue | UInt16(code) << 5 | meaning.rawValue << 8)
  }

  /// A format of a number that an archive has; nil where no format has it.
  ///
  /// A scalar or a meaning that this version does not know is a format: how many bytes an element has is known.
  @inlinable package init?(number: UInt64) {
    guard let number = UInt16(exactly: number), number & 0x1F != 0 else { return nil }
    self.init(rawValue: number)
    guard let meaning, meaning != .none else { return }
    guard let scalar, meaning.suits(scalar, laneCount: laneCount) else { return nil }
  }

  /// The scalar type; nil for a number that this version does not know.
  public var scalar: Scalar? { Scalar(rawValue: rawValue & 0x1F) }

  /// The meaning of an element's scalars; nil for a number that this version does not know.
  public var meaning: Meaning? { Meaning(rawValue: rawValue >> 8) }

  /// Scalars per element.
  public var laneCount: Int { Self.laneCounts[Int(rawValue >> 5 & 7)] }

  /// Bytes of one element in the archive, without padding; also of a scalar that this version does not know.
  public var byteCount: Int { byteCounts[Int(rawValue & 0x1F)] * laneCount }

  /// The format without a meaning that says no more than what numbers stand for, or that this version does not know.
  @inlinable package var plain: Self {
    meaning?.isNote ?? true ? Self(rawValue: rawValue & 0xFF) : self
  }

  /// The format of `Data`.
  @inlinable package static var byte: Self { Self(rawValue: 17) }

  /// The format of a `CharacterSet`.
  @inlinable package static var characterSet: Self { Self(.byte, meaning: .characterSet) }

  /// The format of the bytes of strings.
  @inlinable package static var utf8: Self { Self(rawValue: Meaning.utf8.rawValue << 8 | 17) }

  /// Not the format of anything: the element type is not packable.
  @inlinable package static var none: Self { Self(rawValue: 0) }

  /// Not a format in an archive: elements write their own bytes, and their container is one data unit.
  @inlinable package static var unit: Self { Self(rawValue: 0x20) }

  /// Not a format in an archive: elements are structs of several formats.
  @inlinable package static var structure: Self { Self(rawValue: 0x40) }
}

/// Bytes of a scalar by its number, 0 for none; those behind the last known one are fixed for later versions.
private let byteCounts = [
  0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1, 16, 16, 16, 8, 1, 16, 16, 16, 2, 1, 1, 16, 1, 2, 4, 8, 16, 16, 32,
]
