import CGraphArchive
import _GraphSupport

/// The part of the encoder that is used for every field.
@usableFromInline
package struct EncoderState {
  @usableFromInline package var out = StreamWriter()
  /// The field encoded last in the value being encoded.
  @usableFromInline var node: Pinned<ShapeTransition>
  /// Below this, values continue on another stack.
  @usableFromInline var stackLimit: UInt
  /// How many values of the object enclose the one being encoded.
  @usableFromInline var depth: Int32 = 0
  /// See `GraphEncoder.maximumDepth`.
  @usableFromInline var maximumDepth = Int32(Nesting.defaultDepth)
  /// The number of the next new shape.
  @usableFromInline var nextShape: UInt32 = 1
  @usableFromInline var identity = IdentityTable()
  var objects = ObjectList()
  /// The object that is being encoded.
  var object = UInt32.max
  @usableFromInline var overlongText = OverlongText()
  /// Whether some type that is written without a look at its facts has an identity: see `EncoderTables.isCareful`.
  @usableFromInline var isCareful: Bool
  /// See `GraphEncoder.Options.canonicalOrder`.
  @usableFromInline let isCanonical: Bool
  /// See `SmallString.isUsable`.
  @usableFromInline let smallStrings = SmallString.isUsable
  /// Types by the low bits of their metadata's address.
  @usableFromInline let typeCache: PinnedRow<Pinned<EncoderType>>

  private static let typeCacheCount = 256

  /// The slot of a type in the cache, whichever type has it now.
  ///
  /// Metadata is aligned to 16 bytes at least.
  @inlinable
  @inline(__always)
  func cached(_ metadata: UInt) -> Pinned<Pinned<EncoderType>> {
    typeCache.pinned(Int(bitPattern: (metadata >> 4 ^ metadata >> 12) & 255))
  }

  /// The type with that metadata, which is not in its slot of the cache and is put there.
  ///
  /// The previous one moves to a second slot, so that two types that share a slot need not be looked up each time.
  func cache(
    _ metadata: UInt, _ find: () -> Pinned<EncoderType>
  ) -> Pinned<EncoderType> {
    let first = cached(metadata)
    let second = typeCache.pinned(typeCache.index(of: first) + Self.typeCacheCount)
    let found = second.pointee.pointee.metadata == metadata ? second.pointee : find()
    second.pointee = first.pointee
    first.pointee = found
    return found
  }

  /// The number that a record of a type probably needs, which is written before its fields; a new one before the first
  /// record has ended, so that many inside each other need not be moved when they end.
  @inlinable
  @inline(__always)
  func expectedShape(_ type: Pinned<EncoderType>) -> UInt32 {
    let predicted = type.pointee.predictedShape
    return predicted == 0 ? nextShape : predicted
  }

  init(tables: EncoderTables) {
    node = tables.shapes.end
    isCareful = tables.isCareful
    isCanonical = tables.options.contains(.canonicalOrder)
    stackLimit = Nesting.stackLimit
    typeCache = PinnedRow(repeating: tables.types.none, count: 2 * Self.typeCacheCount)
  }

  /// See `GEncoder.reuse`.
  mutating func forgetGraph() {
    if out.capacity > Self.maximumIdleByteCount { unsafe out.release() }
    out.removeAll()
    forgetObjects()
    nextShape = 1
  }

  /// Forgets the objects of a graph, and their numbers.
  mutating func forgetObjects() {
    if objects.count > 0 {
      unsafe objects.deallocate()
      objects = ObjectList()
      unsafe identity.deallocate()
      identity = IdentityTable()
    }
    object = .max
    overlongText = OverlongText()
    depth = 0
  }

  /// Bytes of the stream that an idle encoder may hold.
  private static let maximumIdleByteCount = 64 << 10

  mutating func deallocate() {
    unsafe out.release()
    unsafe identity.deallocate()
    unsafe objects.deallocate()
    unsafe typeCache.release()
  }
}
