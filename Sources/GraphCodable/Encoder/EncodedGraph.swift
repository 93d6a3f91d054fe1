/// A graph after the walk, without the encoder that made it, and so without the objects of the model.
///
/// Nothing in it changes, so any thread may use it.
@usableFromInline
final class EncodedGraph: @unchecked Sendable {
  private let writer: StreamWriter
  /// See `ObjectIndex`.
  let index: [UInt8]
  let bulk: [BulkArray]
  /// What the contents say of the objects; no tables, and no places of segments.
  let contents: Contents
  /// The tables of keys, classes, layouts and shapes.
  let tables: Contents.TableBytes
  /// See `EncoderTables.unitTexts`.
  let unitTexts: UnitTexts?

  /// Takes the stream of an encoder that has encoded its graph.
  init(_ encoder: GEncoder, _ index: ObjectIndex.Builder) {
    let encoderTables = encoder.tables
    let objects = encoder.state.pointee.objects
    writer = encoder.state.pointee.out
    encoder.state.pointee.out = StreamWriter()
    self.index = index.bytes(objects)
    bulk = encoderTables.bulk
    unitTexts = encoderTables.unitTexts
    tables = encoderTables.tableBytes
    var contents = Contents()
    contents.objectCount = UInt64(objects.count)
    contents.storedObjectCount = UInt64(objects.enqueuedCount)
    contents.objectsAreInOrder = objects.isInOrder
    self.contents = contents
  }

  deinit {
    var writer = writer
    writer.release()
  }

  /// The graph stream, valid as long as this object lives.
  var stream: UnsafeRawBufferPointer { unsafe writer.bytes }

  /// The bytes of the contents, with the tables of this graph.
  func bytes(of contents: Contents) -> [UInt8] { contents.bytes(tables: tables) }

  /// Bytes of all that may be in segments, before compression.
  var byteCount: UInt64 {
    unsafe UInt64(stream.count + index.count) + bulk.reduce(0) { $0 + UInt64($1.byteCount) }
  }
}

extension EncoderTables.StoredShape {
  /// The shape as the contents hold it.
  var fields: Contents.Shape {
    var shape = Contents.Shape(
      classNumber: type.pointee.classNumber, isClass: type.pointee.isClass, isOpen: isOpen,
      isBoxed: type.pointee.isBoxed && end == type.pointee.root, isList: end.pointee.isList, fields: [])
    var node = end
    while let parent = node.pointee.parent {
      if node.pointee.isField {
        shape.fields.append(.init(keyNumber: node.pointee.keyNumber, kind: node.pointee.kind))
      }
      node = parent
    }
    shape.fields.reverse()
    return shape
  }

  /// The name of a type that is no class; empty for others.
  var typeName: String {
    guard !type.pointee.isClass else { return "" }
    return unsafe _typeName(unsafeBitCast(type.pointee.metadata, to: Any.Type.self), qualified: true)
  }
}
