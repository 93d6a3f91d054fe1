import CGraphArchive
import _GraphFiles
import _GraphSupport

extension GDecoder {
  /// A byte of the graph stream that a walk has read.
  func streamByte(at offset: UInt64) throws -> UInt8 {
    guard offset < UInt64(tables.streamBytes.count) else {
      throw malformed("the stream ends before \(offset)")
    }
    return tables.streamBytes[Int(offset)]
  }
}

extension ArchiveReader {
  /// The same archive with a value of it as the root, and without objects.
  ///
  /// Its numbers are those of the archive's keys, shapes, layouts and bulk segments.
  package func apart(_ value: [UInt8], _ attributes: GAttributes = GAttributes()) -> ArchiveReader {
    var reader = ArchiveReader(
      source, header, contents.apart(value, attributes), threadCount: threadCount, progress: progress)
    reader.trustsContents = trustsContents
    return reader
  }
}

extension Contents {
  /// The same with a value as the graph, and with attributes of it.
  package func apart(_ value: [UInt8], _ attributes: GAttributes = GAttributes()) -> Contents {
    var apart = self
    apart.graph = .embedded(value)
    apart.objectIndex = .embedded([])
    (apart.objectCount, apart.storedObjectCount, apart.objectsAreInOrder) = (0, 0, true)
    apart.extensions = ContentsExtensions()
    if !attributes.isEmpty {
      var table = AttributeTable()
      table.note(attributes, at: 1)  // Behind its kind.
      apart.extensions.setAttributes(table)
    }
    return apart
  }

  /// The bytes of the directory of a graph with these tables and segments.
  ///
  /// - Parameters:
  ///   - tables: those of the graph.
  ///   - bulk: the arrays in segments, in their order.
  ///   - stream: the graph stream, and `index` the object index.
  func directory(
    tables: Contents.TableBytes, bulk: [BulkArray], stream: UnsafeRawBufferPointer, index: [UInt8]
  ) throws -> [UInt8]? {
    if bulk.isEmpty { return nil }
    var whole = try Contents(tables: tables)
    (whole.objectCount, whole.storedObjectCount) = (objectCount, storedObjectCount)
    whole.objectsAreInOrder = objectsAreInOrder
    whole.graph = unsafe .embedded(Array(stream))
    whole.objectIndex = .embedded(index)
    whole.bulk = bulk.map(PlacedSegment.init(walked:))
    let reader = ArchiveReader(withoutBytes: whole)
    return try ArrayDirectory(of: reader.walkingDecoder(isPartial: false)).bytes
  }
}
