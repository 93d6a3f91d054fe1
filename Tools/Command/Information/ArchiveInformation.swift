import GraphCodable

/// What an archive consists of; its properties are the keys in JSON.
struct ArchiveInformation: Information {
  let file: String
  let kind = FileKind.archive
  /// The entry of a series that it is.
  let entry: EntryInformation?
  /// The number of the message of a stream that it is.
  let message: Int?
  let formatVersion: Int
  let userVersion: UInt16
  /// Of the archive.
  let bytes: UInt64
  /// Of all runs of bytes in it, before compression.
  let rawBytes: UInt64
  /// Of the graph stream, before compression.
  let streamBytes: UInt64
  let objects: Int
  let shapes: Int
  let keys: Int
  let classes: [Class]
  let segments: [Segment]
  let metadata: [String: String]?
  /// How many values have attributes, and how many arrays the directory has; absent for none.
  let attributes: Int?
  let directory: Int?
  /// The hash of the values, if it was asked for.
  let identity: String?

  struct Class: Encodable {
    let name: String
    let mangledName: String
    let version: UInt32
  }

  struct Segment: Encodable {
    let kind: Kind
    /// Among the bulk segments.
    let number: Int?
    /// Of the elements; absent for structs.
    let format: String?
    let bytes: UInt64
    let rawBytes: UInt64
    let elementBytes: Int
    let blockBytes: Int
    let blocks: Int
    let lz4Blocks: Int
    let numbersBlocks: Int
    let unknown: String?
    let filters: [String]
    let precision: String?
    let ratio: Double

    enum Kind: String, Encodable { case graph, bulk, objectIndex }
  }

  init(_ snapshot: Snapshot, identity isAskedFor: Bool) throws {
    let archive = try snapshot.archive()
    let info = try archive.info
    file = snapshot.file
    entry = snapshot.entry.map { EntryInformation($0) }
    message = entry == nil ? snapshot.number : nil
    formatVersion = info.formatVersion
    userVersion = info.userVersion
    bytes = info.byteCount
    rawBytes = info.rawByteCount
    streamBytes = info.streamByteCount
    objects = info.objectCount
    shapes = info.shapeCount
    keys = info.keyCount
    classes = info.classes.map {
      Class(name: $0.qualifiedName, mangledName: $0.mangledName, version: $0.version)
    }
    segments = info.segments.map { Segment($0) }
    metadata = info.metadata.isEmpty ? nil : info.metadata
    attributes = info.attributedValueCount == 0 ? nil : info.attributedValueCount
    directory = info.listedArrayCount == 0 ? nil : info.listedArrayCount
    identity = isAskedFor ? try archive.identity().description : nil
  }
}

extension ArchiveInformation.Segment {
  fileprivate init(_ segment: GraphArchive.Segment) {
    switch segment.kind {
    case .graph: kind = .graph
    case .objectIndex: kind = .objectIndex
    case .bulk: kind = .bulk
    }
    number = kind == .bulk ? segment.number : nil
    format = segment.packedFormat?.description
    bytes = segment.storedByteCount
    rawBytes = segment.rawByteCount
    elementBytes = segment.elementByteCount
    blockBytes = segment.blockByteCount
    blocks = segment.blockCount
    lz4Blocks = segment.lz4BlockCount
    numbersBlocks = segment.numbersBlockCount
    unknown = segment.unknown
    filters = segment.filters.map(\.description)
    precision = segment.precision?.description
    ratio = segment.ratio
  }
}
