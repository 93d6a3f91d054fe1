import _GraphFiles

/// What a series already stores, in a form that the writer can search.
///
/// Blocks are known by their fingerprint and by how many equal ones an archive has in front of them, so that no archive has a
/// place of the file twice. Blocks that this writer stored are trusted; those in the tables of earlier entries are compared byte
/// by byte when first used, because their writer may have been wrong, or malicious.
package struct StoredBlocks {
  /// What a block is found by.
  struct Key: Hashable {
    let fingerprint: Fingerprint
    /// Bytes before filters and compression.
    let rawByteCount: UInt32
    /// How many equal blocks precede it in the archive.
    let occurrence: UInt32
  }

  /// A block as it is stored.
  struct Location: Equatable {
    /// In the file.
    let offset: UInt64
    let byteCount: UInt32
    /// XXH3-64 of the stored bytes.
    let hash: UInt64
    /// The method by which this writer has made the bytes; nil where it has not.
    let method: Int32?
    /// Of the whole block before filters and compression, where this writer has looked at it; nil where it has not.
    var content: Fingerprint?
    /// What it is made of, where it is a change of another block; then that one is at `offset`.
    var derived: DerivedBlock?

    /// Whether it is not a change of another block.
    var isByItself: Bool { derived == nil }

    /// The bytes at `offset` of a block that is by itself.
    var run: DerivedBlock.Run { DerivedBlock.Run(offset: offset, byteCount: UInt64(byteCount)) }

    /// Behind the bytes at `offset`.
    var end: UInt64 { derived?.base.end ?? offset + UInt64(byteCount) }
  }

  /// Which block of a graph stream or an object index: the next version of it may differ in a few bytes.
  struct Position: Hashable {
    let kind: Segment.Kind
    let number: Int
  }

  /// The last version of a block.
  struct Version {
    var block: DerivedBlock
    let samples: BlockSamples
  }

  /// Which block of which array.
  struct ArrayPosition: Hashable {
    let segment: Int
    let block: Int
    /// Of the numbers that its elements consist of: 1, 2, 4 or 8.
    let numberByteCount: Int
    /// Of an element.
    let numberCount: Int
  }

  /// A block of the last key entry, to which later entries have differences.
  struct KeyBlock {
    let run: DerivedBlock.Run
    let rawByteCount: Int
    /// With which it is stored.
    let filters: [Segment.Filter]
  }

  /// Recently stored or found blocks, and earlier ones: the older half is forgotten first.
  private var recent: [Key: Location] = [:]
  private var older: [Key: Location] = [:]
  /// The last versions of blocks that this writer has stored.
  private(set) var versions: [Position: Version] = [:]
  /// The arrays' blocks of the last key entry that this writer has stored.
  var keyBlocks: [ArrayPosition: KeyBlock] = [:]
  /// Entries since then; nil where there was none.
  var countSinceKey: Int?
  /// The arrays of the last archive that this writer has stored, as far as it has looked at all their bytes.
  var arrays: [KnownArray.Key: KnownArray] = [:]
  /// The methods of blocks, by number.
  private var methods: [BlockMethod] = []

  /// How many blocks are kept of each half: 16 MiB or so.
  private static let halfCount = 1 << 17

  package init() {}

  subscript(key: Key) -> Location? { recent[key] ?? older[key] }

  mutating func add(_ place: Location, _ key: Key) {
    recent[key] = place
    guard recent.count >= Self.halfCount else { return }
    (older, recent) = (recent, [:])
  }

  mutating func add(_ version: Version, _ position: Position) { versions[position] = version }

  /// A method, by its number.
  func method(_ number: Int32) -> BlockMethod { methods[Int(number)] }

  /// The number of a method.
  mutating func number(of method: BlockMethod) -> Int32 {
    let known = methods.firstIndex { $0.makesSameBytes(as: method) }
    if let known { return Int32(known) }
    methods.append(method)
    return Int32(methods.count - 1)
  }
}

extension StoredBlocks {
  /// Counts equal blocks of an archive.
  struct Occurrences {
    private var counts: [Key: UInt32] = [:]

    /// The key of the next block with these bytes.
    mutating func key(_ fingerprint: Fingerprint, rawByteCount: Int) -> Key {
      let first = Key(fingerprint: fingerprint, rawByteCount: UInt32(rawByteCount), occurrence: 0)
      let occurrence = counts[first, default: 0]
      counts[first] = occurrence + 1
      return Key(
        fingerprint: fingerprint, rawByteCount: UInt32(rawByteCount), occurrence: occurrence)
    }
  }
}
