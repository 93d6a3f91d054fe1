import _GraphSupport

/// A class whose instances are known to be of a type: a dynamic cast costs 50 to 100 ns.
@usableFromInline
struct KnownCast: Equatable {
  /// Addresses of the metadata of both.
  @usableFromInline let from: UInt
  @usableFromInline let to: UInt

  @inlinable
  init(from: UInt, to: UInt) {
    self.from = from
    self.to = to
  }

  @inlinable
  static func == (one: Self, other: Self) -> Bool { one.from == other.from && one.to == other.to }

  @inlinable static var count: Int { 64 }

  /// Where the cast is kept, if it is.
  ///
  /// Metadata is aligned to 16 bytes at least.
  @inlinable var place: Int { Int(bitPattern: (from ^ to &* 3) >> 4) & (Self.count - 1) }
}

/// An object of the archive: where it is stored, and the object once it has been made.
@usableFromInline
package struct ObjectSlot {
  /// Retained by the slot.
  @usableFromInline var instance: Held<AnyObject>?
  /// Address of the metadata of the object's class, once it has been made.
  @usableFromInline var metadata: UInt = 0
  /// Where it begins in the graph stream; `notStored` for an object that only conditional references
  /// lead to.
  package var offset: UInt64
  var isBeingBuilt = false
  /// It was prebuilt, and has not been requested so far; `metadata` is 0 until then.
  var isUnrequested = false
  /// In addition, its type may differ from the one that will be requested.
  var isSpeculative = false

  package static let notStored = UInt64.max
}
