import _GraphFiles
import _GraphSupport

extension EncodedGraph {
  /// Takes the stream of an encoder that has encoded its graph.
  convenience init(_ encoder: GEncoder, _ index: ObjectIndex.Builder) {
    let tables = encoder.tables
    let objects = encoder.state.pointee.objects
    let writer = encoder.state.pointee.out
    encoder.state.pointee.out = StreamWriter()
    var contents = Contents()
    contents.objectCount = UInt64(objects.count)
    contents.storedObjectCount = UInt64(objects.enqueuedCount)
    contents.objectsAreInOrder = objects.isInOrder
    self.init(
      writer, index: index.bytes(objects), bulk: tables.bulk, contents: contents, tables: tables.tableBytes)
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
    return unsafe LibraryTypes.current.qualifiedInArchive(
      _typeName(unsafeBitCast(type.pointee.metadata, to: Any.Type.self), qualified: true))
  }
}
