import _GraphFiles
import _GraphSupport

// When tables are sent.

extension MessageEncoder {
  /// Begins with other tables, which `next` fills.
  func beginTables(by next: GEncoder) throws {
    (next.state.pointee.out, encoder.state.pointee.out) = (encoder.state.pointee.out, next.state.pointee.out)
    (encoder, numberRun) = (next, nil)
    try prepare()
    (sent, beginsTables, hasAdditions) = (MessageTables.Counts(), true, false)
    since = revision &+ 1
  }

  /// Sends what the last message has added to the tables, in front of the open frame.
  @inline(never)
  func sendTables() throws {
    // Messages of the frame do not need the additions, and do not mind them.
    guard let start = frameStart else { return }
    revision &+= 1
    if beginsTables {
      beginsTables = false
      try sendAllTables(at: start)
      return
    }
    let contents = encoder.tables.cumulative
    let frame = MessageFrame(
      .additions, number: nextNumber - UInt64(messageCount), revision: revision)
    let bytes = frame.bytes(body: MessageTables.additions(contents, since: sent), identifier)
    try put(bytes, at: start)
    frameStart = start + bytes.count
    (sent, hasAdditions) = (Self.counts(contents), true)
  }

  /// Sends all tables, in front of the open frame if there is one.
  func sendAllTables(at place: Int) throws {
    var tables = MessageTables()
    tables.contents = encoder.tables.cumulative
    tables.contents.userVersion = settings.binaryIOVersion
    tables.contents.metadata = Metadata(settings.metadata)
    (tables.identifier, tables.since) = (identifier, since)
    tables.position = position + UInt64(place)
    let frame = MessageFrame(.tables, number: nextNumber - UInt64(messageCount), revision: revision)
    let bytes = frame.bytes(body: tables.body, identifier)
    try put(bytes, at: place)
    if let frameStart { self.frameStart = frameStart + bytes.count }
    (sent, hasAdditions) = (Self.counts(tables.contents), false)
    (tablesPosition, tablesByteCount) = (tables.position, bytes.count)
  }

  private static func counts(_ contents: Contents) -> MessageTables.Counts {
    MessageTables.Counts(
      keys: contents.keys.count, classes: contents.classes.count, layouts: contents.layouts.count,
      shapes: contents.shapes.count)
  }
}
