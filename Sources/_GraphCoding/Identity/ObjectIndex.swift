import _GraphFiles
import _GraphSupport

/// Where the objects of an archive begin in its graph stream.
///
/// The index holds, for each stored object in the order of the stream, the distance from the one before as
/// a varint; then, if the objects are not in the order of their numbers, the number of each.
struct ObjectIndex {
  /// By number; `ObjectSlot.notStored` for those that are not in the archive.
  let offsets: [UInt64]
  /// The number of the object after each in the stream, or of none for the last one; empty if it is always the
  /// next number.
  let followers: [UInt32]
  /// Where the first object begins, or the stream ends.
  let rootEnd: UInt64

  /// For the arrays here and those used to make them.
  private static let byteCountPerObject = 2 * MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride

  /// Makes the bytes of an index while a graph is walked.
  struct Builder {
    private var builder = ByteBuilder()
    private var last: UInt64

    /// - Parameter start: where the graph stream begins.
    init(_ start: Int) { last = UInt64(start) }

    mutating func append(offset: UInt64) {
      builder.varint(offset - last)
      last = offset
    }

    consuming func bytes(_ objects: ObjectList) -> [UInt8] {
      if !objects.isInOrder {
        for place in 0..<objects.enqueuedCount { builder.varint(UInt64(objects.enqueued(place))) }
      }
      return builder.bytes
    }
  }

  /// Reads the index of an archive.
  ///
  /// The contents have checked that stream and index are large enough for the counts.
  ///
  /// - Throws: `malformed` if it cannot be the index of this stream; `noMemory`.
  init(_ contents: Contents, _ reader: ArchiveReader, streamByteCount: UInt64) throws {
    let bytes = try reader.bytes(of: contents.objectIndex)
    try unsafe self.init(contents, bytes.buffer, streamByteCount: streamByteCount)
  }

  /// Reads the index in some bytes.
  ///
  /// - Parameter contents: says how many objects there are.
  init(_ contents: Contents, _ bytes: UnsafeRawBufferPointer, streamByteCount: UInt64) throws {
    var parser = unsafe ByteParser(bytes, origin: 0, subject: "the object index")
    // For the tables below, and for the decoder's own.
    try MemoryRoom.require(
      Int(contents.objectCount), stride: Self.byteCountPerObject + MemoryLayout<ObjectSlot>.stride)
    var stored: [UInt64] = []
    stored.reserveCapacity(Int(contents.storedObjectCount))
    var last: UInt64 = 0
    for _ in 0..<contents.storedObjectCount {
      let (offset, overflow) = last.addingReportingOverflow(try parser.varint())
      // No object is empty, and the root precedes them all.
      guard !overflow, offset > last, offset < streamByteCount else {
        throw parser.malformed("leads to \(offset), outside of the stream or not behind the object before")
      }
      stored.append(offset)
      last = offset
    }
    rootEnd = stored.first ?? streamByteCount
    if contents.objectsAreInOrder {
      guard contents.objectCount == contents.storedObjectCount, parser.left == 0 else {
        throw parser.malformed("does not fit the number of objects")
      }
      offsets = stored
      followers = []
      return
    }
    var offsets = [UInt64](repeating: ObjectSlot.notStored, count: Int(contents.objectCount))
    var followers = [UInt32](repeating: UInt32(contents.objectCount), count: Int(contents.objectCount))
    var previous: Int?
    for offset in stored {
      let number = try parser.varint()
      guard number < contents.objectCount, offsets[Int(number)] == ObjectSlot.notStored else {
        throw parser.malformed("has object \(number) twice, or too high")
      }
      offsets[Int(number)] = offset
      if let previous { followers[previous] = UInt32(number) }
      previous = Int(number)
    }
    guard parser.left == 0 else { throw parser.malformed("goes on after its end") }
    self.offsets = offsets
    self.followers = followers
  }
}
