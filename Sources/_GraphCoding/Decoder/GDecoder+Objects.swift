import CGraphArchive
import _GraphFiles
import _GraphSupport

/// Objects: made when they are first asked for, with their real class.
extension GDecoder {
  /// Objects deeper than this in each other's `init(from:)` are built children first instead.
  static let maximumRecursion = 128

  /// The object with a number as a `Value`; made now unless it has been.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func readObject<Value: GDecodable>(_ type: Value.Type, _ number: UInt32) throws -> Value {
    let slot = state.pointee.objects.pinned(Int(number))
    if slot.pointee.instance == nil {
      try build(number, type)
    }
    guard let instance = slot.pointee.instance?.object else {
      throw GCodableError(.internalInconsistency, "object \(number) was not made")
    }
    if slot.pointee.isSpeculative { return try confirm(type, number, instance) }
    if slot.pointee.isUnrequested { noteRequested(number, instance) }
    // It is of exactly that class.
    if slot.pointee.metadata == UInt(bitPattern: ObjectIdentifier(type)) {
      return unsafe unsafeBitCast(instance, to: Value.self)
    }
    guard let value = try value(of: instance, number, as: type) else {
      let stored =
        instance is any AnyValueBox ? "a value of another type" : String(reflecting: Swift.type(of: instance))
      throw typeMismatch(type, "object \(number) is \(stored)")
    }
    if type is AnyClass {
      let cast = KnownCast(from: slot.pointee.metadata, to: UInt(bitPattern: ObjectIdentifier(type)))
      state.pointee.casts[cast.place] = cast
    }
    return value
  }

  /// An object as a value of a type: itself, or what is boxed in it.
  @_semantics("optimize.sil.specialize.generic.never")
  func value<Value: GDecodable>(
    of instance: AnyObject, _ number: UInt32, as type: Value.Type
  ) throws -> Value? {
    if let box = instance as? ValueBox<Value> {
      try takeInside(number, type)
      return box.value
    }
    guard let standIn = type as? any StandIn.Type else { return instance as? Value }
    return standIn.init(instance: instance) as? Value
  }

  /// Makes an object and puts it into its slot.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func build<Value: GDecodable>(_ number: UInt32, _ type: Value.Type) throws {
    do {
      try makeObject(number, type)
    } catch let error as DecodingError {
      throw unrequestedClassError(error, type, shape(of: number))
    }
  }

  @inline(__always)
  private func makeObject<Value: GDecodable>(_ number: UInt32, _ type: Value.Type) throws {
    if state.pointee.hasFailures, let failure = knownFailure(of: number, type) { throw failure }
    let slot = state.pointee.objects.pinned(Int(number))
    if slot.pointee.isBeingBuilt { throw cycle(to: number) }
    guard slot.pointee.offset != ObjectSlot.notStored else {
      throw GCodableError(
        .valueNotFound,
        "the object was encoded conditionally only, so it is not in the archive; decode an optional",
        typeName: _typeName(type, qualified: true))
    }
    let stackPointer = UInt(gca_stack_pointer())
    if state.pointee.depth >= Self.maximumRecursion || stackPointer < state.pointee.descentLimit,
      !wasDiscarded(number)
    {
      prebuildDescendants(of: number)
      if slot.pointee.instance != nil { return }
      if state.pointee.hasFailures, let failure = knownFailure(of: number, type) { throw failure }
    }
    if stackPointer < state.pointee.stackLimit {
      guard state.pointee.depth < Nesting.maximumDepth else { throw tooManyUnderWay(number) }
      try onNewStack { try construct(number, type) }
    } else {
      try construct(number, type)
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  func construct<Value: GDecodable>(_ number: UInt32, _ type: Value.Type) throws {
    try construct(number, as: type) { try $0.makeInstance(type) }
  }

  /// Makes an object.
  ///
  /// - Parameters:
  ///   - type: what it is made as where its class is not stored.
  ///   - makeOther: makes that, at the cursor.
  private func construct(
    _ number: UInt32, as type: Any.Type, _ makeOther: (GDecoder) throws -> AnyObject
  ) throws {
    let slot = state.pointee.objects.pinned(Int(number))
    let (outer, outerObject, outerClass) = (
      state.pointee.frame, state.pointee.object, state.pointee.classIndex
    )
    let cursor = state.pointee.stream.input.cursor
    let mark = state.pointee.deferred.mark
    let cycleCount = state.pointee.cycleCount
    slot.pointee.isBeingBuilt = true
    state.pointee.depth += 1
    state.pointee.object = number
    state.pointee.classIndex = -1
    defer {
      state.pointee.depth -= 1
      state.pointee.object = outerObject
      state.pointee.classIndex = outerClass
      slot.pointee.isBeingBuilt = false
      if state.pointee.hasFailures { tables.forgetFailures(waitingFor: number) }
      state.pointee.frame = outer
      state.pointee.stream.input.cursor = cursor
    }
    state.pointee.frame = RecordFrame(field: tables.nowhere)
    do {
      try move(toObject: number)
      let instance = try makeStored() ?? makeOther(self)
      try state.pointee.stream.checkEnd(tables.end(ofObject: number), of: "object \(number)")
      slot.pointee.metadata = UInt(bitPattern: ObjectIdentifier(Swift.type(of: instance)))
      slot.pointee.instance = Held(retaining: instance)
      if cycleCount != state.pointee.cycleCount, state.pointee.descentDepth > 0,
        state.pointee.firstTainted == nil
      {
        state.pointee.firstTainted = state.pointee.built.count
      }
      state.pointee.built.append(number)
    } catch {
      let failure = noteCycle(error, number)
      forgetDeferred(of: number, since: mark)
      if cycleCount != state.pointee.cycleCount, state.pointee.descentDepth > 0,
        OpenCycle(failure) == nil
      {
        // An error of the user's in place of one that might not come up later: it is not kept.
        tables.visited[Int(number)] = DecoderTables.leftAlone
        throw failure
      }
      tables.keep(failure, of: number, as: type)
      state.pointee.hasFailures = true
      throw failure
    }
  }

  /// Moves to an object, which is stored, and sees to it that its bytes are there.
  @inline(__always)
  func move(toObject number: UInt32) throws {
    if state.pointee.isPartial { try expand(object: number) }
    state.pointee.stream.move(to: state.pointee.objects[Int(number)].offset)
  }

  @inline(never)
  private func expand(object number: UInt32) throws {
    let range = state.pointee.objects[Int(number)].offset..<tables.end(ofObject: number)
    try tables.partial?.expand(range)
  }

  /// Makes an instance of the class that is stored with it; nil where none is.
  private func makeStored() throws -> AnyObject? {
    let start = state.pointee.stream.input.cursor
    let shape = try readShape()
    guard shape.pointee.isClass, shape.pointee.classNumber != 0 else {
      state.pointee.stream.input.cursor = start
      return nil
    }
    return try readStored(shape)
  }

  private func readStored(_ shape: Pinned<DecoderShape>) throws -> AnyObject {
    // The resolver owns it as long as this decoder lives.
    try resolvedClass(shape).withObject { try readInstance(shape, $0) }
  }

  /// Makes what the cursor stands at where no class is stored: an instance of `Value`, or a box of a value.
  @_semantics("optimize.sil.specialize.generic.never")
  private func makeInstance<Value: GDecodable>(_ type: Value.Type) throws -> AnyObject {
    let start = state.pointee.stream.input.cursor
    let shape = try readShape()
    if tables.makers[shape] == nil {
      tables.makers[shape] = { decoder, number in try decoder.construct(number, Value.self) }
    }
    guard shape.pointee.isClass else {
      if shape.pointee.isBoxed {
        try takeRoom(byteCount: ValueBox<Value>.byteCount)
        return ValueBox(try Value._graphRead(self, try readOuterKind()))
      }
      guard _isNotClass(type) else { throw typeMismatch(type, "the archive has a value") }
      state.pointee.stream.input.cursor = start
      try takeRoom(byteCount: ValueBox<Value>.byteCount)
      return ValueBox(try Value._graphRead(self, .record))
    }
    return try readInstance(type, shape)
  }

  /// Reads the fields of an instance whose shape has been read.
  @_semantics("optimize.sil.specialize.generic.never")
  func readInstance<Value: GDecodable>(
    _ type: Value.Type, _ shape: Pinned<DecoderShape>
  ) throws -> AnyObject {
    if shape.pointee.classNumber == 0 {
      guard subject(of: type) is AnyClass else {
        throw typeMismatch(type, "the archive has an instance of a class that was stored without its name")
      }
      // Stored without its class: the static type is all that is known.
      return try readInstance(shape, tables.classes.resolve(asked: type))
    }
    do {
      return try readStored(shape)
    } catch let error as DecodingError {
      throw unrequestedClassError(error, type, shape)
    }
  }

  func resolvedClass(
    _ shape: Pinned<DecoderShape>
  ) throws -> Held<ClassResolver.ResolvedClass> {
    if let known = shape.pointee.resolvedClass { return known }
    let resolved = Held(
      try tables.classes.resolve(Int(shape.pointee.classNumber) - 1))
    shape.pointee.resolvedClass = resolved
    return resolved
  }

  /// Makes every instance that the archive has as one.
  @inline(__always)
  private func readInstance(
    _ shape: Pinned<DecoderShape>, _ resolved: ClassResolver.ResolvedClass
  ) throws -> AnyObject {
    let (outer, outerClass) = (state.pointee.frame, state.pointee.classIndex)
    if gca_stack_pointer() < state.pointee.stackLimit || outer.depth >= state.pointee.maximumDepth {
      return try onNewStack { try readInstance(shape, resolved) }
    }
    try takeRoom(forInstanceOf: resolved)
    state.pointee.classIndex = Int(shape.pointee.classNumber) - 1
    defer { state.pointee.classIndex = outerClass }
    state.pointee.frame = RecordFrame(shape, start: state.pointee.stream.input.cursor, depth: outer.depth + 1)
    let mark = state.pointee.deferred.mark
    do {
      let kind = shape.pointee.isBoxed ? try readKind(ofBoxed: resolved.type) : .record
      let instance = try resolved.make(self, kind)
      if kind == .record,
        state.pointee.frame.field.pointee.token != FieldToken.end || state.pointee.frame.track != nil
      {
        try finishRecord()
      }
      state.pointee.frame = outer
      return instance
    } catch {
      giveBackRoom(byteCount: resolved.instanceByteCount)
      // Its own and those of what is nested in it, which are discarded.
      forgetDeferred(of: state.pointee.object, since: mark)
      throw leaving(error, resolved.type, to: outer)
    }
  }

  /// The kind of what a class has written itself.
  @inline(never)
  private func readKind(ofBoxed type: Any.Type) throws -> GraphKind {
    let kind = try readOuterKind()
    guard kind == .binary else {
      throw typeMismatch(type, "the archive has an instance of a class that is a value of kind \(kind)")
    }
    return kind
  }

  /// Moves to an object, and reads its shape.
  func readShape(ofObject number: UInt32) throws -> Pinned<DecoderShape> {
    try move(toObject: number)
    return try readShape()
  }

  /// The shape of an object, which the cursor does not move to; nil where the stream is malformed, which decoding the object
  /// will tell.
  func shape(of number: UInt32) -> Pinned<DecoderShape>? {
    let cursor = state.pointee.stream.input.cursor
    defer { state.pointee.stream.input.cursor = cursor }
    return try? readShape(ofObject: number)
  }

  /// The name of an object's class with its module; nil where it is not stored.
  package func qualifiedClassName(ofObject number: UInt32) -> String? {
    shape(of: number).flatMap { tables.className($0.pointee.classNumber) }
  }

  /// The name of an object's class without its module; nil where it is not stored.
  func className(ofObject number: UInt32) -> String? {
    guard let name = qualifiedClassName(ofObject: number) else { return nil }
    return name.split(separator: ".").last.map(String.init) ?? name
  }
}

/// Tells a boxed value from an instance of a user's class.
protocol AnyValueBox {}
extension ValueBox: AnyValueBox {}

@inline(__always)
private func _isNotClass<Value>(_ type: Value.Type) -> Bool { !(subject(of: type) is AnyClass) }
