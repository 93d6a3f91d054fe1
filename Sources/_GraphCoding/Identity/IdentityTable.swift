import _GraphSupport

/// Object numbers by address: open addressing, linear probing, at most half full.
///
/// A dictionary would hash each address with SipHash and check exclusivity on each look-up; here a look-up is two
/// multiplications and, usually, one cache line. Objects that lie side by side have their slots side by side, so a
/// walk in the order of memory misses the caches once for several objects, and a table that grows is read and
/// written from one end to the other. Addresses come from the allocator, so they cannot be chosen to collide.
@usableFromInline
struct IdentityTable {
  @usableFromInline var slots: PinnedRow<Slot>
  /// Capacity less one; the capacity is a power of two, and 1 in a table that owns no memory.
  @usableFromInline var mask: Int
  /// The shift that leaves as many bits of a hash as the capacity has.
  @usableFromInline var shift: UInt64
  private var count = 0

  /// 12 bytes: the address in two halves, so that it needs no alignment of 8.
  @usableFromInline
  struct Slot: BitwiseCopyable {
    @usableFromInline var low: UInt32
    @usableFromInline var high: UInt32
    /// The object's number; the top bit is set while only conditional references to it were seen.
    @usableFromInline var number: UInt32

    init(address: UInt64, number: UInt32) {
      low = UInt32(truncatingIfNeeded: address)
      high = UInt32(truncatingIfNeeded: address >> 32)
      self.number = number
    }

    /// 0 in an empty slot; no object lies there.
    @inlinable var address: UInt64 {
      @inline(__always) get { UInt64(low) | UInt64(high) << 32 }
    }
  }

  /// Set in the number of an object that is not yet in the archive.
  @inlinable static var weakOnly: UInt32 { 0x8000_0000 }
  /// There is no object with that address.
  @inlinable static var notFound: UInt32 { 0xFFFF_FFFF }

  private static let minimumCapacity = 1 << 6

  /// The one slot of all tables without entries, never written, so that threads may share it.
  nonisolated(unsafe) private static let emptySlot = PinnedRow(
    repeating: Slot(address: 0, number: 0), count: 1)

  init() {
    slots = unsafe Self.emptySlot
    mask = 0
    shift = 63
  }

  @unsafe func deallocate() { if mask > 0 { unsafe slots.release() } }

  /// The bytes of memory whose objects have their slots side by side, as a power of two.
  @inlinable static var neighbourhoodBits: UInt64 { 8 }

  /// Where the search for the slot of an address starts.
  ///
  /// A neighbourhood begins where the top bits of its hash say: its number times 2^64 / φ, folded as wyhash does
  /// (https://github.com/wangyi-fudan/wyhash), times the same again. The first product alone would put those at
  /// equal distances into clusters. Within it, objects are 16 bytes apart at least.
  @inlinable
  @inline(__always)
  func home(_ address: UInt64) -> Int {
    let product = (address >> Self.neighbourhoodBits).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    let hash = (product.high ^ product.low) &* 0x9E37_79B9_7F4A_7C15
    let offset = (address >> 4) & ((1 << (Self.neighbourhoodBits - 4)) - 1)
    return Int(truncatingIfNeeded: (hash &>> shift) &+ offset) & mask
  }

  /// Prefetches the slot of an address that will be looked up soon, and returns where the search starts.
  @inlinable
  @inline(__always)
  func prefetch(_ address: UInt) -> Int {
    let home = home(UInt64(address))
    slots.prefetch(home)
    return home
  }

  /// The slot of an address, or the empty slot where it would go.
  ///
  /// Ends because half the slots are empty.
  ///
  /// - Parameter home: where the search for the address starts.
  @inlinable
  @inline(__always)
  func slot(_ address: UInt64, from home: Int) -> Pinned<Slot> {
    var index = home
    while true {
      let slot = slots.pinned(index)
      let found = slot.pointee.address
      if found == address || found == 0 { return slot }
      index = (index &+ 1) & mask
    }
  }

  /// The number stored for an address, with its `weakOnly` bit; `notFound` if there is none.
  @inlinable
  @inline(__always)
  func number(_ address: UInt) -> UInt32 { number(address, from: home(UInt64(address))) }

  /// As `number`, for an address whose home is known.
  @inlinable
  @inline(__always)
  func number(_ address: UInt, from home: Int) -> UInt32 {
    let slot = slot(UInt64(address), from: home)
    return slot.pointee.address == 0 ? Self.notFound : slot.pointee.number
  }

  /// Stores or replaces the number of an address.
  mutating func set(_ address: UInt, _ number: UInt32) {
    if (count + 1) * 2 > mask + 1 { grow() }
    let target = slot(UInt64(address), from: home(UInt64(address)))
    if target.pointee.address == 0 { count += 1 }
    target.pointee = Slot(address: UInt64(address), number: number)
  }

  private mutating func grow() {
    let old = self
    let capacity = max(2 * (mask + 1), Self.minimumCapacity)
    slots = PinnedRow(repeating: Slot(address: 0, number: 0), count: capacity)
    mask = capacity - 1
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for index in 0...old.mask where old.slots[index].address != 0 {
      let address = old.slots[index].address
      slot(address, from: home(address)).pointee = old.slots[index]
    }
    unsafe old.deallocate()
  }
}
