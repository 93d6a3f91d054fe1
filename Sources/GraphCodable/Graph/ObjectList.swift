/// The objects of a graph by number, with those that are to be encoded in the order of their discovery.
///
/// Each object is retained from the moment it gets a number: an address is an identity only as long as
/// the object lives, and one made inside `encode(to:)` could be freed and its address used again.
struct ObjectList {
  private(set) var entries: UnsafeMutablePointer<Entry>
  private var capacity = 16
  private(set) var count = 0
  /// Numbers in the order in which the objects are encoded.
  private(set) var queue: [UInt32] = []

  struct Entry {
    var instance: Unmanaged<AnyObject>
    var type: UnsafeMutablePointer<EncoderType>
  }

  init() { entries = .allocate(capacity: capacity) }

  func deallocate() {
    // One by one: releasing an array of objects would be the same, but an object may hold a long chain,
    // whose other members are in this list too and so outlive it; the chain is not released recursively.
    for index in 0..<count { entries[index].instance.release() }
    entries.deallocate()
  }

  /// Numbers are 31 bits, so that the identity table has one to spare.
  static let maximumCount = 1 << 31 - 1

  /// Gives an object the next number.
  mutating func append(_ instance: AnyObject, _ type: UnsafeMutablePointer<EncoderType>) -> UInt32 {
    if count == capacity {
      let grown = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
      grown.moveInitialize(from: entries, count: count)
      entries.deallocate()
      entries = grown
      capacity *= 2
    }
    (entries + count).initialize(to: Entry(instance: .passRetained(instance), type: type))
    count += 1
    return UInt32(count - 1)
  }

  /// Puts an object on the work list.
  mutating func enqueue(_ number: UInt32) { queue.append(number) }
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
  let bytes: UnsafeRawPointer
  let byteCount: Int
  let format: PackedFormat
  /// Keeps `bytes` alive and unchanged.
  let owner: Any
}
