import CGraphArchive
import _GraphFiles
import _GraphSupport

/// What `init(from:)` decodes from.
///
/// Keyed parts may be decoded in any order, each once; unkeyed parts in the order in which they were encoded. Decoding a
/// reference makes the object, as an instance of its real class, unless it has been made already. Of two objects that
/// need each other in `init(from:)`, one must use `deferDecode`.
///
/// The decoder is valid only during the call of `init(from:)` that it was passed to, on that thread.
public final class GDecoder {
  /// Everything that decoding a field touches, behind one pointer; see `GEncoder.state`.
  @usableFromInline package let state: Pinned<DecoderState>
  package let tables: DecoderTables

  /// The `userInfo` of the `GraphDecoder`.
  public var userInfo: [CodingUserInfoKey: Any] { storedUserInfo ?? [:] }
  /// nil for an empty one; unchecked as in `GraphDecoder`.
  @safe @exclusivity(unchecked) private var storedUserInfo: [CodingUserInfoKey: Any]?

  package init(
    _ tables: DecoderTables, userInfo: [CodingUserInfoKey: Any]?, limits: GraphDecoder.Limits = .init()
  ) {
    self.tables = tables
    storedUserInfo = userInfo
    state = .make { DecoderState(tables, limits, at: $0) }
  }

  // MARK: Reuse

  private static let idle = IdlePool<GDecoder>()

  /// A decoder that has decoded an archive with the same tables, ready for this one; nil if there is none.
  ///
  /// - Parameter contents: those of the archive, whose hash has been checked; they outlive the decoding.
  static func reused(for contents: UnsafeRawBufferPointer, limits: GraphDecoder.Limits) -> GDecoder? {
    guard contents.count > 8, let decoder = unsafe idle.take(mark(of: contents)),
      unsafe decoder.takeStream(of: contents, limits)
    else { return nil }
    return decoder
  }

  // Not inlined: where a decoder is passed on, the compiler would retain its tables for each look at them.
  @inline(never)
  private func takeStream(of contents: UnsafeRawBufferPointer, _ limits: GraphDecoder.Limits) -> Bool {
    guard unsafe tables.takeStream(of: contents) else { return false }
    let byteCount = tables.rawByteCount
    state.pointee.takeStream(byteCount, storedAs: byteCount, objectCount: 0, limits)
    return true
  }

  func take(userInfo: [CodingUserInfoKey: Any]?) { storedUserInfo = userInfo }

  /// Returns a decoder that has decoded its graph to the pool.
  @usableFromInline
  static func reuse(_ decoder: consuming GDecoder) {
    // An `init(from:)` may have kept it, which is wrong, but must not do harm to others.
    guard let mark = decoder.forgetGraph(), isKnownUniquelyReferenced(&decoder) else { return }
    idle.put(decoder, mark)
  }

  /// Gives back the bytes of the archive, and returns the mark of its tables; nil if the decoder cannot be used again.
  @inline(never)
  private func forgetGraph() -> UInt? {
    forgetInput()
    guard tables.canBeReused, state.pointee.tracks.isIdle, state.pointee.cursor.isIdle else { return nil }
    if storedUserInfo != nil { storedUserInfo = nil }
    return unsafe tables.reader.contents.messageTables.withUnsafeBytes { unsafe Self.mark(of: $0) }
  }

  /// Gives back the bytes of the archive to their owner: a decoder that was kept has no bytes any more.
  @inline(__always)
  package func forgetInput() {
    tables.forgetStream()
    state.pointee.stream.input = StreamReader()
  }

  /// The error, after which the decoder is not used any more.
  @usableFromInline
  func forgettingInput(after error: any Error) -> any Error {
    forgetInput()
    return error
  }

  /// Tells tables apart, by their first bytes, as a rule.
  private static func mark(of tables: UnsafeRawBufferPointer) -> UInt {
    unsafe UInt(truncatingIfNeeded: tables.loadUnaligned(as: UInt64.self))
  }

  deinit {
    state.pointee.deferred = DeferredFields()
    if state.pointee.built.count > 0 {
      Nesting.withRoom(toRelease: state.pointee.maximumDepth) { tables.releaseObjects(state.pointee.built) }
    }
    unsafe state.pointee.built.deallocate()
    state.pointee.tracks.deallocate()
    unsafe state.pointee.cursor.deallocate()
    unsafe state.pointee.casts.release()
    unsafe state.release()
  }
}
