@testable import _GraphFiles

extension Forge {
  /// A frame of a stream of messages with its checksum.
  static func messageFrame(
    kind: UInt8, flags: UInt8 = 0, version: UInt8 = 1, number: UInt64, messageCount: UInt32 = 0,
    revision: UInt32, body: [UInt8], identifier: UInt64
  ) -> [UInt8] {
    var frame = MessageFrame(
      .init(rawValue: kind), .init(rawValue: flags), messageCount: messageCount, number: number,
      revision: revision)
    frame.version = version
    return frame.bytes(body: body, identifier)
  }
}
