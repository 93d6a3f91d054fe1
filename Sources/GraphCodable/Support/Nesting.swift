import CGraphArchive
internal import GraphCallStack

/// How deep values may nest, and on which stack they do.
///
/// Values lie inside each other in the stream, so user code recurses through them. Where a thread's stack
/// comes to its end, the coders go on on that of a new thread while the first waits.
@usableFromInline
enum Nesting {
  /// Values, that is records and containers, that may lie inside each other: 131,072.
  ///
  /// The encoder refuses what would be deeper, and so does the decoder; both count the same. A level takes
  /// 0.3 to 2 KiB of stack, so a forged archive can make the decoder touch some 100 MB.
  @inlinable static var maximumDepth: Int32 { 1 << 17 }

  /// Containers move to a new stack that much earlier than records, so that the elements of one that lies
  /// near the end do not move there one by one.
  @inlinable static var containerReserve: UInt { 32 << 10 }

  /// The address below which values must not nest further on the calling thread; 0 where the system does
  /// not tell where its stack ends.
  static func stackLimit() -> UInt { CallStack().limit }

  /// Runs `body` on the stack of a new thread, and waits for it.
  ///
  /// - Parameter byteCount: of the stack.
  /// - Throws: what `body` throws; `limitExceeded` where the system has no thread to give.
  static func onNewStack<Result>(
    of byteCount: Int = CallStack.newByteCount, _ body: () throws -> Result
  ) throws -> Result {
    guard let result = try CallStack.onNewThread(byteCount: byteCount, body) else { throw noStack }
    return result
  }

  /// Whether the calling thread's stack has come to its end.
  static var isOutOfStack: Bool { CallStack().isExhausted }

  /// The depth of what lies inside a value at `depth`.
  static func deeper(than depth: Int32) throws -> Int32 {
    guard depth < maximumDepth else { throw tooDeep }
    return depth + 1
  }

  /// The error of both sides for values that lie too deep.
  @inline(never)
  static var tooDeep: GCodableError {
    GCodableError(
      .limitExceeded,
      "values lie more than \(maximumDepth) deep inside each other; references do not nest, so make a class of "
        + "a type in the middle, or give it an identity")
  }

  @inline(never)
  private static var noStack: GCodableError {
    GCodableError(
      .limitExceeded, "values nest deeply, and the system has no thread whose stack takes the rest")
  }
}

extension GEncoder {
  /// Writes the inside of a container, one level deeper, on a new stack if this one comes to its end.
  @inlinable
  @inline(__always)
  func nested(in type: Any.Type, _ body: () throws -> Void) throws {
    if gca_stack_pointer() < state.pointee.stackLimit + Nesting.containerReserve
      || state.pointee.depth >= Nesting.maximumDepth
    {
      return try onNewStack(type) { try nested(in: type, body) }
    }
    state.pointee.depth += 1
    try body()
    state.pointee.depth -= 1
  }

  /// Goes on on a new stack, unless that is too deep.
  @usableFromInline
  @inline(never)
  func onNewStack(_ type: Any.Type, _ body: () throws -> Void) throws {
    guard state.pointee.depth < Nesting.maximumDepth else {
      var error = Nesting.tooDeep
      error.typeName = _typeName(type, qualified: true)
      throw failed(error)
    }
    let limit = state.pointee.stackLimit
    defer { state.pointee.stackLimit = limit }
    try Nesting.onNewStack {
      state.pointee.stackLimit = Nesting.stackLimit()
      try body()
    }
  }
}

extension GDecoder {
  /// Reads the inside of a container, one level deeper, on a new stack if this one comes to its end.
  @inlinable
  @inline(__always)
  func nested<Result>(_ body: () throws -> Result) throws -> Result {
    if gca_stack_pointer() < state.pointee.stackLimit + Nesting.containerReserve
      || state.pointee.frame.depth >= Nesting.maximumDepth
    {
      return try onNewStack { try nested(body) }
    }
    state.pointee.frame.depth += 1
    defer { state.pointee.frame.depth -= 1 }
    return try body()
  }

  /// Goes on on a new stack, unless that is too deep.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func onNewStack<Result>(_ body: () throws -> Result) throws -> Result {
    guard state.pointee.frame.depth < Nesting.maximumDepth else {
      var error = Nesting.tooDeep
      error.byteOffset = streamOffset
      throw error
    }
    let (limit, descentLimit) = (state.pointee.stackLimit, state.pointee.descentLimit)
    defer { (state.pointee.stackLimit, state.pointee.descentLimit) = (limit, descentLimit) }
    return try Nesting.onNewStack {
      state.pointee.takeStack()
      return try body()
    }
  }
}
