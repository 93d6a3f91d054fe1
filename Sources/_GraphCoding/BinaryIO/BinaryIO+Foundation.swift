import Foundation

// The types of Foundation that are packed or leaves in a graph; the others are in the files that make them
// codable, in Types.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    count.write(to: &wbuffer)
    unsafe withUnsafeBytes { unsafe wbuffer.append($0) }
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let count = try rbuffer.takeCount(elementByteCount: 1)
    self = try unsafe rbuffer.take(count) { unsafe Data($0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UUID: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    unsafe withUnsafeBytes(of: uuid) { unsafe wbuffer.append($0) }
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    unsafe self.init(
      uuid: try rbuffer.take(MemoryLayout<uuid_t>.size) { unsafe $0.loadUnaligned(as: uuid_t.self) })
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Date: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    timeIntervalSinceReferenceDate.write(to: &wbuffer)
  }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(timeIntervalSinceReferenceDate: try Double(from: &rbuffer))
  }
}
