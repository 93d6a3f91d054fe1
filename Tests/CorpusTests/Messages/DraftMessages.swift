import GraphCodable

/// A stream of messages part by part, which need not keep the rules of the format.
struct DraftMessages {
  var magic = Bytes("gcstream".utf8)
  var version: UInt16 = 1
  var features: UInt16 = 0
  var identifier: UInt64 = 0x0123_4567_89AB_CDEF
  var frames: [Frame] = []
  /// Bytes behind the last frame.
  var rest: Bytes = []
  /// Changes the stream after everything has been hashed.
  var changeStream: (inout Bytes) -> Void = { _ in }

  struct Frame {
    var kind: UInt8 = 3
    var flags: UInt8 = 0
    var version: UInt8 = 1
    var reserved: UInt8 = 0
    var count: UInt32 = 1
    var number: UInt64 = 0
    var revision: UInt32 = 1
    var body: Bytes = []
    /// Bytes in front of the frame that are none.
    var front: Bytes = []

    /// A frame with all tables, or with additions.
    static func tables(
      _ kind: UInt8 = 1, number: UInt64 = 0, revision: UInt32 = 1, since: UInt64 = 1, flags: UInt8 = 0,
      metadata: [(String, String)] = [], extensions: [(UInt64, Bytes)] = [], keys: [String] = [],
      shapes: [Bytes] = [], rest: Bytes = []
    ) -> Frame {
      var body = [flags | (metadata.isEmpty ? 0 : 64) | (extensions.isEmpty ? 0 : 128)]
      if !metadata.isEmpty {
        body += varint(UInt64(metadata.count)) + metadata.flatMap { text($0.0) + text($0.1) }
      }
      if !extensions.isEmpty {
        body += varint(UInt64(extensions.count)) + extensions.flatMap { varint($0.0) + counted($0.1) }
      }
      body += varint(UInt64(keys.count)) + keys.flatMap { text($0) }
      body += varint(UInt64(shapes.count)) + joined(shapes) + rest
      var frame = Frame(kind: kind, count: 0, number: number, revision: revision, body: body)
      // Identifier and place come first; `bytes` knows them.
      if kind == 1 { frame.body = varint(since) + frame.body }
      return frame
    }

    /// Messages, each with its length.
    static func messages(_ messages: [Bytes], flags: UInt8 = 0, number: UInt64, revision: UInt32 = 1) -> Frame
    {
      Frame(
        flags: flags, count: UInt32(messages.count), number: number, revision: revision,
        body: joined(messages.map(counted)))
    }
  }

  init(_ frames: [Frame], _ change: (inout DraftMessages) -> Void = { _ in }) {
    self.frames = frames
    change(&self)
  }

  var bytes: Bytes {
    let header = join(magic, little(version), little(features), little(UInt32(0)), little(identifier))
    var stream = header + hash(header)
    for frame in frames {
      stream += frame.front
      let body =
        frame.kind == 1 ? join(little(identifier), little(UInt64(stream.count)), frame.body) : frame.body
      let head = join(
        [0xFF], Bytes("gcf".utf8), [frame.kind, frame.flags, frame.version, frame.reserved],
        little(UInt32(body.count)), little(frame.count), little(frame.number), little(frame.revision))
      let hashed = join(head, little(UInt32(truncatingIfNeeded: hashNumber(head) ^ identifier)), body)
      stream += hashed + little(hashNumber(hashed) ^ identifier)
    }
    stream += rest
    changeStream(&stream)
    return stream
  }
}
