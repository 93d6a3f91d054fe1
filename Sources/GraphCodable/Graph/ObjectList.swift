import CGraphArchive

/// The objects of a graph by number, with those that are to be encoded in the order of their discovery.
///
/// Each object is retained from the moment it gets a number: an address is an identity only as long as
/// the object lives, and one made inside `encode(to:)` could be freed and its address used again.
struct ObjectList {
  private(set) var entries = Growable<Entry>()
  /// Numbers in the order in which the objects are encoded.
  private(set) var queue = Growable<UInt32>()

  struct Entry: BitwiseCopyable {
    let instance: Unmanaged<AnyObject>
    let type: UnsafeMutablePointer<EncoderType>
  }

  /// The number of the first object.
  var firstNumber: UInt32 = 0

  var count: Int { entries.count }

  var nextNumber: UInt32 { firstNumber + UInt32(entries.count) }

  /// Unchecked: used with numbers that `append` has given.
  subscript(number: UInt32) -> Entry { entries[Int(number - firstNumber)] }

  func deallocate() {
    // In the order of discovery: what an object releases is still held by its own entry, as a rule, so that
    // a long chain made inside `encode(to:)` is not released recursively.
    for index in 0..<entries.count { entries[index].instance.release() }
    entries.deallocate()
    queue.deallocate()
  }

  /// Numbers are 31 bits, so that the identity table has one to spare.
  static let maximumCount = (1 << 31) - 1

  /// Gives an object the next number.
  mutating func append(_ instance: Unmanaged<AnyObject>, _ type: UnsafeMutablePointer<EncoderType>) -> UInt32
  {
    let number = nextNumber
    entries.append(Entry(instance: instance.retain(), type: type))
    return number
  }

  /// Brings the object at a place of the work list closer, which will be encoded soon.
  func prefetch(_ place: Int) {
    guard place < queue.count else { return }
    gca_prefetch(self[queue[place]].instance.toOpaque())
  }

  /// Puts an object on the work list.
  mutating func enqueue(_ number: UInt32) { queue.append(number) }
}

/// An array behind a pointer: no exclusivity check and no reference count at each access.
struct Growable<Element: BitwiseCopyable> {
  private var elements: UnsafeMutablePointer<Element>
  private var capacity = 16
  private(set) var count = 0

  init() { elements = .allocate(capacity: capacity) }

  func deallocate() { elements.deallocate() }

  /// Unchecked: used with indices below `count` only.
  subscript(index: Int) -> Element {
    get { elements[index] }
    nonmutating set { elements[index] = newValue }
  }

  mutating func append(repeating element: Element, count added: Int) {
    for _ in 0..<added { append(element) }
  }

  mutating func removeLast(_ removed: Int) { count -= removed }

  mutating func removeLast() -> Element {
    count -= 1
    return elements[count]
  }

  mutating func append(_ element: Element) {
    if count == capacity {
      let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
      grown.moveInitialize(from: elements, count: count)
      elements.deallocate()
      elements = grown
      capacity *= 2
    }
    (elements + count).initialize(to: element)
    count += 1
  }
}

/// A value with an identity, held as an object while its graph is encoded or decoded.
final class ValueBox<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// An identity other than an address: those of different types are different.
struct Identity: Hashable {
  let type: ObjectIdentifier
  let id: AnyHashable
}

/// An array whose elements stay where they are until they are written to the archive.
struct BulkArray {
  let elements: PackedBytes
  let format: PackedFormat
  /// Keeps `elements` alive and unchanged.
  let owner: Any
}
