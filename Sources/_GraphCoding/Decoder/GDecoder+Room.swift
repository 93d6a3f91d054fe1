import _GraphFiles
import _GraphSupport

/// What memory and work the values of an archive may still take.
extension GDecoder {
  /// Counts the memory of a container's elements, before it is taken.
  ///
  /// - Throws: `limitExceeded`; `noMemory` when the system has none for them.
  @usableFromInline
  func takeRoom(_ count: Int, stride: Int) throws {
    let (byteCount, isTooLarge) = count.multipliedReportingOverflow(by: stride)
    guard !isTooLarge, byteCount <= min(state.pointee.roomByteCount, state.pointee.elementRoomByteCount)
    else {
      throw noRoom(count, stride)
    }
    try MemoryRoom.require(count, stride: stride)
    state.pointee.roomByteCount -= byteCount
    state.pointee.elementRoomByteCount -= byteCount
  }

  /// Counts the memory of an array that is not empty, before it is taken.
  ///
  /// - Throws: as `takeRoom(_:stride:)`.
  @usableFromInline
  func takeRoom(forArrayOf count: Int, stride: Int) throws {
    let (byteCount, isTooLarge) = count.multipliedReportingOverflow(by: stride)
    let left = state.pointee.roomByteCount - Self.arrayHeadByteCount
    guard !isTooLarge, byteCount <= min(left, state.pointee.elementRoomByteCount) else {
      throw noRoom(count, stride)
    }
    try MemoryRoom.require(count, stride: stride)
    state.pointee.roomByteCount = left - byteCount
    state.pointee.elementRoomByteCount -= byteCount
  }

  /// Takes back what was counted for an array that could not be made.
  @usableFromInline
  @inline(never)
  func giveBackRoom(forArrayOf count: Int, stride: Int) {
    giveBackRoom(byteCount: Self.arrayHeadByteCount)
    giveBackRoom(count, stride: stride)
  }

  /// Counts the memory of an instance, before it is made.
  ///
  /// - Throws: `limitExceeded`.
  @inline(__always)
  func takeRoom(forInstanceOf resolved: ClassResolver.ResolvedClass) throws {
    let left = state.pointee.roomByteCount - resolved.instanceByteCount
    guard left >= 0 else { throw noRoom(resolved) }
    state.pointee.roomByteCount = left
  }

  /// Counts memory that is known to be small, before it is taken: the head of an array, the inside of a value of Foundation.
  ///
  /// - Throws: `limitExceeded`.
  @inlinable
  @inline(__always)
  package func takeRoom(byteCount: Int) throws {
    let left = state.pointee.roomByteCount - byteCount
    guard left >= 0 else { throw noRoom(1, byteCount) }
    state.pointee.roomByteCount = left
  }

  /// Takes back what was counted for a container that could not be made.
  @usableFromInline
  @inline(never)
  func giveBackRoom(_ count: Int, stride: Int) {
    giveBackRoom(byteCount: count * stride)
    state.pointee.elementRoomByteCount += count * stride
  }

  /// Takes back what was counted for what is discarded.
  func giveBackRoom(byteCount: Int) {
    let (sum, isTooLarge) = state.pointee.roomByteCount.addingReportingOverflow(byteCount)
    state.pointee.roomByteCount = isTooLarge ? .max : sum
  }

  @usableFromInline
  @inline(never)
  func noRoom(_ count: Int, _ stride: Int) -> GCodableError {
    var error = GraphDecoder.Limits.exceeded(
      "elements and values take more memory than the archive's size accounts for: \(count) of \(stride) bytes "
        + "come to \(min(state.pointee.roomByteCount, state.pointee.elementRoomByteCount)) bytes that are left",
      "elementByteRatio")
    error.byteOffset = streamOffset
    return error
  }

  @inline(never)
  func noRoom(_ resolved: ClassResolver.ResolvedClass) -> GCodableError {
    var error = GraphDecoder.Limits.exceeded(
      "the instances of classes take more memory than the archive's size accounts for: one of \(resolved.instanceByteCount) bytes "
        + "comes to \(state.pointee.roomByteCount) bytes that are left",
      "elementByteRatio")
    error.typeName = _typeName(subject(of: resolved.type), qualified: true)
    error.byteOffset = streamOffset
    return error
  }

  /// Counts values that are skipped, or looked at once more.
  ///
  /// - Throws: `limitExceeded`.
  @inline(__always)
  func takeSteps(_ count: Int) throws {
    guard count <= state.pointee.cursor.stepsLeft else { throw noSteps() }
    state.pointee.cursor.stepsLeft -= count
  }

  @inline(never)
  func noSteps() -> GCodableError {
    var error = GraphDecoder.Limits.exceeded(
      "values of the archive are read too many times; decode objects as instances of a class, fields in the order in which "
        + "they are encoded", "stepRatio")
    error.byteOffset = streamOffset
    return error
  }
}
