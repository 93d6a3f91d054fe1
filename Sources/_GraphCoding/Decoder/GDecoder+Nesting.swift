import CGraphArchive
import _GraphSupport

extension GDecoder {
  /// Reads the inside of a container, one level deeper, on a new stack if this one runs out.
  @inlinable
  @inline(__always)
  func nested<Result>(_ body: () throws -> Result) throws -> Result {
    if gca_stack_pointer() < state.pointee.stackLimit + Nesting.containerReserve
      || state.pointee.frame.depth >= state.pointee.maximumDepth
    {
      return try onNewStack { try nested(body) }
    }
    state.pointee.frame.depth += 1
    defer { state.pointee.frame.depth &-= 1 }  // It was raised above.
    return try body()
  }

  /// Continues on a new stack, unless that is too deep.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func onNewStack<Result>(_ body: () throws -> Result) throws -> Result {
    guard state.pointee.frame.depth < state.pointee.maximumDepth else {
      var error = Nesting.tooDeep(state.pointee.maximumDepth)
      error.byteOffset = streamOffset
      throw error
    }
    let (limit, descentLimit) = (state.pointee.stackLimit, state.pointee.descentLimit)
    defer { (state.pointee.stackLimit, state.pointee.descentLimit) = (limit, descentLimit) }
    return try Nesting.onNewStack(reserving: state.pointee.reservedByteCount) {
      state.pointee.takeStack()
      return try body()
    }
  }

  /// Runs `body` on a stack large enough to release what it makes.
  package func withRoom<Result>(_ body: () throws -> Result) throws -> Result {
    if gca_stack_pointer() < state.pointee.stackLimit { return try onNewStack(body) }
    return try body()
  }
}
