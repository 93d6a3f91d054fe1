import Foundation
import _GraphFiles
import _GraphSupport

/// What a reader knows of a type: looked up once, because a conformance costs 50 to 100 ns each time.
package class AnyDecodableType {}

/// How values of a type are read.
package class DecodableType<Value: Decodable>: AnyDecodableType {
  /// Its owner, which outlives it.
  @safe unowned(unsafe) let reader: CodableReader

  init(_ reader: CodableReader) { self.reader = reader }

  /// Reads a value that stands at the cursor as a kind.
  package func read(_ kind: GraphKind) throws -> Value { preconditionFailure("every type is of a subclass") }

  /// Reads the record that is being decoded as a value that has encoded itself into the same encoder.
  func readAgain(_ record: RecordDecoder) throws -> Value {
    try reader.decoder.nested {
      defer { reader.go(to: record.serial) }  // The value may have left it for a nested container.
      return try Value(from: record)
    }
  }
}

/// A type that is `GCodable` as well, as which it has encoded itself.
///
/// A single value of another type is that value. So a record that is not one of the type's own is looked into.
final class NativeDecodable<Value: Decodable & GDecodable>: DecodableType<Value> {
  private let isLeaf = Value.self is any _GraphLeafDecodable.Type
  private let isData = Value.self == Data.self
  /// Which may be either, where it is lazy.
  private let isBytes =
    Value.self == Data.self || Value.self == CharacterSet.self || Value.self is any AnyLazy.Type
  /// All keys of the type may be missing, or it has elements alone: so it would find itself in many a record.
  private let hasOnlyOptionalKeys =
    Value.self == DateComponents.self || Value.self == PersonNameComponents.self
  private let hasOnlyElements = Value.self is any AnyDifference.Type

  override func read(_ kind: GraphKind) throws -> Value {
    switch kind {
    case .record: try isLeaf ? reader.readUnwrapped(Value.self) : readRecord()
    case .tagged: try read(reader.readTag())
    case .binary: try reader.readUnit(Value.self)
    case .packed where reader.isAtData ? !isBytes : isData:
      throw reader.decoder.typeMismatch(Value.self, "the archive has \(isData ? "a list" : "Data")")
    default: try Value._graphRead(reader.decoder, kind)
    }
  }

  /// It has encoded itself without the other type.
  override func readAgain(_ record: RecordDecoder) throws -> Value {
    guard !(Value.self is AnyClass), (Value.self as? any GEncodable.Type)?._graphPlainKind == .record else {
      throw reader.decoder.typeMismatch(Value.self, "the archive has a value with fields")
    }
    return try reader.readFields(Value.self)
  }

  private func readRecord() throws -> Value {
    let start = reader.graph.pointee.stream.input.cursor
    do {
      if hasOnlyOptionalKeys || hasOnlyElements {
        try reader.checkRecord(Value.self, hasKeys: hasOnlyOptionalKeys)
      }
      return try Value._graphRead(reader.decoder, .record)
    } catch {
      reader.graph.pointee.stream.input.cursor = start
      guard let kind = reader.enterSingleValue() else { throw error }
      return try reader.decoder.nested { try read(kind) }
    }
  }
}

/// `CollectionDifference`, of whatever elements.
private protocol AnyDifference {}
extension CollectionDifference: AnyDifference {}

/// A struct, enum or class that decodes its own fields.
final class RecordDecodable<Value: Decodable>: DecodableType<Value> {
  private let isClass = Value.self is AnyClass

  override func read(_ kind: GraphKind) throws -> Value {
    switch kind {
    case .record where isClass: try reader.readRecordOrObject(Value.self)
    case .record: try reader.readRecord(Value.self)
    // An instance of a class, where a struct is asked for that looks at it before it decodes it.
    case .reference where !isClass && reader.leadsToInstance(): try reader.readShared(Value.self)
    case .reference, .conditional: try reader.readReference(Value.self, isClass: isClass)
    case .tagged: try read(reader.readTag())
    default: try reader.readBare(Value.self, kind, isClass: isClass)
    }
  }

  override func readAgain(_ record: RecordDecoder) throws -> Value {
    guard isClass else { return try super.readAgain(record) }
    return try reader.countingInstance(of: Value.self) { try super.readAgain(record) }
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
      graph.pointee.frame.depth = try Nesting.deeper(
        than: graph.pointee.frame.depth, upTo: graph.pointee.maximumDepth)
      kind = shape.pointee.fields[0].kind
      if kind == .tagged { kind = try readTag() }
    }
    return try Value._graphRead(decoder, kind)
  }

  /// Reads the record that is being decoded, from its first field on, as one of a `GCodable` type.
  func readFields<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let (frame, cursor) = (graph.pointee.frame, graph.pointee.stream.input.cursor)
    guard let shape = frame.shape else { throw decoder.typeMismatch(type, "the archive has another value") }
    defer { (graph.pointee.frame, graph.pointee.stream.input.cursor) = (frame, cursor) }
    return try decoder.nested {
      graph.pointee.frame = RecordFrame(shape, start: frame.start, depth: graph.pointee.frame.depth)
      if let start = frame.start { graph.pointee.stream.input.cursor = start }
      do {
        let value = try type.init(from: decoder)
        if graph.pointee.frame.field.pointee.token != FieldToken.end || graph.pointee.frame.track != nil {
          try decoder.finishRecord()
        }
        return value
      } catch { throw decoder.leaving(error, type, to: frame) }
    }
  }

  /// Moves into a record, where the cursor is, to the single value that is all of it.
  ///
  /// - Returns: its kind; nil where the record is none of these, and the cursor stays.
  func enterSingleValue() -> GraphKind? {
    let cursor = graph.pointee.stream.input.cursor
    guard let shape = try? decoder.readShape(), isSingle(shape), !shape.pointee.isSpecial,
      let kind = shape.pointee.fields[0].kind == .tagged
        ? try? readTag() : shape.pointee.fields[0].kind
    else {
      graph.pointee.stream.input.cursor = cursor
      return nil
    }
    return kind
  }

  /// Moves behind a record, where the cursor is, whose single value is nil.
  ///
  /// - Returns: false where there is none, and the cursor stays.
  func skipNilRecord() -> Bool {
    let cursor = graph.pointee.stream.input.cursor
    while let kind = enterSingleValue() {
      if kind == .null || kind == .absent { return true }
      guard kind == .record else { break }
    }
    graph.pointee.stream.input.cursor = cursor
    return false
  }

  /// Reads an instance of a class that stands in place, or that is the single value of another type.
  func readRecordOrObject<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let start = graph.pointee.stream.input.cursor
    guard let kind = enterSingleValue(), kind == .reference || kind == .conditional else {
      graph.pointee.stream.input.cursor = start
      return try readRecord(type, isClass: true)
    }
    return try readReference(type, isClass: true)
  }

  /// Checks that a record at the cursor may have keys, or elements.
  func checkRecord(_ type: Any.Type, hasKeys: Bool) throws {
    let cursor = graph.pointee.stream.input.cursor
    defer { graph.pointee.stream.input.cursor = cursor }
    let shape = try decoder.readShape()
    let unkeyedCount = Int(shape.pointee.fields[0].unkeyedCount)
    guard hasKeys ? isUnkeyed(shape) : unkeyedCount == 0 && shape.pointee.fieldCount > 0 else { return }
    throw decoder.typeMismatch(type, "the archive has a value with\(hasKeys ? "out" : "") keys")
  }

  /// Reads a value of a type that writes its own bytes.
  func readUnit<Value: GDecodable>(_ type: Value.Type) throws -> Value {
    let start = graph.pointee.stream.input.cursor
    do { return try Value._graphRead(decoder, .binary) } catch let error as GCodableError
      where error.code == .malformed
    {
      // The bytes are there: another type has written them.
      graph.pointee.stream.input.cursor = start
      guard (try? decoder.skip(.binary)) != nil else { throw error }
      throw decoder.typeMismatch(type, "the archive has bytes that it cannot read")
    }
  }

  /// Whether the packed array at the cursor is one of `Data`, and not of numbers.
  var isAtData: Bool {
    // As a varint of one byte.
    graph.pointee.stream.input.peek() == UInt8(PackedFormat.byte.rawValue) << 1 | 1
  }

  /// Whether records of a shape have one field alone, without a key, and are no list: as single values have.
  @inline(__always)
  func isSingle(_ shape: Pinned<DecoderShape>) -> Bool {
    shape.pointee.fieldCount == 1 && shape.pointee.fields[0].keyNumber == 0 && !shape.pointee.isOpen
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

  /// Whether the record at the cursor may have values without keys in front.
  func isAtUnkeyedRecord() -> Bool {
    let cursor = graph.pointee.stream.input.cursor
    defer { graph.pointee.stream.input.cursor = cursor }
    guard let shape = try? decoder.readShape(), !shape.pointee.isSpecial else { return false }
    return shape.pointee.isOpen || shape.pointee.fields[0].unkeyedCount > 0
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
    let slot = graph.pointee.objects.pinned(Int(number))
    if slot.pointee.instance == nil {
      try withReference(to: number) { try decoder.build(number, CodableAdapter<Value>.self) }
    }
    let cast = KnownCast(from: slot.pointee.metadata, to: UInt(bitPattern: ObjectIdentifier(type)))
    if isClass, let instance = slot.pointee.instance,
      cast.from == cast.to || graph.pointee.casts[cast.place] == cast
    {
      // Of exactly the class that is asked for, or of one that was cast to it before.
      return unsafe unsafeBitCast(instance.object, to: Value.self)
    }
    let value = try decoder.readObject(CodableAdapter<Value>.self, number).value
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
