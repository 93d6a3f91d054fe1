import CGraphArchive

/// What a reader knows of a type: looked up once, because a conformance costs 50 to 100 ns each time.
class AnyDecodableType {}

/// How values of a type are read.
class DecodableType<Value: Decodable>: AnyDecodableType {
  /// Its owner, which outlives it.
  unowned(unsafe) let reader: CodableReader

  init(_ reader: CodableReader) { self.reader = reader }

  /// Reads a value that stands at the cursor as a kind.
  func read(_ kind: GraphKind) throws -> Value { preconditionFailure("every type is of a subclass") }
}

/// A type that is `GCodable` as well.
final class NativeDecodable<Value: Decodable & GDecodable>: DecodableType<Value> {
  private let isLeaf = Value.self is any _GraphLeafDecodable.Type
  private let isContainer = Value.self is any DecodableContainer.Type

  override func read(_ kind: GraphKind) throws -> Value {
    guard kind == .record else { return try Value._graphRead(reader.decoder, kind) }
    if isLeaf { return try reader.readUnwrapped(Value.self) }
    // A container may have encoded itself by `Codable`, or be the single value of another type.
    if isContainer, !reader.isAtElements() { return try reader.readRecord(Value.self) }
    return try Value._graphRead(reader.decoder, kind)
  }
}

/// A struct, enum or class that decodes its own fields.
final class RecordDecodable<Value: Decodable>: DecodableType<Value> {
  private let isClass = Value.self is AnyClass

  override func read(_ kind: GraphKind) throws -> Value {
    switch kind {
    case .record: try reader.readRecord(Value.self)
    // An instance of a class, where a struct is asked for that looks at it before it decodes it.
    case .reference where !isClass && reader.leadsToInstance(): try reader.readShared(Value.self)
    case .reference, .conditional: try reader.readReference(Value.self, isClass: isClass)
    case .tagged: try read(reader.readTag())
    default: try reader.readBare(Value.self, kind)
    }
  }
}

extension CodableReader {
  /// Reads the kind behind the kind `tagged`.
  func readTag() throws -> GraphKind {
    try graph.pointee.stream.readTagged(.tagged)
  }

  /// Reads a value of a basic type that has been stored as the single value of another type.
  func readUnwrapped<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let outer = graph.pointee.frame
    defer { graph.pointee.frame.depth = outer.depth }
    var kind = GraphKind.record
    while kind == .record {
      let shape = try decoder.readShape()
      guard isSingle(shape), !shape.pointee.isSpecial else {
        throw decoder.typeMismatch(type, "the archive has a value with fields")
      }
      graph.pointee.frame.depth = try Nesting.deeper(than: graph.pointee.frame.depth)
      kind = shape.pointee.fields.pointee.kind
      if kind == .tagged { kind = try readTag() }
    }
    return try Value._graphRead(decoder, kind)
  }

  /// Whether records of a shape have one field alone, without a key, and are no list: as single values have.
  @inline(__always)
  func isSingle(_ shape: UnsafeMutablePointer<DecoderShape>) -> Bool {
    shape.pointee.fieldCount == 1 && shape.pointee.fields.pointee.keyNumber == 0 && !shape.pointee.isOpen
      && !shape.pointee.isList
  }

  /// Whether at the cursor is a record with elements that a `GCodable` type has encoded without saying that they are a
  /// list.
  func isAtElements() -> Bool {
    let cursor = graph.pointee.stream.input.cursor
    defer { graph.pointee.stream.input.cursor = cursor }
    guard let shape = try? decoder.readShape() else { return false }
    return isUnkeyed(shape) && !shape.pointee.isList && !isSingle(shape)
  }

  /// Whether the object whose number is at the cursor is an instance of a class.
  func leadsToInstance() -> Bool {
    let cursor = graph.pointee.stream.input.cursor
    defer { graph.pointee.stream.input.cursor = cursor }
    guard let number = try? graph.pointee.stream.readObjectNumber() else { return false }
    guard graph.pointee.objects[Int(number)].offset != ObjectSlot.notStored else { return false }
    return (try? decoder.readShape(ofObject: number).pointee.isClass) ?? false
  }

  /// Reads a reference; see `GDecoder.readReference`.
  func readReference<Value: Decodable>(_ type: Value.Type, isClass: Bool) throws -> Value {
    let number = try graph.pointee.stream.readObjectNumber()
    let slot = graph.pointee.objects + Int(number)
    if slot.pointee.instance == nil {
      try withReference(to: number) { try decoder.build(number, Bridged<Value>.self) }
    }
    let cast = KnownCast(from: slot.pointee.metadata, to: UInt(bitPattern: ObjectIdentifier(type)))
    if isClass, let instance = slot.pointee.instance,
      cast.from == cast.to || graph.pointee.casts[cast.place] == cast
    {
      // Of exactly the class that is asked for, or of one that was cast to it before.
      return unsafeBitCast(instance.takeUnretainedValue(), to: Value.self)
    }
    let value = try decoder.readObject(Bridged<Value>.self, number).value
    if isClass, slot.pointee.metadata != 0 {
      let cast = KnownCast(from: slot.pointee.metadata, to: cast.to)
      graph.pointee.casts[cast.place] = cast
    }
    return value
  }

  /// Runs `body`, which makes an object, with the field that leads to it in the path.
  private func withReference(to number: UInt32, _ body: () throws -> Void) throws {
    let outer = state.pointee.record
    state.pointee.lastRecord += 1
    state.pointee.path.append(
      ReaderStep(
        serial: state.pointee.lastRecord, outer: outer, frame: graph.pointee.frame, object: number))
    state.pointee.record = state.pointee.lastRecord
    defer {
      _ = state.pointee.path.removeLast()
      state.pointee.record = outer
    }
    try body()
  }
}
