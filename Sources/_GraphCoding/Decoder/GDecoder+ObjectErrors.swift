import _GraphSupport

/// Errors for objects that cannot be made.
extension GDecoder {
  /// Why an object could not be made as a `type`, if it was tried.
  func knownFailure(of number: UInt32, _ type: Any.Type) -> (any Error)? {
    guard let failure = tables.failure(of: number, as: type) else { return nil }
    // Code that catches it has nil where an object may exist later, as with a new error.
    if OpenCycle(failure) != nil { state.pointee.cycleCount += 1 }
    return failure
  }

  @inline(never)
  func tooManyUnderWay(_ number: UInt32) -> GCodableError {
    GCodableError(
      .limitExceeded,
      "object \(number) is needed by \(state.pointee.depth) others that cannot be made before it")
  }

  /// The error for an instance that could not be made as a `type`: a mismatch instead of the `DecodingError` of a class that is
  /// only `Decodable`, which no `GDecodable` type requests and only the archive names.
  @inline(never)
  func unrequestedClassError(
    _ error: DecodingError, _ type: Any.Type, _ shape: Pinned<DecoderShape>?
  ) -> any Error {
    guard !(type is any StandIn.Type), let shape, shape.pointee.classNumber != 0,
      let stored = try? resolvedClass(shape).object.type, stored is any StandIn.Type
    else { return error }
    return typeMismatch(type, "the archive has an instance of \(String(reflecting: subject(of: stored)))")
  }

  @inline(never)
  func cycle(to number: UInt32) -> GCodableError {
    state.pointee.cycleCount += 1
    return OpenCycle(to: number).error
  }

  /// Adds an object to the cycle that an error is about, which is leaving the object.
  @inline(never)
  func noteCycle(_ error: any Error, _ number: UInt32) -> any Error {
    guard var cycle = OpenCycle(error) else { return error }
    let className = className(ofObject: number) ?? "object \(number)"
    cycle.leave(className, (error as? GCodableError)?.keyPath ?? [])
    return number == cycle.target ? cycle.closedError(className) : cycle.error
  }
}
