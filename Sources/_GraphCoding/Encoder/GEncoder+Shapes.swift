import _GraphFiles
import _GraphSupport

/// The slow path of a field: the value differs in shape from the one before it.
extension GEncoder {
  // Inlinable, because the first field of each type comes here with everything inside it, and values must be written by code that
  // knows their types.
  @inlinable
  @inline(never)
  func encodeUnexpected<Value: GEncodable, Key: RawRepresentable>(_ value: Value, for key: Key) throws
  where Key.RawValue == String {
    try enter(key, nestedKind(Value.self))
    do { try writeNested(value) } catch { throw noted(error) }
  }

  @inlinable
  @inline(never)
  func encodeUnexpected<Value: GEncodable>(_ value: Value) throws {
    try enterUnkeyed(nestedKind(Value.self))
    do { try writeNested(value) } catch { throw noted(error) }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func enter<Key: RawRepresentable>(_ key: Key, _ kind: GraphKind) throws where Key.RawValue == String {
    let number = tables.keyNumber(key)
    try enter(FieldToken.of(key) ?? FieldToken.of(keyNumber: number), keyNumber: number + 1, kind)
  }

  @usableFromInline
  func enterUnkeyed(_ kind: GraphKind) throws { try enter(FieldToken.unkeyed, keyNumber: 0, kind) }

  /// Moves to the field: along the shape tree if it is known, into a new branch if not, into the overflow if the tree is full.
  func enter(_ key: UInt64, keyNumber: UInt32, _ kind: GraphKind) throws {
    if let failure = tables.failure { throw failure }
    let node = state.pointee.node
    guard node != tables.shapes.end else {
      throw failed(
        GCodableError(.internalInconsistency, "encode(…) was called when no value was being encoded"))
    }
    if node == tables.shapes.overflow { return try enterOverflow(keyNumber: keyNumber, kind) }
    // A careful encoder never takes the fast path, so its tokens must not match there.
    let token = FieldToken.with(key, kind) ^ (state.pointee.isCareful ? 1 << 47 : 0)

    var child = node.pointee.firstChild
    while let candidate = child, candidate.pointee.token != token { child = candidate.pointee.sibling }
    if let child {
      node.pointee.prediction = child
      state.pointee.node = child
      return
    }
    guard let type = node.pointee.type else { preconditionFailure("a field's node has a type") }
    if keyNumber != 0 { try checkUnused(keyNumber, before: node) }
    tables.codingTrace?.note()
    // The first field without a key is among the fixed ones: a single value is never an overflow field.
    let isFirst = node.pointee.fieldCount == 0 && keyNumber == 0
    guard node.pointee.fieldCount < ShapeTransition.maximumFieldCount,
      isFirst || type.pointee.nodeCount < ShapeTransition.maximumNodeCount
    else {
      if tables.isUsed, node.pointee.fieldCount < ShapeTransition.maximumFieldCount { throw full }
      try beginOverflow(after: node)
      return try enterOverflow(keyNumber: keyNumber, kind)
    }
    var field = ShapeTransition(token: token, prediction: tables.shapes.end)
    field.type = type
    field.keyNumber = keyNumber
    field.fieldCount = node.pointee.fieldCount + 1
    field.kind = kind
    field.isList = node.pointee.isList
    type.pointee.nodeCount += 1
    step(from: node, to: field)
  }

  /// Marks the record as a list, so that a decoder can tell an empty list from a record without keys, and a list of one element
  /// from a single value.
  ///
  /// It is a step in the shape tree, not a field. In dictionary mode, there are so many elements that no mark is needed.
  func enterList() {
    let node = state.pointee.node
    guard node != tables.shapes.end, node != tables.shapes.overflow, !node.pointee.isList else { return }
    var child = node.pointee.firstChild
    while let candidate = child, candidate.pointee.token != FieldToken.list {
      child = candidate.pointee.sibling
    }
    if let child {
      node.pointee.prediction = child
      state.pointee.node = child
      return
    }
    var mark = ShapeTransition(token: FieldToken.list, prediction: tables.shapes.end)
    mark.type = node.pointee.type
    mark.fieldCount = node.pointee.fieldCount
    mark.isList = true
    step(from: node, to: mark)
  }

  /// Moves to a new node after another.
  private func step(from node: Pinned<ShapeTransition>, to next: ShapeTransition) {
    let pointer = tables.shapes.own(next)
    pointer.pointee.parent = node
    pointer.pointee.sibling = node.pointee.firstChild
    node.pointee.firstChild = pointer
    node.pointee.prediction = pointer
    state.pointee.node = pointer
  }

  /// Ends the walk, which a new encoder restarts with more room for fields.
  @inline(never)
  private var full: GCodableError {
    tables.isFull = true
    return failed(GCodableError(.internalInconsistency, "an encoder that was used before has to be replaced"))
  }

  private func checkUnused(_ keyNumber: UInt32, before last: Pinned<ShapeTransition>) throws {
    var node: Pinned<ShapeTransition>? = last
    while let field = node {
      if field.pointee.keyNumber == keyNumber { throw duplicateKey(keyNumber) }
      node = field.pointee.parent
    }
  }

  @inline(never)
  private func duplicateKey(_ keyNumber: UInt32) -> GCodableError {
    failed(
      GCodableError(
        .duplicateKey,
        "key \"\(tables.keys.names[Int(keyNumber) - 1])\" is used twice for one value; a class and its superclass "
          + "share their keys, so give one of them another name"))
  }

  // MARK: Dictionary mode

  /// Bytes before overflow fields: field count, unkeyed count, byte count.
  package static let overflowHeadByteCount = 16

  private func beginOverflow(after node: Pinned<ShapeTransition>) throws {
    try reserve()
    tables.shapes.openOverflows.append(.init(node: node, start: state.pointee.out.count))
    state.pointee.out.putUInt64(0)
    state.pointee.out.putUInt64(0)
    state.pointee.node = tables.shapes.overflow
  }

  private func enterOverflow(keyNumber: UInt32, _ kind: GraphKind) throws {
    let last = tables.shapes.openOverflows.count - 1
    if keyNumber == 0 {
      tables.shapes.openOverflows[last].unkeyedCount += 1
    } else {
      guard tables.shapes.openOverflows[last].keyNumbers.insert(keyNumber).inserted else {
        throw duplicateKey(keyNumber)
      }
      try checkUnused(keyNumber, before: tables.shapes.openOverflows[last].node)
    }
    guard tables.shapes.openOverflows[last].fieldCount < UInt32.max else {
      throw failed(GCodableError(.limitExceeded, "a value has more than 2^32 - 1 fields"))
    }
    tables.shapes.openOverflows[last].fieldCount += 1
    try reserve()
    state.pointee.out.putByte(kind.rawValue)
    state.pointee.out.putVarint(UInt64(keyNumber == 0 ? 0 : tables.keys.overflowNumber(keyNumber)))
  }

  // MARK: Ends

  /// Ends a record whose shape is not the predicted one, and corrects the number written.
  @usableFromInline
  @inline(never)
  func endUnexpected(_ type: Pinned<EncoderType>, start: Int, shape: UInt32) throws {
    let node = state.pointee.node
    let number: UInt32
    if node == tables.shapes.overflow {
      let open = tables.shapes.openOverflows.removeLast()
      number = tables.shapes.number(of: open.node, type, isOpen: true)
      let byteCount = state.pointee.out.count - open.start - Self.overflowHeadByteCount
      state.pointee.out.replaceUInt64(
        at: open.start, with: UInt64(open.fieldCount) | UInt64(open.unkeyedCount) << 32)
      state.pointee.out.replaceUInt64(at: open.start + 8, with: UInt64(byteCount))
    } else {
      number = tables.shapes.number(of: node, type, isOpen: false)
      type.pointee.predictedEnd = node
      type.pointee.predictedShape = number
    }
    state.pointee.nextShape = UInt32(tables.shapes.list.count) + 1
    if number != shape { try replaceVarint(at: start, UInt64(shape), with: UInt64(number)) }
  }

  private func replaceVarint(at start: Int, _ old: UInt64, with new: UInt64) throws {
    try reserve()  // Two varints differ by less than nine bytes.
    let distance = state.pointee.out.replaceVarint(at: start, old, with: new)
    guard distance != 0 else { return }
    tables.unitTexts?.move(behind: start, by: distance)
    tables.attributes?.move(behind: start, by: distance)
  }
}
