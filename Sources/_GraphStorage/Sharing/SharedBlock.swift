import _GraphFiles

/// A block that is ready to be written to a `SharingSink`, or stored there already.
struct SharedBlock {
  var ready: ReadyBlock
  /// Where the block is stored already, in the file.
  var place: UInt64?
  /// What it is made from, if it is a change of another block.
  var derived: DerivedBlock?
  /// The bytes of its last run, which has no place yet.
  var change: [UInt8] = []
  /// See `StoredBlocks`.
  var key: StoredBlocks.Key?
  /// Of the whole block before filters and compression; nil if not computed.
  var content: Fingerprint?
  /// The number of the method that has made the bytes; nil where it is not known.
  var method: Int32?
  /// Where it is in its array, if the next entries may be stored as differences to it.
  var keyPosition: StoredBlocks.ArrayPosition?
  /// What the next version of the block may be made of.
  var version: (position: StoredBlocks.Position, samples: BlockSamples, level: Int32?, rawHash: UInt64)?

  var stored: UnsafeRawBufferPointer? { unsafe ready.stored }
  var rawByteCount: Int { ready.rawByteCount }
  var entry: Segment.Block { ready.entry }

  init(_ ready: ReadyBlock) { self.ready = ready }

  /// A block that is stored already.
  init(_ place: StoredBlocks.Location, rawByteCount: Int) {
    ready = ReadyBlock(
      Segment.Block(storedByteCount: place.byteCount, hash: place.hash), rawByteCount: rawByteCount)
    self.place = place.offset
    derived = place.derived
  }

  /// A block stored as a change of another one.
  ///
  /// - Parameter plain: the block as it would be stored by itself.
  init(_ plain: SharedBlock, _ derived: DerivedBlock, _ change: [UInt8]) {
    ready = ReadyBlock(plain.entry, rawByteCount: plain.rawByteCount)
    (key, method, content, version) = (plain.key, plain.method, plain.content, plain.version)
    (self.derived, self.change) = (derived, change)
  }
}
