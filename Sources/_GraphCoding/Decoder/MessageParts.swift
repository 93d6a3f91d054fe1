import _GraphFiles
import _GraphSupport

/// A message in two parts: how many objects it has and where they are, which those of flagged frames say, and its graph stream.
@safe  // Whoever has the message's bytes makes it, and outlives it.
package struct MessageParts {
  /// No tables, but the counts of objects.
  private(set) var counts = Contents()
  private var index: UnsafeRawBufferPointer
  let stream: UnsafeRawBufferPointer

  package init(_ message: UnsafeRawBufferPointer, isFlagged: Bool) throws {
    var parser = unsafe ByteParser(message, origin: 0, subject: "a message")
    unsafe index = UnsafeRawBufferPointer(start: nil, count: 0)
    if isFlagged { counts.objectCount = try parser.varint() }
    if counts.objectCount > 0 {
      let order = try parser.varint()
      counts.objectsAreInOrder = order == 0
      counts.storedObjectCount = order == 0 ? counts.objectCount : order - 1
      unsafe index = try unsafe parser.bytes(parser.count(of: "bytes of the object index"))
    }
    unsafe stream = try unsafe parser.bytes(parser.left)
    guard
      unsafe counts.objectCount == 0
        || counts.objectCountsArePlausible(stream: stream.count, index: index.count)
    else { throw parser.malformed("says \(counts.objectCount) objects, which cannot be in it") }
    guard unsafe !stream.isEmpty else { throw parser.malformed("has no graph stream") }
  }

  /// Where its objects are; nil where it has none.
  func objectIndex(_ limits: GraphDecoder.Limits) throws -> ObjectIndex? {
    guard counts.objectCount > 0 else { return nil }
    guard counts.objectCount <= UInt64(max(limits.objectCount, 0)) else {
      throw GraphDecoder.Limits.exceeded("a message has \(counts.objectCount) objects", "objectCount")
    }
    return try unsafe ObjectIndex(counts, index, streamByteCount: UInt64(stream.count))
  }

  /// The contents of an archive that has the message as its graph.
  package func contents(_ tables: MessageTables) -> Contents {
    var contents = tables.contents
    contents.objectCount = counts.objectCount
    contents.storedObjectCount = counts.storedObjectCount
    contents.objectsAreInOrder = counts.objectsAreInOrder
    contents.objectIndex = unsafe .embedded(Array(index))
    contents.graph = unsafe .embedded(Array(stream))
    return contents
  }
}

/// What decoding a message of up to 64 KiB may cost: computed once, because it takes as long as some fields.
struct MessageAllowance {
  let maximumDepth: Int32
  /// For elements, and for all values.
  let room: (Int, Int)
  let combiningMarkCount: Int
  let stepCount: Int

  init(_ limits: GraphDecoder.Limits) {
    let byteCount: UInt64 = 64 << 10
    maximumDepth = limits.depthInUse
    room = limits.room(of: byteCount, storedAs: byteCount, objectCount: 0)
    combiningMarkCount = max(limits.combiningMarkCount, 0)
    stepCount = limits.stepCount(of: byteCount, storedAs: byteCount)
  }
}
