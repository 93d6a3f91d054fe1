import _GraphFiles
import _GraphSupport

// Messages that are not as most of them.

extension MessageEncoder {
  /// Ends a message that has objects, or that is sent as an archive.
  @inline(never)
  func endLarge(
    _ writeRoot: (GEncoder) throws -> Void, at place: Int, _ index: consuming ObjectIndex.Builder
  ) throws {
    guard encoder.tables.bulk.isEmpty, encoder.tables.attributes == nil,
      byteCount - place <= Self.maximumByteCount
    else {
      return try sendArchive(writeRoot, at: place)
    }
    let objects = encoder.state.pointee.objects
    var place = place
    if flags.isEmpty { place = try beginFlagged(at: place) }
    let bytes = index.bytes(objects)
    var head = ByteBuilder()
    head.varint(UInt64(objects.count))
    head.varint(objects.isInOrder ? 0 : UInt64(objects.enqueuedCount) + 1)
    head.varint(UInt64(bytes.count))
    head.append(bytes)
    guard encoder.state.pointee.out.insert(byteCount: head.bytes.count - 1, at: place + 1) else {
      throw noMemory()
    }
    encoder.state.pointee.out.replaceBytes(at: place + 1, with: head.bytes)
    forgetObjects()
    try endMessage(at: place)
  }

  /// Lets the frame begin anew, with a count of objects in each message.
  ///
  /// - Returns: where the last message's length is now.
  private func beginFlagged(at place: Int) throws -> Int {
    guard let start = frameStart else { return place }
    var place = place
    if messageCount > 0 {
      try endFrame(from: start, to: place)
      place += 8
      guard encoder.state.pointee.out.insert(byteCount: MessageFrame.headByteCount, at: place) else {
        throw noMemory()
      }
      frameStart = place
      place += MessageFrame.headByteCount
    }
    flags = .objects
    guard encoder.state.pointee.out.insert(byteCount: 1, at: place + 1) else { throw noMemory() }
    return place
  }

  /// Sends a message with large arrays, or of many bytes.
  private func sendArchive(_ writeRoot: (GEncoder) throws -> Void, at place: Int) throws {
    forgetMessage(at: place)
    try endFrame()
    let archive: [UInt8] = try settings.archive(settings.walk(writeRoot))
    guard archive.count <= UInt32.max else {
      throw GCodableError(.limitExceeded, "a message has \(archive.count) bytes, more than a frame can have")
    }
    // Whoever joins the stream looks for them.
    if beginsTables {
      (revision, beginsTables) = (revision &+ 1, false)
      try sendAllTables(at: byteCount)
    }
    let frame = MessageFrame(.archive, messageCount: 1, number: nextNumber, revision: revision)
    try put(frame.bytes(body: archive, identifier), at: byteCount)
    nextNumber += 1
    try repeatTables()
  }

  func put(_ bytes: [UInt8], at place: Int) throws {
    guard encoder.state.pointee.out.insert(byteCount: bytes.count, at: place) else { throw noMemory() }
    encoder.state.pointee.out.replaceBytes(at: place, with: bytes)
  }

  /// Removes a message that is not sent like this.
  func forgetMessage(at place: Int) {
    forgetObjects()
    if !encoder.tables.bulk.isEmpty { encoder.tables.bulk = [] }
    encoder.tables.attributes = nil
    encoder.state.pointee.out.removeAll(from: place)
    if messageCount == 0, let start = frameStart {
      encoder.state.pointee.out.removeAll(from: start)
      frameStart = nil
    }
  }

  /// Forgets the objects of a message: identity ends with it.
  func forgetObjects() {
    encoder.state.pointee.forgetObjects()
    if !encoder.tables.identities.isEmpty { encoder.tables.identities = [:] }
    if !encoder.tables.anonymous.isEmpty { encoder.tables.anonymous = [:] }
  }

  /// Encodes a message that the encoder could not, if another one can; no byte of it is there after an error.
  @inline(never)
  func encodeAnew(
    _ writeRoot: (GEncoder) throws -> Void, at place: Int, after error: any Error
  ) throws {
    let next = settings.successor(of: encoder)
    forgetMessage(at: place)
    try endFrame()
    // What was written of it may have left the tables half full.
    try beginTables(by: next ?? settings.newEncoder)
    guard next != nil else { throw error }
    isWriting = false
    try encode(writeRoot)
  }
}
