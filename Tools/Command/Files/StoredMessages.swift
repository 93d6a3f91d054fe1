import GraphCodable

/// A stream of messages in a file, which is read from its start each time.
struct StoredMessages {
  let file: ArchiveFile

  func reader() throws -> GraphMessageReader {
    switch file {
    case .file(let url): try GraphMessageReader(url)
    case .source(let source): try GraphMessageReader(source: source)
    }
  }

  /// Calls `visit` with each message that can be read.
  ///
  /// - Returns: the damage in place of the others, and the bytes of a frame that is not complete.
  func visit(_ visit: (GraphMessage) throws -> Void) throws -> (
    damage: [GraphMessageDamage], incompleteByteCount: Int
  ) {
    let reader = try reader()
    var damage: [GraphMessageDamage] = []
    while true {
      do {
        guard let message = try reader.nextMessage() else { return (damage, reader.incompleteByteCount) }
        try visit(message)
      } catch let found as GraphMessageDamage { damage.append(found) }
    }
  }

  /// The message that is meant; the last one if none is.
  ///
  /// - Throws: `valueNotFound` when there is none like that.
  func message(_ choice: EntryChoice?) throws -> GraphMessage {
    let reader = try reader()
    var last: GraphMessage?
    while true {
      do {
        guard let message = try reader.nextMessage() else { break }
        if case .number(let number)? = choice, message.number == UInt64(number) { return message }
        last = message
      } catch _ as GraphMessageDamage { continue }  // The message that is meant may be behind it.
    }
    switch choice {
    case .number(let number):
      throw GCodableError(.valueNotFound, "the stream has no message \(number) that can be read")
    case .step, .time:
      throw GCodableError(.valueNotFound, "messages have numbers, and neither steps nor times: see --entry")
    case .last, nil: break
    }
    guard let last else { throw GCodableError(.valueNotFound, "the stream has no messages") }
    return last
  }
}
