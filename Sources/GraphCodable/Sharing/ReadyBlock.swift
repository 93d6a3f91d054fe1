import CGraphArchive

/// A block that is ready to be written, or is stored already.
@safe  // Its bytes are those of a call that outlives it.
struct ReadyBlock {
  /// nil where the block is stored already.
  let stored: UnsafeRawBufferPointer?
  let rawByteCount: Int
  let entry: Segment.Block
  /// Where the block is stored already, in the file.
  var place: UInt64?
  /// What it is made of, where it is a change of another block.
  var derived: DerivedBlock?
  /// The bytes of its last run, which has no place yet.
  var change: [UInt8] = []
  /// See `StoredBlocks`.
  var key: StoredBlocks.Key?
  /// Of the whole block before filters and compression; nil where nobody has looked at it.
  var content: Fingerprint?
  /// The number of the method that has made the bytes; nil where it is not known.
  var method: Int32?
  /// Where it is in its array, if the next entries may be stored as differences to it.
  var keyPosition: StoredBlocks.ArrayPosition?
  /// What the next version of the block may be made of.
  var version: (position: StoredBlocks.Position, samples: BlockSamples, level: Int32?, rawHash: UInt64)?

  init(_ stored: UnsafeRawBufferPointer, rawByteCount: Int) {
    unsafe self.stored = unsafe stored
    self.rawByteCount = rawByteCount
    entry = unsafe Segment.Block(
      storedByteCount: UInt32(stored.count), hash: gca_hash64_bytes(stored.baseAddress, stored.count))
  }

  /// A block that is stored already.
  init(_ place: StoredBlocks.Place, rawByteCount: Int) {
    unsafe stored = nil
    self.rawByteCount = rawByteCount
    entry = Segment.Block(storedByteCount: place.byteCount, hash: place.hash)
    self.place = place.offset
    derived = place.derived
  }

  /// A block that is stored as a change of another one.
  ///
  /// - Parameter plain: the block as it would be stored by itself.
  init(_ plain: ReadyBlock, _ derived: DerivedBlock, _ change: [UInt8]) {
    unsafe stored = nil
    (rawByteCount, entry, key, method) = (plain.rawByteCount, plain.entry, plain.key, plain.method)
    (content, version) = (plain.content, plain.version)
    (self.derived, self.change) = (derived, change)
  }
}
