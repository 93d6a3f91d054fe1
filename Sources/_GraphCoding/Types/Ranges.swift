import _GraphFiles
import _GraphSupport

// A range whose bounds are packed scalars is both of them side by side, so arrays of such ranges are packed;
// one of bounds that write their own bytes is a data unit; others are records of their bounds. Bounds that
// no range can have, in the wrong order or not a number, are refused (in packed arrays when they are decoded).

/// The packed formats of ranges whose bounds have one.
enum RangeFormat {
  /// The format of the bounds in a row; `unit` and `none` where bounds have these.
  static func of<Bound>(
    _ bound: PackedFormat, _ type: Bound.Type, _ meaning: PackedFormat.Meaning
  ) -> PackedFormat {
    if bound == .unit || bound == .none { return bound }
    // The bounds are at the start of a range, so it only matters that a bound has no padding.
    let isTight = MemoryLayout<Bound>.size == bound.byteCount && MemoryLayout<Bound>.stride == bound.byteCount
    guard let scalar = bound.scalar, bound == PackedFormat(scalar), isTight else { return .none }
    return PackedFormat(scalar, lanes: meaning.isPair ? 2 : 1, meaning: meaning)
  }

  static func kind(_ format: PackedFormat) -> GraphKind {
    format == .none ? .record : format == .unit ? .binary : .fixed
  }
}

/// A range: one or two bounds at the start of its memory.
///
/// Not for use outside the package.
public protocol _GraphRange<Bound> {
  associatedtype Bound: Comparable
  static var _graphMeaning: PackedFormat.Meaning { get }
  /// The same one twice where there is only one.
  var _graphBounds: (Bound, Bound) { get }
  /// Makes a range of bounds that are in order.
  init(_graphBounds first: Bound, _ last: Bound)
}

extension _GraphRange {
  /// Not `>`, because NaN is unordered.
  var isOrdered: Bool {
    let (first, last) = _graphBounds
    return first <= last
  }
}

/// A range that can be encoded.
///
/// Not for use outside the package.
public protocol _GraphRangeEncodable: _GraphRange, _GraphContainerEncodable where Bound: GEncodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphRangeEncodable {
  public static var _graphEncodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphEncodedFormat, Bound.self, _graphMeaning)
  }
  public static var _graphPlainKind: GraphKind { RangeFormat.kind(_graphEncodedFormat) }

  /// - Throws: `invalidValue` for bounds that decoding would refuse.
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    guard isOrdered else { throw encoder.failed(BinaryIOError.badBounds(Self.self)) }
    switch Self._graphEncodedFormat {
    case .none: try encoder.writeRecord(self, encoder.encoderType(Self.self))
    case .unit: try encoder.writeUnit(self, UnitType(.one))
    case let format: try encoder.writeFixed(self, format)
    }
  }

  public func encode(to encoder: GEncoder) throws {
    guard isOrdered else { throw BinaryIOError.badBounds(Self.self) }
    let (first, last) = _graphBounds
    try encoder.hashed(encoder.hashedKind(of: Bound.self)) {
      try encoder.encodeOutOfLine(first)
      if Self._graphMeaning.isPair { try encoder.encodeOutOfLine(last) }
    }
  }
}

/// A range that can be decoded.
///
/// Not for use outside the package.
public protocol _GraphRangeDecodable: _GraphRange, GDecodable where Bound: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphRangeDecodable {
  public static var _graphDecodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphDecodedFormat, Bound.self, _graphMeaning)
  }
  public static var _graphRefuses: ((Self) -> Bool)? { { !$0.isOrdered } }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    switch kind {
    case .fixed where _graphDecodedFormat.scalar != nil:
      // A format is declared only for ranges that are their bounds and nothing else.
      let range = try unsafe decoder.readFixed(Self.self, _graphDecodedFormat).loadUnaligned(as: Self.self)
      guard range.isOrdered else { throw decoder.badBounds(Self.self) }
      return range
    case .binary where _graphDecodedFormat == .unit: return try decoder.readUnit(Self.self, UnitType(.one))
    default: return try decoder.readOther(Self.self, kind)
    }
  }

  public init(from decoder: GDecoder) throws {
    var text = decoder.markedText
    let first: Bound = try decoder.decodeOutOfLine()
    let last = Self._graphMeaning.isPair ? try decoder.decodeOutOfLine() : first
    try decoder.takeMarks(since: &text, leads: decoder.mayLead(Bound.self))
    guard first <= last else { throw decoder.badBounds(Self.self) }
    self.init(_graphBounds: first, last)
  }
}

extension GDecoder {
  @inline(never)
  fileprivate func badBounds(_ type: Any.Type) -> GCodableError {
    invalidValue(type, "the bounds of a range are in the wrong order, or not numbers")
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Range: _GraphRange {
  public static var _graphMeaning: PackedFormat.Meaning { .range }
  public var _graphBounds: (Bound, Bound) { (lowerBound, upperBound) }
  public init(_graphBounds first: Bound, _ last: Bound) { self = first..<last }
}
extension Range: GEncodable, _GraphContainerEncodable, _GraphRangeEncodable where Bound: GEncodable {}
extension Range: GDecodable, _GraphRangeDecodable where Bound: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ClosedRange: _GraphRange {
  public static var _graphMeaning: PackedFormat.Meaning { .closedRange }
  public var _graphBounds: (Bound, Bound) { (lowerBound, upperBound) }
  public init(_graphBounds first: Bound, _ last: Bound) { self = first...last }
}
extension ClosedRange: GEncodable, _GraphContainerEncodable, _GraphRangeEncodable where Bound: GEncodable {}
extension ClosedRange: GDecodable, _GraphRangeDecodable where Bound: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeFrom: _GraphRange {
  public static var _graphMeaning: PackedFormat.Meaning { .partialRangeFrom }
  public var _graphBounds: (Bound, Bound) { (lowerBound, lowerBound) }
  public init(_graphBounds first: Bound, _ last: Bound) { self.init(first) }
}
extension PartialRangeFrom: GEncodable, _GraphContainerEncodable, _GraphRangeEncodable
where Bound: GEncodable {}
extension PartialRangeFrom: GDecodable, _GraphRangeDecodable where Bound: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeUpTo: _GraphRange {
  public static var _graphMeaning: PackedFormat.Meaning { .partialRangeUpTo }
  public var _graphBounds: (Bound, Bound) { (upperBound, upperBound) }
  public init(_graphBounds first: Bound, _ last: Bound) { self.init(last) }
}
extension PartialRangeUpTo: GEncodable, _GraphContainerEncodable, _GraphRangeEncodable
where Bound: GEncodable {}
extension PartialRangeUpTo: GDecodable, _GraphRangeDecodable where Bound: GDecodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeThrough: _GraphRange {
  public static var _graphMeaning: PackedFormat.Meaning { .partialRangeThrough }
  public var _graphBounds: (Bound, Bound) { (upperBound, upperBound) }
  public init(_graphBounds first: Bound, _ last: Bound) { self.init(last) }
}
extension PartialRangeThrough: GEncodable, _GraphContainerEncodable, _GraphRangeEncodable
where Bound: GEncodable {}
extension PartialRangeThrough: GDecodable, _GraphRangeDecodable where Bound: GDecodable {}
