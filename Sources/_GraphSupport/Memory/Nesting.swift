import GraphCallStack

/// How deep values may nest, and on which stack they do.
///
/// Values lie inside each other in the stream, so user code recurses through them. When a thread's stack runs out, the coders
/// continue on that of a new thread while the first waits.
@usableFromInline
package enum Nesting {
  /// Values, that is records and containers, that may lie inside each other at most: 131,072.
  ///
  /// The encoder refuses what would be deeper, and so does the decoder; both count the same. By default they refuse
  /// what is deeper than `defaultDepth`.
  @inlinable package static var maximumDepth: Int32 { 1 << 17 }

  /// The depth that both coders refuse to exceed by default.
  @inlinable package static var defaultDepth: Int { 1024 }

  /// Stack that it takes to release a level of a value: 80 to 140 bytes have been measured in enums, arrays,
  /// dictionaries and existentials, also in builds for debugging.
  ///
  /// Of a stack of 512 KiB, half remains for decoding with the default limit. Programs that raise it may have large stacks.
  @inlinable static func releaseByteCount(forDepth depth: Int32) -> UInt {
    depth > defaultDepth ? 256 : 160
  }

  /// Stack that is kept free while values of some depth are made.
  ///
  /// Whatever throws, an initializer or the decoder itself, the discarded value is on a stack with room to release it.
  @inlinable package static func reservedByteCount(forDepth depth: Int32) -> UInt {
    CallStack.reservedByteCount + UInt(depth) * releaseByteCount(forDepth: depth)
  }

  /// Containers move to a new stack that much earlier than records, so that the elements of one that lies
  /// near the end do not move there one by one.
  @inlinable package static var containerReserve: UInt { 32 << 10 }

  /// The address below which values must not nest further on the calling thread; 0 where the system does
  /// not tell where its stack ends.
  @inlinable package static func stackLimit(reserving byteCount: UInt) -> UInt {
    CallStack(reserving: byteCount).limit
  }

  /// As far as one level needs.
  @inlinable package static var stackLimit: UInt { stackLimit(reserving: CallStack.reservedByteCount) }

  /// Runs `body` on the stack of a new thread, and waits for it.
  ///
  /// - Parameters:
  ///   - byteCount: of the stack.
  ///   - reserved: how much of its own is kept free on it, besides.
  /// - Throws: what `body` throws; `limitExceeded` where the system has no thread to give.
  package static func onNewStack<Result>(
    of byteCount: Int = CallStack.newByteCount, reserving reserved: UInt = 0, _ body: () throws -> Result
  ) throws -> Result {
    guard let result = try CallStack.onNewThread(byteCount: byteCount + Int(reserved), body) else {
      throw noStack
    }
    return result
  }

  /// Runs `body`, which may release values of some depth, on a stack large enough for that.
  package static func withRoom(toRelease depth: Int32, _ body: () -> Void) {
    let reserved = reservedByteCount(forDepth: depth)
    guard CallStack(reserving: reserved).isExhausted else { return body() }
    if (try? onNewStack(reserving: reserved, body)) == nil { body() }
  }

  /// The depth of what lies inside a value at `depth`.
  package static func deeper(than depth: Int32, upTo limit: Int32) throws -> Int32 {
    guard depth < limit else { throw tooDeep(limit) }
    return depth + 1
  }

  /// The error of both coders for values nested too deeply.
  @inline(never)
  package static func tooDeep(_ limit: Int32) -> GCodableError {
    GCodableError(
      .limitExceeded,
      "values lie more than \(limit) deep inside each other; references do not nest, so make a class of "
        + "a type in the middle"
        + (limit < maximumDepth
          ? ", or raise GraphEncoder.maximumDepth and GraphDecoder.limits.depth, and read there how deep values are "
            + "released" : ", or give it an identity"))
  }

  @inline(never)
  private static var noStack: GCodableError {
    GCodableError(
      .limitExceeded, "values nest deeply, and the system has no thread whose stack takes the rest")
  }
}
