// A range whose bounds are packed scalars is both of them side by side, so arrays of such ranges are packed;
// one of bounds that write their own bytes is a data unit; others are records of their bounds. Bounds that
// no range can have, in the wrong order or not a number, are refused (in packed arrays when they are decoded).

/// How ranges of bounds that have a packed format lie themselves.
enum RangeFormat {
  /// The format of the bounds in a row; `unit` and `none` where bounds have these.
  static func of<Bound>(
    _ bound: PackedFormat, _ type: Bound.Type, _ meaning: PackedFormat.Meaning
  ) -> PackedFormat {
    if bound == .unit || bound == .none { return bound }
    // The bounds of a range stand at its start, so what counts is that one has no padding.
    let isTight = MemoryLayout<Bound>.size == bound.byteCount && MemoryLayout<Bound>.stride == bound.byteCount
    guard let scalar = bound.scalar, bound == PackedFormat(scalar), isTight else { return .none }
    let isPair = meaning == .range || meaning == .closedRange
    return PackedFormat(scalar, lanes: isPair ? 2 : 1, meaning: meaning)
  }

  static func kind(_ format: PackedFormat) -> GraphKind {
    format == .none ? .record : format == .unit ? .binary : .fixed
  }
}

extension GEncoder {
  /// - Throws: `invalidValue` for bounds that decoding would refuse.
  fileprivate func writeRange<Value: GEncodable>(_ range: Value, isOrdered: Bool) throws {
    guard isOrdered else { throw failed(BinaryIOError.badBounds(Value.self)) }
    switch Value._graphEncodedFormat {
    case .none: try writeRecord(range, encoderType(Value.self))
    case .unit: try writeUnit(range, UnitType(.one))
    case let format: try writeFixed(range, format)
    }
  }
}

extension GDecoder {
  fileprivate func readRange<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value {
    switch kind {
    case .fixed where Value._graphDecodedFormat.scalar != nil:
      // A format is declared only for ranges that are their bounds and nothing else.
      let range = try unsafe readFixed(type, Value._graphDecodedFormat).loadUnaligned(as: type)
      if let refuses = Value._graphRefuses, refuses(range) { throw badBounds(type) }
      return range
    case .binary where Value._graphDecodedFormat == .unit: return try readUnit(type, UnitType(.one))
    default: return try readOther(type, kind)
    }
  }

  fileprivate func bounds<Bound: GDecodable & Comparable>(_ type: Any.Type) throws -> (Bound, Bound) {
    let bounds: (Bound, Bound) = (try decodeOutOfLine(), try decodeOutOfLine())
    // Not `>`: a NaN is in no order at all.
    guard bounds.0 <= bounds.1 else { throw badBounds(type) }
    return bounds
  }

  fileprivate func bound<Bound: GDecodable & Comparable>(_ type: Any.Type) throws -> Bound {
    let bound: Bound = try decodeOutOfLine()
    guard bound == bound else { throw badBounds(type) }
    return bound
  }

  @inline(never)
  private func badBounds(_ type: Any.Type) -> GCodableError {
    invalidValue(type, "the bounds of a range are in the wrong order, or not numbers")
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Range: GEncodable, _GraphContainerEncodable where Bound: GEncodable {
  public static var _graphEncodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphEncodedFormat, Bound.self, .range)
  }
  public static var _graphPlainKind: GraphKind { RangeFormat.kind(_graphEncodedFormat) }
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRange(self, isOrdered: lowerBound <= upperBound)
  }

  public func encode(to encoder: GEncoder) throws {
    guard lowerBound <= upperBound else { throw BinaryIOError.badBounds(Self.self) }
    try encoder.encodeOutOfLine(lowerBound)
    try encoder.encodeOutOfLine(upperBound)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Range: GDecodable where Bound: GDecodable {
  public static var _graphDecodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphDecodedFormat, Bound.self, .range)
  }
  public static var _graphRefuses: ((Self) -> Bool)? { { !($0.lowerBound <= $0.upperBound) } }
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try decoder.readRange(Self.self, kind)
  }

  public init(from decoder: GDecoder) throws {
    let (lower, upper): (Bound, Bound) = try decoder.bounds(Self.self)
    self = lower..<upper
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ClosedRange: GEncodable, _GraphContainerEncodable where Bound: GEncodable {
  public static var _graphEncodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphEncodedFormat, Bound.self, .closedRange)
  }
  public static var _graphPlainKind: GraphKind { RangeFormat.kind(_graphEncodedFormat) }
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRange(self, isOrdered: lowerBound <= upperBound)
  }

  public func encode(to encoder: GEncoder) throws {
    guard lowerBound <= upperBound else { throw BinaryIOError.badBounds(Self.self) }
    try encoder.encodeOutOfLine(lowerBound)
    try encoder.encodeOutOfLine(upperBound)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ClosedRange: GDecodable where Bound: GDecodable {
  public static var _graphDecodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphDecodedFormat, Bound.self, .closedRange)
  }
  public static var _graphRefuses: ((Self) -> Bool)? { { !($0.lowerBound <= $0.upperBound) } }
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try decoder.readRange(Self.self, kind)
  }

  public init(from decoder: GDecoder) throws {
    let (lower, upper): (Bound, Bound) = try decoder.bounds(Self.self)
    self = lower...upper
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeFrom: GEncodable, _GraphContainerEncodable where Bound: GEncodable {
  public static var _graphEncodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphEncodedFormat, Bound.self, .partialRangeFrom)
  }
  public static var _graphPlainKind: GraphKind { RangeFormat.kind(_graphEncodedFormat) }
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRange(self, isOrdered: lowerBound == lowerBound)
  }

  public func encode(to encoder: GEncoder) throws {
    guard lowerBound == lowerBound else { throw BinaryIOError.badBounds(Self.self) }
    try encoder.encodeOutOfLine(lowerBound)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeFrom: GDecodable where Bound: GDecodable {
  public static var _graphDecodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphDecodedFormat, Bound.self, .partialRangeFrom)
  }
  public static var _graphRefuses: ((Self) -> Bool)? { { !($0.lowerBound == $0.lowerBound) } }
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try decoder.readRange(Self.self, kind)
  }

  public init(from decoder: GDecoder) throws {
    self.init(try decoder.bound(Self.self))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeUpTo: GEncodable, _GraphContainerEncodable where Bound: GEncodable {
  public static var _graphEncodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphEncodedFormat, Bound.self, .partialRangeUpTo)
  }
  public static var _graphPlainKind: GraphKind { RangeFormat.kind(_graphEncodedFormat) }
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRange(self, isOrdered: upperBound == upperBound)
  }

  public func encode(to encoder: GEncoder) throws {
    guard upperBound == upperBound else { throw BinaryIOError.badBounds(Self.self) }
    try encoder.encodeOutOfLine(upperBound)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeUpTo: GDecodable where Bound: GDecodable {
  public static var _graphDecodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphDecodedFormat, Bound.self, .partialRangeUpTo)
  }
  public static var _graphRefuses: ((Self) -> Bool)? { { !($0.upperBound == $0.upperBound) } }
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try decoder.readRange(Self.self, kind)
  }

  public init(from decoder: GDecoder) throws {
    self.init(try decoder.bound(Self.self))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeThrough: GEncodable, _GraphContainerEncodable where Bound: GEncodable {
  public static var _graphEncodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphEncodedFormat, Bound.self, .partialRangeThrough)
  }
  public static var _graphPlainKind: GraphKind { RangeFormat.kind(_graphEncodedFormat) }
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRange(self, isOrdered: upperBound == upperBound)
  }

  public func encode(to encoder: GEncoder) throws {
    guard upperBound == upperBound else { throw BinaryIOError.badBounds(Self.self) }
    try encoder.encodeOutOfLine(upperBound)
  }
}
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PartialRangeThrough: GDecodable where Bound: GDecodable {
  public static var _graphDecodedFormat: PackedFormat {
    RangeFormat.of(Bound._graphDecodedFormat, Bound.self, .partialRangeThrough)
  }
  public static var _graphRefuses: ((Self) -> Bool)? { { !($0.upperBound == $0.upperBound) } }
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try decoder.readRange(Self.self, kind)
  }

  public init(from decoder: GDecoder) throws {
    self.init(try decoder.bound(Self.self))
  }
}
