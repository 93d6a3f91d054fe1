import _GraphFiles
import _GraphSupport

extension EncodedGraph {
  /// Takes the stream of an encoder that has encoded its graph.
  ///
  /// - Parameter storesDirectory: whether the contents have a directory of arrays in segments.
  convenience init(
    _ encoder: GEncoder, _ index: ObjectIndex.Builder, storesDirectory: Bool = false
  ) throws {
    let tables = encoder.tables
    let objects = encoder.state.pointee.objects
    let writer = encoder.state.pointee.out
    encoder.state.pointee.out = StreamWriter()
    var contents = Contents()
    contents.objectCount = UInt64(objects.count)
    contents.storedObjectCount = UInt64(objects.enqueuedCount)
    contents.objectsAreInOrder = objects.isInOrder
    if let attributes = tables.attributes { contents.extensions.setAttributes(attributes) }
    let (index, tableBytes) = (index.bytes(objects), tables.tableBytes)
    if storesDirectory {
      do {
        let directory = try unsafe contents.directory(
          tables: tableBytes, bulk: tables.bulk, stream: writer.bytes, index: index)
        contents.extensions.setDirectory(directory)
      } catch {
        var writer = writer
        unsafe writer.release()
        throw error
      }
    }
    self.init(writer, index: index, bulk: tables.bulk, contents: contents, tables: tableBytes)
  }
}

extension EncoderTables {
  /// The tables of keys, classes, layouts and shapes as the archive has them.
  ///
  /// Keys are numbered in the order of their first use in overflow fields, then in the shapes, then in the layouts; so anything
  /// met in earlier graphs, or not used in the end, does not matter.
  var tableBytes: Contents.TableBytes {
    let isLasting = types.classes.isEmpty && keys.overflow.isEmpty && shapes.layouts.isEmpty
    if isLasting, let known = knownTables.first(where: { $0.shapes == shapes.list }) { return known.bytes }
    var contents = Contents()
    var numbers = [UInt32](repeating: 0, count: keys.names.count + 1)
    func number(_ key: UInt32) -> UInt32 {
      if key != 0, numbers[Int(key)] == 0 {
        contents.keys.append(keys.names[Int(key) - 1])
        numbers[Int(key)] = UInt32(contents.keys.count)
      }
      return numbers[Int(key)]
    }
    for key in keys.overflow { _ = number(key) }
    contents.classes = types.classes
    contents.shapes = shapes.list.map { shape in
      var fields = contentsShape(shape)
      for index in fields.fields.indices {
        fields.fields[index].keyNumber = number(fields.fields[index].keyNumber)
      }
      return fields
    }
    contents.layouts = shapes.layouts.map { layout in
      Contents.Layout(fields: layout.fields.map { .init(keyNumber: number($0.keyNumber), format: $0.format) })
    }
    let bytes = Contents.TableBytes(contents)
    if isLasting, shapes.list.count <= Self.maximumIdleCount {
      if knownTables.count == Self.maximumKnownTableCount { knownTables.removeLast() }
      knownTables.insert((shapes.list, bytes), at: 0)
    }
    return bytes
  }

  private static let maximumKnownTableCount = 8

  private func contentsShape(_ shape: EncoderShapes.Shape) -> Contents.Shape {
    var fields = shape.fields
    if options.contains(.storeTypeNames) { fields.typeName = shape.typeName }
    return fields
  }

  /// The tables with the numbers that the encoder gives: those of a stream of messages.
  var cumulative: Contents {
    var contents = Contents()
    contents.keys = keys.names
    contents.classes = types.classes
    contents.shapes = shapes.list.map(contentsShape)
    contents.layouts = shapes.layouts
    return contents
  }
}

extension EncoderShapes.Shape {
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
