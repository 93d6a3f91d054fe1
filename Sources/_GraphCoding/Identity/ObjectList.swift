import CycleBreaking
import _GraphSupport

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
    let type: Pinned<EncoderType>
  }

  /// The number of the first object.
  var firstNumber: UInt32 = 0

  var count: Int { entries.count }

  var nextNumber: UInt32 { firstNumber + UInt32(entries.count) }

  /// Unchecked: used with numbers that `append` has given.
  subscript(number: UInt32) -> Entry { entries[Int(number - firstNumber)] }

  @unsafe func deallocate() {
    releaseOneByOne(kept.count) { kept.pinned($0) }
    unsafe kept.deallocate()
    unsafe entries.deallocate()
    unsafe outOfOrder.deallocate()
  }

  /// Gives an object the next number, and retains it.
  mutating func append(_ instance: Held<AnyObject>, _ type: Pinned<EncoderType>) -> UInt32 {
    kept.append(instance.retain())
    return appendUnretained(instance, type)
  }

  /// Gives an element of an array the next number, and retains the array in place of each of its elements.
  mutating func append(
    _ instance: Held<AnyObject>, _ type: Pinned<EncoderType>, in array: inout ArrayStorage
  ) -> UInt32 {
    guard let storage = array.storage else { return append(instance, type) }
    if !array.isKept {
      kept.append(storage.retain())
      array.isKept = true
    }
    return appendUnretained(instance, type)
  }

  private mutating func appendUnretained(
    _ instance: Held<AnyObject>, _ type: Pinned<EncoderType>
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

/// A value with an identity, held as an object while its graph is encoded or decoded.
@usableFromInline
final class ValueBox<Value> {
  @usableFromInline let value: Value
  init(_ value: Value) { self.value = value }

  /// Bytes on the heap.
  static var byteCount: Int { allocatedByteCount(ofInstanceOf: Self.self) }
}

/// An identity other than an address: those of different types are different.
struct Identity: Hashable {
  let type: ObjectIdentifier
  let id: AnyHashable
}
