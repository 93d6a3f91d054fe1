import _GraphFiles
import _GraphSupport

/// The graph stream, as code that reads typed values uses it; `GraphStream` has the checks.
extension GDecoder {
  @inlinable
  @inline(__always)
  func readByte() throws -> UInt8 { try state.pointee.stream.readByte() }

  @inlinable
  @inline(__always)
  func readKind() throws -> GraphKind { try state.pointee.stream.readKind() }

  /// See `GraphStream.readOuterKind`.
  @usableFromInline
  package func readOuterKind() throws -> GraphKind { try state.pointee.stream.readOuterKind() }

  @usableFromInline
  func readVarint() throws -> UInt64 { try state.pointee.stream.readVarint() }

  @usableFromInline
  func readBytes(_ count: UInt64) throws -> UnsafeRawBufferPointer {
    try unsafe state.pointee.stream.readBytes(count)
  }

  @usableFromInline
  func readListHead() throws -> (kind: GraphKind, count: Int) { try state.pointee.stream.readListHead() }

  @usableFromInline
  func readPairsHead() throws -> (keyKind: GraphKind, valueKind: GraphKind, count: Int) {
    try state.pointee.stream.readPairsHead()
  }

  @inline(__always)
  package func readShape() throws -> Pinned<DecoderShape> { try state.pointee.stream.readShape() }

  /// Moves past a value of a kind.
  @inline(__always)
  func skip(_ kind: GraphKind) throws {
    if !state.pointee.stream.skipShort(kind) { try skipLong(kind) }
  }

  @inline(never)
  private func skipLong(_ kind: GraphKind) throws {
    try state.pointee.cursor.skip(kind, outerDepth: state.pointee.frame.depth)
    if state.pointee.cursor.stepsLeft < 0 { try takeSteps(0) }
  }

  /// Bytes from the start of the graph stream to the cursor.
  package var streamOffset: UInt64 { state.pointee.stream.offset }

  /// Calls `visit` for each reference in the fields of an object, except through fields deferred by similar
  /// objects.
  ///
  /// - Throws: `malformed`, after the references before the damage.
  func visitReferences(
    ofObject number: UInt32, _ visit: (_ number: UInt32, _ isConditional: Bool) -> Void
  ) throws {
    try move(toObject: number)
    try visitReferences(of: .record, skippingDeferred: true, visit)
  }

  /// Calls `visit` for each reference in a value that is not inside another.
  func visitReferences(
    of kind: GraphKind, skippingDeferred: Bool, _ visit: (_ number: UInt32, _ isConditional: Bool) -> Void
  ) throws {
    let base = state.pointee.cursor.levelCount
    defer { state.pointee.cursor.leave(to: base) }
    if case .reference(let number, let kind) = try state.pointee.cursor.read(kind, outerDepth: 0) {
      visit(number, kind == .conditional)
    }
    while state.pointee.cursor.levelCount > base {
      guard let part = try state.pointee.cursor.next() else { continue }
      if skippingDeferred,
        let shape = state.pointee.cursor.shape, tables.deferredKeys.contains(part, shape)
      {
        try state.pointee.cursor.skip(part.kind)
      } else if case .reference(let number, let kind) = try state.pointee.cursor.read(part.kind) {
        visit(number, kind == .conditional)
      }
    }
  }
}
