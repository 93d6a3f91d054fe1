import CGraphArchive

/// Object numbers by address: open addressing, linear probing, at most half full.
///
/// A dictionary would hash each address with SipHash and check exclusivity on each look-up; here a look-up
/// is a multiplication and, most times, one cache line. Addresses come from the allocator, so nobody can
/// choose them to collide.
@usableFromInline
struct IdentityTable {
  @usableFromInline var slots: UnsafeMutablePointer<Slot>
  /// Capacity less one; the capacity is a power of two.
  @usableFromInline var mask: UInt
  var count = 0

  @usableFromInline
  struct Slot {
    /// 0 in an empty slot; no object lies there.
    @usableFromInline var address: UInt
    /// The object's number; the top bit is set while only conditional references to it were seen.
    @usableFromInline var number: UInt32
  }

  /// Set in the number of an object that is not in the archive so far.
  @inlinable static var pending: UInt32 { 0x8000_0000 }
  /// No object of that address.
  @inlinable static var notFound: UInt32 { 0xFFFF_FFFF }

  init() {
    slots = Self.allocate(1 << 6)
    mask = (1 << 6) - 1
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    slots.initialize(repeating: Slot(address: 0, number: 0), count: capacity)
    return slots
  }

  func deallocate() { slots.deallocate() }

  /// The two halves of a product with 2^64 / φ, folded, as wyhash does (https://github.com/wangyi-fudan/wyhash).
  ///
  /// The high half alone, Knuth's Fibonacci hashing, puts objects that lie at equal distances into clusters: on a
  /// graph of 100,000 it took seven times as many steps to find one.
  @inlinable
  @inline(__always)
  func home(_ address: UInt) -> UInt {
    let product = address.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return (product.high ^ product.low) & mask
  }

  /// Brings the slot of an address into the cache, to be looked up soon.
  @inlinable
  @inline(__always)
  func prefetch(_ address: UInt) { gca_prefetch(slots + Int(bitPattern: home(address))) }

  /// The slot of an address, or the empty slot where it would go.
  ///
  /// Ends because half the slots are empty.
  @inlinable
  @inline(__always)
  func slot(_ address: UInt) -> UnsafeMutablePointer<Slot> {
    var index = home(address)
    while true {
      let slot = slots + Int(bitPattern: index)
      if slot.pointee.address == address || slot.pointee.address == 0 { return slot }
      index = (index &+ 1) & mask
    }
  }

  /// The number stored for an address, with its `pending` bit; `notFound` if there is none.
  @inlinable
  @inline(__always)
  func number(_ address: UInt) -> UInt32 {
    let slot = slot(address)
    return slot.pointee.address == 0 ? Self.notFound : slot.pointee.number
  }

  /// Stores or replaces the number of an address.
  mutating func set(_ address: UInt, _ number: UInt32) {
    if UInt(count + 1) * 2 > mask + 1 { grow() }
    let target = slot(address)
    if target.pointee.address == 0 { count += 1 }
    target.pointee = Slot(address: address, number: number)
  }

  private mutating func grow() {
    let old = UnsafeMutableBufferPointer(start: slots, count: Int(mask + 1))
    slots = Self.allocate(old.count * 2)
    mask = UInt(old.count * 2 - 1)
    for entry in old where entry.address != 0 { slot(entry.address).pointee = entry }
    old.deallocate()
  }
}
