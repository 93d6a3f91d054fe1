import Dispatch
import _GraphFiles
import _GraphSupport

// A dispatch time is stored as nanoseconds since the machine was started, and means nothing after a restart;
// in memory it is ticks, whose length differs between machines, so arrays of times are data units.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DispatchTime: _GraphLeafEncodable, _GraphLeafDecodable, _GraphPackable {
  public static var _graphPacked: PackedFormat { .unit }
  public static var _graphPlainKind: GraphKind { .uint64 }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try uptimeNanoseconds._graphWritePlain(encoder)
  }

  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> DispatchTime {
    DispatchTime(uptimeNanoseconds: try UInt64._graphRead(decoder, kind))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DispatchTime: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { uptimeNanoseconds.write(to: &wbuffer) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(uptimeNanoseconds: try UInt64(from: &rbuffer))
  }
}

extension DispatchTimeInterval: GPackCodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DispatchTimeInterval: BinaryIOType {
  /// The bytes of the units; their numbers are part of the format.
  private enum Unit: UInt8 { case seconds, milliseconds, microseconds, nanoseconds, never }

  /// - Throws: `invalidValue` for a unit that is newer than this package.
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let (unit, count): (Unit, Int) =
      switch self {
      case .seconds(let count): (.seconds, count)
      case .milliseconds(let count): (.milliseconds, count)
      case .microseconds(let count): (.microseconds, count)
      case .nanoseconds(let count): (.nanoseconds, count)
      case .never: (.never, 0)
      @unknown default: throw BinaryIOError.invalid(Self.self, "an interval in a unit not known")
      }
    unit.rawValue.write(to: &wbuffer)
    count.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let byte = try UInt8(from: &rbuffer)
    let count = try Int(from: &rbuffer)
    switch Unit(rawValue: byte) {
    case .seconds: self = .seconds(count)
    case .milliseconds: self = .milliseconds(count)
    case .microseconds: self = .microseconds(count)
    case .nanoseconds: self = .nanoseconds(count)
    case .never where count == 0: self = .never
    default: throw BinaryIOError.invalid(Self.self, "\(count) of unit \(byte)")
    }
  }
}
