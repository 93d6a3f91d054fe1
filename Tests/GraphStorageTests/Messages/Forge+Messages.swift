import CGraphArchive

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

  /// The head of a frame with its checksum.
  static func sealedHead(_ head: [UInt8], identifier: UInt64) -> [UInt8] {
    let hash = head.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, 28) } ^ identifier
    return head.prefix(28) + (0..<4).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
  }
}
