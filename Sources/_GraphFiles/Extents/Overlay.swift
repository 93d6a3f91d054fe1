/// The bytes of overlays: repeatedly, how many bytes stay, how many are replaced, and the new bytes.
package enum Overlay {
  /// The overlay that turns `old` into `new`, which has as many bytes; nil if it is too long to be worth it.
  package static func bytes(
    from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, atMost limit: Int
  ) -> [UInt8]? {
    var builder = ByteBuilder()
    var (place, done) = (0, 0)
    while true {
      unsafe place = nextDifference(old, new, from: place)
      guard place < new.count else { return builder.bytes }
      let start = place
      unsafe place = endOfDifference(old, new, from: place)
      builder.varint(UInt64(start - done))
      builder.varint(UInt64(place - start))
      unsafe builder.append(Array(new[start..<place]))
      guard builder.bytes.count <= limit else { return nil }
      done = place
    }
  }

  private static func nextDifference(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    var place = start
    // Both have the bytes before the end.
    while place + 8 <= new.count,
      unsafe old.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        == new.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    {
      place += 8
    }
    while place < new.count, unsafe old[place] == new[place] { place += 1 }
    return place
  }

  /// Where at least four equal bytes follow; fewer would not be worth a separate run.
  private static func endOfDifference(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    var (place, equalCount) = (start, 0)
    while place < new.count, equalCount < 4 {
      unsafe equalCount = old[place] == new[place] ? equalCount + 1 : 0
      place += 1
    }
    return place - equalCount
  }

  /// Lays an overlay over a block.
  ///
  /// - Throws: `malformed`.
  static func apply(
    _ overlay: UnsafeRawBufferPointer, to block: UnsafeMutableRawBufferPointer
  ) throws {
    var parser = unsafe ByteParser(overlay, origin: 0, subject: "an overlay of a block")
    var place = 0
    while parser.left > 0 {
      let (kept, replaced) = (try parser.varint(), try parser.varint())
      guard kept <= UInt64(block.count - place), replaced <= UInt64(block.count - place) - kept,
        replaced <= UInt64(parser.left)
      else { throw parser.malformed("goes beyond the block") }
      place += Int(kept)
      let bytes = try unsafe parser.bytes(Int(replaced))
      unsafe UnsafeMutableRawBufferPointer(rebasing: block[place..<(place + bytes.count)]).copyMemory(
        from: bytes)
      place += bytes.count
    }
  }
}
