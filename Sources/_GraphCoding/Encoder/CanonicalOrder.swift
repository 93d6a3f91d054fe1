import CGraphArchive
import Foundation
import _GraphFiles
import _GraphSupport

/// How sets and dictionaries are written.
@usableFromInline
enum ElementOrder {
  /// As they iterate.
  case iteration
  /// Sorted by their encoded keys; see `GraphEncoder.Options.canonicalOrder`.
  case canonical
  /// As a list of encoded elements, sorted, in a key that is only compared with others.
  case compared
}

extension GEncoder {
  /// How containers whose keys are of a type are written.
  @inlinable
  func order<Key: GEncodable>(of type: Key.Type) -> ElementOrder {
    state.pointee.isCanonical ? canonicalOrder(of: type) : .iteration
  }

  @usableFromInline
  func canonicalOrder<Key: GEncodable>(of type: Key.Type) -> ElementOrder {
    tables.comparison.main == nil || hasLeafKeys(type) ? .canonical : .compared
  }

  private func hasLeafKeys<Key: GEncodable>(_ type: Key.Type) -> Bool {
    !state.pointee.isCareful && subject(of: type) is any _GraphLeafEncodable.Type
  }

  /// Elements sorted by how their keys are encoded.
  ///
  /// Numbers, strings and other leaves are compared by their bytes in the stream. Other keys are each encoded by a separate
  /// encoder, so that the numbers of shapes and objects do not depend on which key comes first: initially with one of the objects
  /// that they lead to, then, if two keys look alike, with more.
  ///
  /// - Complexity: O(n log n) comparisons, and n encodings of keys beyond that of the container.
  @usableFromInline
  func inCanonicalOrder<Element, Key: GEncodable>(
    _ elements: some Collection<Element>, by key: (Element) -> Key
  ) throws -> [Element] {
    try inCanonicalOrder(elements, by: key, then: Optional<(Element) -> Key>.none)
  }

  /// Elements sorted as above and, if their keys look alike, by something more.
  ///
  /// - Parameter more: is encoded like a key; the pair of key and value for those of dictionaries.
  @usableFromInline
  func inCanonicalOrder<Element, Key: GEncodable, More: GEncodable>(
    _ elements: some Collection<Element>, by key: (Element) -> Key, then more: ((Element) -> More)?
  ) throws -> [Element] {
    let elements = Array(elements)
    var order = Array(elements.indices)
    let alike =
      hasLeafKeys(Key.self)
      ? try sortLeaves(&order, elements.map(key))
      : try sort(&order, elements.count > 1 ? [0..<elements.count] : []) { key(elements[$0]) }
    if let more, !alike.isEmpty { _ = try sort(&order, alike) { more(elements[$0]) } }
    return order.map { elements[$0] }
  }

  /// Sorts runs of an order by how something is encoded.
  ///
  /// - Returns: the runs that still look alike.
  private func sort<Key: GEncodable>(
    _ order: inout [Int], _ runs: [Range<Int>], by key: (Int) -> Key
  ) throws -> [Range<Int>] {
    var unknown = runs
    var alike: [Range<Int>] = []
    for objectCount in CanonicalKey.objectCounts where !unknown.isEmpty {
      var next: [Range<Int>] = []
      for run in unknown {
        let keys = try order[run].map { index in
          (index, try CanonicalKey(of: key(index), objectCount: objectCount, in: self))
        }.sortedOutOfLine { $0.1.bytes.lexicographicallyPrecedes($1.1.bytes) }
        order.replaceSubrange(run, with: keys.map(\.0))
        var start = 0
        for end in 1...keys.count where end == keys.count || keys[end].1.bytes != keys[start].1.bytes {
          let same = (run.lowerBound + start)..<(run.lowerBound + end)
          if same.count > 1 { keys[start].1.isWhole ? alike.append(same) : next.append(same) }
          start = end
        }
      }
      unknown = next
    }
    return alike + unknown
  }

  /// The elements of a container inside a key: each encoded by itself, sorted.
  ///
  /// The order of two that look alike then makes no difference. The elements share the number of objects that may be encoded with
  /// the key, so that this ends; those of a container in the key itself have at least one.
  @usableFromInline
  func canonicalKeys<Element>(
    of elements: some Collection<Element>, _ encodable: (Element) -> some GEncodable
  ) throws -> [[UInt8]] {
    let share = tables.comparison.objectCount / max(elements.count, 1)
    let objectCount = tables.comparison.main?.tables.comparison.main == nil ? max(share, 1) : share
    let keys = try elements.map { try CanonicalKey(of: encodable($0), objectCount: objectCount, in: self) }
    if keys.contains(where: { !$0.isWhole }) { tables.comparison.leavesOut = true }
    return keys.map(\.bytes).sortedOutOfLine { $0.lexicographicallyPrecedes($1) }
  }

  /// Sorts leaves by their bytes, borrowing the end of the stream.
  ///
  /// - Returns: the runs that look alike: of keys that are not equal to themselves.
  private func sortLeaves<Key: GEncodable>(_ order: inout [Int], _ keys: [Key]) throws -> [Range<Int>] {
    let start = state.pointee.out.count
    var ends: [Int] = []
    ends.reserveCapacity(keys.count)
    for key in keys {
      try key._graphWrite(self)
      ends.append(state.pointee.out.count)
    }
    defer { state.pointee.out.removeAll(from: start) }
    let stream = unsafe state.pointee.out.bytes  // Nothing is written meanwhile.
    var slots = keys.indices.map { index in
      unsafe LeafSlot(stream, from: index == 0 ? start : ends[index - 1], to: ends[index], index: index)
    }
    slots.sort { one, other in
      unsafe one.prefix == other.prefix ? one.precedes(other, in: stream) : one.prefix < other.prefix
    }
    order = slots.map(\.index)
    var alike: [Range<Int>] = []
    var first = 0
    for next in slots.indices.dropFirst() where unsafe slots[first].precedes(slots[next], in: stream) {
      if next - first > 1 { alike.append(first..<next) }
      first = next
    }
    if slots.count - first > 1 { alike.append(first..<slots.count) }
    return alike
  }
}

/// A leaf's bytes in the stream, with the first eight at hand.
private struct LeafSlot {
  let prefix: UInt64
  let start: Int
  let end: Int
  let index: Int

  init(_ stream: UnsafeRawBufferPointer, from start: Int, to end: Int, index: Int) {
    (self.start, self.end, self.index) = (start, end, index)
    var prefix: UInt64 = 0
    for place in start..<(start + 8) {
      prefix = unsafe prefix << 8 | (place < end ? UInt64(stream[place]) : 0)
    }
    self.prefix = prefix
  }

  func precedes(_ other: Self, in stream: UnsafeRawBufferPointer) -> Bool {
    // Start and end are positions in the stream, from `sortLeaves`.
    guard let base = stream.baseAddress else { return false }
    let (count, otherCount) = (end - start, other.end - other.start)
    let difference = unsafe memcmp(base + start, base + other.start, min(count, otherCount))
    return difference == 0 ? count < otherCount : difference < 0
  }
}

/// A key encoded separately, as a function of its content alone: no number in it depends on other keys.
private struct CanonicalKey {
  let bytes: [UInt8]
  /// Whether the bytes contain all objects that the key leads to.
  let isWhole: Bool

  /// How many objects are encoded with a key, as long as others look the same.
  static let objectCounts = [1, 16, 256]

  init(of key: some GEncodable, objectCount: Int, in main: GEncoder) throws {
    do { try self.init(of: key, objectCount: objectCount, by: main.comparingEncoder()) } catch {
      guard let encoder = main.tables.comparison.encoder, encoder.tables.isFull else { throw error }
      try self.init(of: key, objectCount: objectCount, by: main.comparingEncoder())
    }
  }

  private init(of key: some GEncodable, objectCount: Int, by encoder: GEncoder) throws {
    encoder.tables.comparison.objectCount = objectCount
    isWhole =
      try encoder.encodeGraph({ try $0.writeRoot(key) }, atMost: objectCount)
      && !encoder.tables.comparison.leavesOut
    var bytes = encoder.tables.tableBytes.bytes
    unsafe bytes += encoder.state.pointee.out.bytes
    for array in encoder.tables.bulk {
      let scratch = BlockScratch()
      let hash = array.owner.withPackedBytes {
        let packed = unsafe $0.bytes(0..<array.byteCount, scratch)
        return unsafe gca_hash128_bytes(packed.baseAddress, packed.count)
      }
      unsafe withUnsafeBytes(of: hash) { unsafe bytes += $0 }
    }
    self.bytes = withExtendedLifetime(encoder) { bytes }
  }
}

extension GEncoder {
  /// An encoder for the next key to compare; the previous one has been encoded.
  ///
  /// It is made once for each encoder, if it can encode one key after the other as if each were the first.
  fileprivate func comparingEncoder() -> GEncoder {
    if isKnownUniquelyReferenced(&tables.comparison.encoder), let encoder = tables.comparison.encoder,
      encoder.tables.forgetGraph(withObjects: encoder.state.pointee.objects.count > 0)
    {
      encoder.state.pointee.forgetGraph()
      encoder.beginKey(comparedFor: self)
      return encoder
    }
    tables.comparison.encoder?.tables.comparison.end()
    let encoder = GEncoder(comparingFor: self)
    tables.comparison.encoder = encoder
    return encoder
  }
}

/// A key and its value, as a container inside a key is compared.
@usableFromInline
struct CanonicalPair<Key: GEncodable, Value: GEncodable>: GEncodable {
  let key: Key
  let value: Value

  @usableFromInline
  init(_ pair: (key: Key, value: Value)) { (key, value) = pair }

  @usableFromInline
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(key)
    try encoder.encode(value)
  }
}
