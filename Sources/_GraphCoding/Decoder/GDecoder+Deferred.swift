import CGraphArchive
import _GraphFiles
import _GraphSupport

/// The whole graph: the root, then the fields that were put off on the way.
extension GDecoder {
  /// Decodes the root, then what was deferred.
  @inlinable
  package func readGraph<Root: GDecodable>(_ type: Root.Type) throws -> Root {
    try readGraph { try Root._graphRead(self, try readOuterKind()) }
  }

  /// The same, with a function that decodes the root.
  @inlinable
  func readGraph<Root>(_ readRoot: () throws -> Root) throws -> Root {
    // Setters may mention the decoder: it would hold itself.
    defer { forgetDeferred() }
    // The root may have to be discarded again.
    if gca_stack_pointer() < state.pointee.stackLimit { return try onNewStack { try readGraph(readRoot) } }
    let root = try readRoot()
    try checkRootEnd()
    try runDeferred()
    return root
  }

  @usableFromInline
  package func checkRootEnd() throws { try state.pointee.stream.checkEnd(tables.rootEnd, of: "the root") }

  @usableFromInline
  package func forgetDeferred() {
    state.pointee.deferred.removeAll()
    if tables.codable != nil { tables.codable = nil }  // It holds this decoder.
  }

  @usableFromInline
  package func runDeferred() throws {
    guard !state.pointee.deferred.isEmpty || tables.codable != nil else { return }
    try fillDeferred()
    try checkHashes()
    try runFinalChecks()
  }

  /// Decodes what was deferred.
  func fillDeferred() throws {
    // Those of objects that were prebuilt and not requested so far.
    var unrequested: [DeferredFields.Field] = []
    while let field = nextDeferred(&unrequested) {
      state.pointee.frame = RecordFrame(field: tables.nowhere)
      do { try field.read?(self) } catch { throw leaving(error, field) }
      giveBackRoom(byteCount: DeferredFields.Field.capturedByteCount)
    }
  }

  private func checkHashes() throws {
    // A copy: hashing is the user's code.
    let deferred = state.pointee.deferred
    if let changed = deferred.changedElements({ !isUnrequested($0) }) { throw hashesHaveChanged(changed) }
  }

  private func nextDeferred(_ unrequested: inout [DeferredFields.Field]) -> DeferredFields.Field? {
    while let field = state.pointee.deferred.next() {
      if !isUnrequested(field.owner) { return field }
      unrequested.append(field)
    }
    // Another field may have asked for them.
    let asked = unrequested.filter { !isUnrequested($0.owner) }
    guard !asked.isEmpty else { return nil }
    unrequested.removeAll { !isUnrequested($0.owner) }
    for field in asked { state.pointee.deferred.append(field) }
    return state.pointee.deferred.next()
  }

  private func isUnrequested(_ owner: UInt32) -> Bool {
    owner != DecoderState.noObject && state.pointee.objects[Int(owner)].isUnrequested
  }

  /// Puts off the value at the cursor, which is moved behind it.
  @inlinable
  func deferRead<Value: GDecodable>(
    _ type: Value.Type, _ kind: GraphKind, _ setter: __owned @escaping (Value) throws -> Void
  ) throws {
    let cursor = state.pointee.stream.input.cursor
    try putOff(kind) { decoder in
      decoder.state.pointee.stream.input.cursor = cursor
      try setter(Value._graphRead(decoder, kind))
    }
  }

  /// Forgets what an object has put off that is discarded.
  func forgetDeferred(of owner: UInt32, since start: DeferredFields.Mark) {
    let count = state.pointee.deferred.remove(of: owner, since: start)
    giveBackRoom(byteCount: count * DeferredFields.Field.byteCount)
  }

  @usableFromInline
  func putOff(_ kind: GraphKind, _ read: __owned @escaping (GDecoder) throws -> Void) throws {
    let number = activeKeyNumber
    try takeRoom(byteCount: DeferredFields.Field.byteCount)
    if number != 0 {
      state.pointee.deferred.append(owner: state.pointee.object, keyNumber: number, read)
    } else {
      let name = activeKey ?? "[unkeyed]"
      state.pointee.deferred.append(owner: state.pointee.object, unkeyedName: name, read)
    }
    try skip(kind)
  }

  /// Takes an error out of a deferred field.
  @inline(never)
  private func leaving(_ error: any Error, _ field: DeferredFields.Field) -> any Error {
    guard var graphError = error as? GCodableError else { return error }
    graphError.prepend(name(of: field))
    if field.owner != DecoderState.noObject { graphError.prepend(objectName(field.owner)) }
    return graphError
  }

  private func name(of field: DeferredFields.Field) -> String {
    state.pointee.deferred.name(of: field, tables.keys)
  }

  private func objectName(_ number: UInt32) -> String {
    "<\(className(ofObject: number) ?? "object") \(number)>"
  }
}

// MARK: - Hashes of unfinished objects

/// A set finds its elements by the hashes that they had when it was made. An object whose deferred fields have
/// not been set may get another hash by them; such a set would be corrupt, without a sign.
extension GDecoder {
  /// Sees to it that decoding fails if one of the hashes is another one when all is decoded.
  ///
  /// Costs nothing where the elements lead to no object, or nothing waits: the objects that an element leads
  /// to have put off their fields before the set is complete.
  ///
  /// - Parameter kind: the kind of the elements in the archive.
  @inlinable
  func watchHashes<Elements: Sequence>(of elements: Elements, _ kind: GraphKind, in type: Any.Type)
  where Elements.Element: Hashable {
    guard !_isPOD(Elements.Element.self), kind.mayLeadToObjects, isWaiting else { return }
    func hash() -> Int {
      var hasher = Hasher()
      for element in elements { hasher.combine(element) }
      return hasher.finalize()
    }
    let before = hash()
    watch(type) { hash() == before }
  }

  @usableFromInline var isWaiting: Bool { state.pointee.deferred.isWaiting }

  @usableFromInline
  func watch(_ type: Any.Type, areUnchanged: @escaping () -> Bool) {
    var owner = state.pointee.object
    var keys = activeKey.map { [$0] } ?? []
    if owner == DecoderState.noObject, let field = state.pointee.deferred.current {
      owner = field.owner
      keys.insert(name(of: field), at: 0)
    }
    state.pointee.deferred.append(
      HashedElements(
        owner: owner, keys: keys, type: type, offset: streamOffset, areUnchanged: areUnchanged))
  }

  @inline(never)
  private func hashesHaveChanged(_ elements: HashedElements) -> GCodableError {
    var error = GCodableError(
      .invalidValue,
      "the hash of an element or key has changed since it was put there: it depends on a field that is decoded "
        + "with deferDecode, or on the object of a cycle breaker; hash by what init(from:) decodes, or decode an array",
      typeName: _typeName(elements.type, qualified: true), byteOffset: elements.offset)
    error.keyPath =
      (elements.owner == DecoderState.noObject ? [] : [objectName(elements.owner)]) + elements.keys
    return error
  }

  /// Two elements or keys are equal, which a writer does not allow.
  @usableFromInline
  @inline(never)
  func equalElements(_ type: Any.Type, _ what: String) -> GCodableError {
    invalidValue(
      type,
      "two \(what) are equal"
        + (isWaiting
          ? "; perhaps they differ in fields that are decoded with deferDecode, or in the objects of cycle breakers"
          : ""))
  }
}
