import Foundation
import _GraphFiles

// An index set is a packed array of its ranges, an index path one of its indexes.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension IndexSet: _GraphContainerEncodable, GDecodable {
  @inlinable public static var _graphPlainKind: GraphKind { .packed }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writePackable([Range<Int>](rangeView))
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> IndexSet {
    guard kind == .packed else { return try decoder.readOther(IndexSet.self, kind) }
    try decoder.takeBox(stepCount: GDecoder.setStepCount)
    guard let set = IndexSet(ranges: try decoder.readPacked(Range<Int>.self)) else {
      throw decoder.invalidValue(IndexSet.self, "its ranges overlap, or are not in order")
    }
    return set
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }

  /// A set of ranges as `rangeView` has them; nil for others.
  private init?(ranges: [Range<Int>]) {
    self.init()
    var last = -1
    for range in ranges {
      // Foundation traps on the index `NSNotFound`, which is `Int.max`: no range of integers has it, but
      // one may end in front of it.
      guard range.lowerBound > last, !range.isEmpty else { return nil }
      insert(integersIn: range)
      last = range.upperBound
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension IndexSet: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try [Range<Int>](rangeView).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox(stepCount: GDecoder.setStepCount)
    guard let set = IndexSet(ranges: try [Range<Int>](from: &rbuffer)) else {
      throw BinaryIOError.invalid(IndexSet.self, "ranges that overlap, or are not in order")
    }
    self = set
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension IndexPath: _GraphContainerEncodable, GDecodable {
  @inlinable public static var _graphPlainKind: GraphKind { .packed }

  public func _graphWritePlain(_ encoder: GEncoder) throws { try encoder.writePackable([Int](self)) }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> IndexPath {
    guard kind == .packed else { return try decoder.readOther(IndexPath.self, kind) }
    return IndexPath(indexes: try decoder.readPacked(Int.self))
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension IndexPath: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try [Int](self).write(to: &wbuffer) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(indexes: try [Int](from: &rbuffer))
  }
}
