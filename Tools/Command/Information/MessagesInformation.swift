import GraphCodable

/// What a stream of messages consists of; its properties are the keys in JSON.
struct MessagesInformation: Information {
  let file: String
  let kind: FileKind
  let bytes: UInt64
  private(set) var messages = 0
  private(set) var frames = 0
  /// The numbers of the first and the last message that can be read.
  private(set) var first: UInt64?
  private(set) var last: UInt64?
  let metadata: [String: String]
  let damage: [Problem]
  /// Of a frame that is not complete.
  let unfinishedBytes: UInt64?

  init(_ stored: StoredMessages, of file: StoredFile) throws {
    (self.file, kind, bytes) = (file.name, file.kind, file.byteCount)
    var (count, frameCount, first, last): (Int, Int, UInt64?, UInt64?) = (0, 0, nil, nil)
    var frameOffset: UInt64?
    let (damage, incompleteByteCount) = try stored.visit { message in
      count += 1
      if message.frameOffset != frameOffset { frameCount += 1 }
      frameOffset = message.frameOffset
      first = first ?? message.number
      last = message.number
    }
    (messages, frames, self.first, self.last) = (count, frameCount, first, last)
    self.damage = damage.map { Problem($0) }
    unfinishedBytes = incompleteByteCount > 0 ? UInt64(incompleteByteCount) : nil
    metadata = try last == nil ? [:] : stored.message(.number(Int(first ?? 0))).archive().metadata
  }

  func write(to output: Output) throws {
    try output.line("\(file): stream, \(count(messages, "message", "messages")), \(grouped(bytes)) bytes")
    if let first, let last {
      try output.line("messages \(grouped(first)) to \(grouped(last)) in \(count(frames, "frame", "frames"))")
    }
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { try output.line("\(key): \(value)") }
    for problem in damage { try output.line(problem.text) }
    if let unfinishedBytes { try output.line(unfinishedText(unfinishedBytes, of: kind)) }
  }
}
