// The times of schedulers are stored as the time that each of them holds. Linux has no Combine, and none of them.

#if canImport(Combine)
  import Combine
  import Dispatch
  import Foundation

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension DispatchQueue.SchedulerTimeType: _GraphLeafEncodable, _GraphLeafDecodable {
    public static var _graphPlainKind: GraphKind { DispatchTime._graphPlainKind }

    public func _graphWritePlain(_ encoder: GEncoder) throws { try dispatchTime._graphWritePlain(encoder) }

    public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
      Self(try DispatchTime._graphRead(decoder, kind))
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension DispatchQueue.SchedulerTimeType: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) { dispatchTime.write(to: &wbuffer) }
    public init(from rbuffer: inout BinaryReadBuffer) throws { self.init(try DispatchTime(from: &rbuffer)) }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension RunLoop.SchedulerTimeType: _GraphLeafEncodable, _GraphLeafDecodable {
    public static var _graphPlainKind: GraphKind { Date._graphPlainKind }

    public func _graphWritePlain(_ encoder: GEncoder) throws { try date._graphWritePlain(encoder) }

    public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
      Self(try Date._graphRead(decoder, kind))
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension RunLoop.SchedulerTimeType: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) { date.write(to: &wbuffer) }
    public init(from rbuffer: inout BinaryReadBuffer) throws { self.init(try Date(from: &rbuffer)) }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension OperationQueue.SchedulerTimeType: _GraphLeafEncodable, _GraphLeafDecodable {
    public static var _graphPlainKind: GraphKind { Date._graphPlainKind }

    public func _graphWritePlain(_ encoder: GEncoder) throws { try date._graphWritePlain(encoder) }

    public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
      Self(try Date._graphRead(decoder, kind))
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension OperationQueue.SchedulerTimeType: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) { date.write(to: &wbuffer) }
    public init(from rbuffer: inout BinaryReadBuffer) throws { self.init(try Date(from: &rbuffer)) }
  }
#endif
