import CGraphArchive

/// The objects of a graph by number, with those that are to be encoded in the order of their discovery.
///
/// Each object is retained from the moment it gets a number, by itself or with the array that it was found in: an
/// address is an identity only as long as the object lives, and one made inside `encode(to:)` could be freed and its
/// address used again.
struct ObjectList {
  private var entries = ChunkedList<Entry>()
  /// What is retained, in the order of discovery.
  private var kept = ChunkedList<Held<AnyObject>?>()
  /// How many of the first numbers are on the work list in order, in front of all others.
  private var inOrderCount: UInt32 = 0
  /// The rest of the work list.
  private var outOfOrder = ChunkedList<UInt32>()

  struct Entry: BitwiseCopyable {
    let instance: Held<AnyObject>
    let type: Stored<EncoderType>
  }

  /// The number of the first object.
  var firstNumber: UInt32 = 0

  var count: Int { entries.count }

  var nextNumber: UInt32 { firstNumber + UInt32(entries.count) }

  /// Unchecked: used with numbers that `append` has given.
  subscript(number: UInt32) -> Entry { entries[Int(number - firstNumber)] }

  func deallocate() {
    releaseOneByOne(kept.count) { kept.place($0) }
    kept.deallocate()
    entries.deallocate()
    outOfOrder.deallocate()
  }

  /// Numbers are 31 bits, so that the identity table has one to spare.
  static let maximumCount = (1 << 31) - 1

  /// Gives an object the next number, and retains it.
  mutating func append(_ instance: Held<AnyObject>, _ type: Stored<EncoderType>) -> UInt32 {
    kept.append(instance.retain())
    return appendUnretained(instance, type)
  }

  /// Gives an element of an array the next number, and retains the array in place of each of its elements.
  mutating func append(
    _ instance: Held<AnyObject>, _ type: Stored<EncoderType>, in array: inout ArrayStorage
  ) -> UInt32 {
    guard let storage = array.storage else { return append(instance, type) }
    if !array.isKept {
      kept.append(storage.retain())
      array.isKept = true
    }
    return appendUnretained(instance, type)
  }

  private mutating func appendUnretained(
    _ instance: Held<AnyObject>, _ type: Stored<EncoderType>
  ) -> UInt32 {
    let number = nextNumber
    entries.append(Entry(instance: instance, type: type))
    return number
  }

  // MARK: The work list

  /// The length of the work list.
  var enqueuedCount: Int { Int(inOrderCount) + outOfOrder.count }

  /// Whether the work list has all objects in the order of their numbers.
  var isInOrder: Bool { Int(inOrderCount) == entries.count }

  /// Puts an object on the work list.
  mutating func enqueue(_ number: UInt32) {
    if outOfOrder.count == 0, number == firstNumber + inOrderCount {
      inOrderCount += 1
    } else {
      outOfOrder.append(number)
    }
  }

  /// The number of the object at a place of the work list; unchecked: used with places below `enqueuedCount`.
  func enqueued(_ place: Int) -> UInt32 {
    place < inOrderCount ? firstNumber + UInt32(place) : outOfOrder[place - Int(inOrderCount)]
  }

  /// Brings the object at a place of the work list closer, which will be encoded soon.
  func prefetch(_ place: Int) {
    guard place < enqueuedCount else { return }
    self[enqueued(place)].instance.prefetch()
  }
}

/// The object behind an array, which holds the elements: whoever changes the array while somebody else retains the
/// object changes a copy.
@usableFromInline
struct ArrayStorage {
  /// 0 where the array is not known to be one reference.
  @usableFromInline let address: UInt
  fileprivate(set) var isKept = false

  /// No array.
  init() { address = 0 }

  /// That of a collection; nothing is known of a part of an array.
  @inlinable
  init<List: Collection>(of list: borrowing List) {
    #if canImport(ObjectiveC)
      let isReference = List.self == ContiguousArray<List.Element>.self  // An `Array` may be an `NSArray`.
    #else
      let isReference = List.self == ContiguousArray<List.Element>.self || List.self == [List.Element].self
    #endif
    address = isReference ? unsafe unsafeBitCast(copy list, to: UInt.self) : 0  // One reference, never nil.
  }

  fileprivate var storage: Held<AnyObject>? {
    // The caller of `append` has the array.
    unsafe Held(address: address)
  }
}

/// A list of elements that stay where they are while it grows.
///
/// Each chunk is twice as large as the one before, so none is copied and at most half the memory is unused.
@safe  // The owner outlives it. Indices are those of elements, which a build for debugging checks.
struct ChunkedList<Element: BitwiseCopyable> {
  private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>?
  /// Where the next element goes.
  private var next: UnsafeMutablePointer<Element>?
  /// How many elements there is room for.
  private var capacity = 0
  private(set) var count = 0

  /// As a power of two.
  private static var firstChunkBits: Int { 5 }

  /// The chunk of an element: the first one has 2^5, so 2^5 more than its index has its top bit at chunk + 5.
  private static func chunk(_ index: Int) -> Int {
    Int.bitWidth - 1 - (index + (1 << firstChunkBits)).leadingZeroBitCount - firstChunkBits
  }

  func deallocate() {
    guard let chunks = unsafe chunks else { return }
    for chunk in 0...Self.chunk(count - 1) { unsafe chunks[chunk].deallocate() }
    unsafe chunks.deallocate()
  }

  /// Unchecked: used with indices below `count` only.
  subscript(index: Int) -> Element { place(index).pointee }

  /// Where an element is; unchecked, as the subscript.
  func place(_ index: Int) -> Stored<Element> {
    assert(index < count)
    let chunk = Self.chunk(index)
    let first = (1 << (chunk + Self.firstChunkBits)) - (1 << Self.firstChunkBits)
    // The element is there, so its chunk is.
    return unsafe Stored(at: chunks.unsafelyUnwrapped[chunk] + (index - first))
  }

  mutating func append(_ element: Element) {
    if count == capacity { addChunk() }
    unsafe next.unsafelyUnwrapped.initialize(to: element)  // There is room for it.
    unsafe next = next.unsafelyUnwrapped + 1
    count += 1
  }

  private mutating func addChunk() {
    let chunk = Self.chunk(count)
    let chunks = unsafe self.chunks ?? .allocate(capacity: Int.bitWidth - Self.firstChunkBits)
    let added = 1 << (chunk + Self.firstChunkBits)
    let elements = UnsafeMutablePointer<Element>.allocate(capacity: added)
    unsafe gca_memory_expect_fill(elements, added * MemoryLayout<Element>.stride)
    unsafe (chunks + chunk).initialize(to: elements)
    unsafe self.chunks = chunks
    unsafe next = elements
    capacity += added
  }
}

/// An array behind a pointer: no exclusivity check and no reference count at each access.
@safe  // As `ChunkedList`.
struct Growable<Element: BitwiseCopyable> {
  private var elements: UnsafeMutablePointer<Element>
  private var capacity = 16
  private(set) var count = 0

  init() { unsafe elements = .allocate(capacity: capacity) }

  func deallocate() { unsafe elements.deallocate() }

  /// Unchecked: used with indices below `count` only.
  subscript(index: Int) -> Element {
    get { unsafe elements[index] }
    nonmutating set { unsafe elements[index] = newValue }
  }

  /// Where an element is until more are appended; unchecked, as the subscript.
  func place(_ index: Int) -> Stored<Element> {
    assert(index < count)
    return unsafe Stored(at: elements + index)
  }

  mutating func append(repeating element: Element, count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    unsafe (elements + count).initialize(repeating: element, count: added)
    count += added
  }

  mutating func removeLast(_ removed: Int) { count -= removed }

  mutating func removeLast() -> Element {
    count -= 1
    return unsafe elements[count]
  }

  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    unsafe (elements + count).initialize(to: element)
    count += 1
  }

  private mutating func grow(to least: Int) {
    let grownCapacity = max(2 * capacity, least)
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: grownCapacity)
    unsafe grown.moveInitialize(from: elements, count: count)
    unsafe elements.deallocate()
    unsafe elements = grown
    capacity = grownCapacity
  }
}

/// A value with an identity, held as an object while its graph is encoded or decoded.
@usableFromInline
final class ValueBox<Value> {
  @usableFromInline let value: Value
  init(_ value: Value) { self.value = value }
}

/// An identity other than an address: those of different types are different.
struct Identity: Hashable {
  let type: ObjectIdentifier
  let id: AnyHashable
}

/// An array whose elements stay where they are until they are written to the archive.
struct BulkArray {
  let byteCount: Int
  let elementByteCount: Int
  let format: PackedFormat
  /// Elements from the start of a row to the start of the next, in all dimensions but the first; 0 or 1 where there are
  /// no rows.
  var rowElementCount = 0
  /// What the elements are stored to; nil for exactly.
  var precision: GPrecision?
  /// How they are rounded to it in place; nil where they are not.
  var rounding: Rounding?
  /// Keeps the elements alive and unchanged, and shows them.
  let owner: any PackedOwner
  /// Where the elements are copied from as they are stored; nil where the owner has them.
  var copy: SegmentCopy?
}
