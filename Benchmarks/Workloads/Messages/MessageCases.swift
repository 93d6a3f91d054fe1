/// The measurements of one coder on one small message after the other, each encoded and decoded by itself.
struct MessageCases<Message: Equatable, Bytes: Collection> {
  let workload: String
  let subject: Subject
  /// How much of the workload these messages are.
  var share = 1.0
  let messages: () throws -> [Message]
  let encode: (Message) throws -> Bytes
  let decode: (Bytes) throws -> Message

  var cases: [MeasuredCase] {
    [encoding, decoding]
  }

  private var encoding: MeasuredCase {
    MeasuredCase(label(.encode), share: share, prepare: messages) { messages in
      try messages.reduce(0) { try $0 + encode($1).count }
    } check: { messages, byteCount in
      for message in messages { try require(decode(encode(message)) == message) }
      return byteCount
    }
  }

  private var decoding: MeasuredCase {
    MeasuredCase(label(.decode), share: share) {
      try messages().map(encode)
    } work: { archives in
      var last: Message?
      for archive in archives { last = try decode(archive) }
      return last
    } check: { archives, last in
      let messages = try messages()
      try require(last == messages.last && archives.map(decode) == messages)
      return archives.reduce(0) { $0 + $1.count }
    }
  }

  private func label(_ operation: Operation) -> CaseLabel {
    CaseLabel(workload: workload, operation: operation, subject: subject)
  }
}

/// The measurements of all messages in one stream, and back.
struct StreamCases<Message: Equatable> {
  let workload: String
  let subject: Subject
  let messages: () throws -> [Message]
  let encode: ([Message]) throws -> [UInt8]
  let decode: ([UInt8]) throws -> [Message]

  var cases: [MeasuredCase] {
    [
      MeasuredCase(label(.encode), prepare: messages, work: encode) { messages, bytes in
        try require(decode(bytes) == messages)
        return bytes.count
      },
      MeasuredCase(label(.decode)) {
        try encode(messages())
      } work: {
        try decode($0)
      } check: { bytes, decoded in
        try require(decoded == messages())
        return bytes.count
      },
    ]
  }

  private func label(_ operation: Operation) -> CaseLabel {
    CaseLabel(workload: workload, operation: operation, subject: subject)
  }
}
