import _GraphCoding
import _GraphFiles

extension GraphArchive {
  /// What an archive consists of.
  public struct Info: Hashable, Sendable {
    /// The version of the archive format.
    public let formatVersion: Int
    /// The user's own version, `GraphEncoder.binaryIOVersion`.
    public let userVersion: UInt16
    /// The metadata that the encoder was given, `GraphEncoder.metadata`.
    public let metadata: [String: String]
    /// Bytes of the archive.
    public let byteCount: UInt64
    /// Bytes of graph stream, object index and large arrays before compression.
    public let rawByteCount: UInt64
    /// Bytes of the graph stream, which holds everything except the large arrays, before compression.
    public let streamByteCount: UInt64
    /// The number of stored objects.
    public let objectCount: Int
    /// The number of shapes, that is, of different sequences of fields.
    public let shapeCount: Int
    /// The number of different field names.
    public let keyCount: Int
    /// The classes whose names are stored.
    public let classes: [Class]
    /// How many values have attributes.
    public let attributedValueCount: Int
    /// How many arrays the directory has; 0 without one.
    public let listedArrayCount: Int
    /// The long runs of bytes, in the order of the archive; short ones are part of its contents.
    public let segments: [Segment]
  }

  /// A long run of bytes in blocks, each compressed and checked by itself.
  public struct Segment: Hashable, Sendable {
    /// What a segment holds.
    public enum Kind: Hashable, Sendable {
      /// All values but the elements of large arrays.
      case graph
      /// Where the objects are in the graph stream.
      case objectIndex
      /// The elements of a large array.
      case bulk
    }

    /// What it holds.
    public let kind: Kind
    /// Its place among the bulk segments; 0 for other segments.
    public let number: Int
    /// The format of the elements of a large array; nil for structs, and for other segments.
    public let packedFormat: PackedFormat?
    /// Bytes before compression.
    public let rawByteCount: UInt64
    /// Bytes of one element; 1 where the segment has no elements.
    public let elementByteCount: Int
    /// Bytes of each block before compression, except the last one.
    public let blockByteCount: Int
    /// Bytes in the archive, including the table of blocks.
    public let storedByteCount: UInt64
    /// The number of blocks.
    public var blockCount: Int { blocks.count }
    /// The number of blocks that are compressed with LZ4.
    public let lz4BlockCount: Int
    /// The number of blocks that have the codec for numbers; those that have neither are stored uncompressed.
    public let numbersBlockCount: Int
    /// The blocks, in the order of the archive.
    public let blocks: [Block]
    /// The filters that were applied before compression, in this order.
    public let filters: [Filter]
    /// The precision to which floating-point numbers were rounded; nil for exact ones.
    public let precision: GPrecision?

    /// What compressed blocks need and this version of the package does not know, such as `codec 7`; nil if it knows all.
    ///
    /// The elements of such a segment cannot be read, everything else in the archive can.
    public let unknown: String?

    /// Bytes before compression for each byte in the archive.
    public var ratio: Double { Double(rawByteCount) / Double(storedByteCount) }
  }

  /// A piece of a segment, compressed and checked by itself.
  public struct Block: Hashable, Sendable {
    /// Bytes in the archive; as many as before compression where it is stored uncompressed.
    public let storedByteCount: Int
    /// Bytes before compression.
    public let rawByteCount: Int
  }

  /// A reversible change of a block's bytes that makes them easier to compress.
  public struct Filter: Hashable, Sendable, CustomStringConvertible {
    /// Its name and what it works on: `byte shuffle 8`, `bit shuffle 4`, `delta 3`, `delta 10023, 3 at first`,
    /// `quantised 0.005`.
    public let description: String
  }

  /// What the archive consists of: sizes, tables and segments.
  ///
  /// - Throws: `damaged` or `malformed` if a segment's table of blocks is, or what is said beside the graph; the blocks themselves are not checked. `file`
  ///   when the file cannot be read.
  /// - Complexity: O(n) in the number of classes, blocks, attributes and entries of the directory.
  public var info: Info {
    get throws {
      Info(
        formatVersion: Int(ArchiveHeader.formatVersion), userVersion: contents.userVersion,
        metadata: metadata,
        byteCount: header.byteCount, rawByteCount: contents.rawByteCount,
        streamByteCount: contents.graph.rawByteCount, objectCount: Int(contents.storedObjectCount),
        shapeCount: contents.shapes.count, keyCount: contents.keys.count,
        classes: classes,
        attributedValueCount: try contents.extensions.attributeTable().entries.count,
        listedArrayCount: try contents.extensions.directory.map {
          try ArrayDirectory(parsing: $0).entries.count
        }
          ?? 0,
        segments: try withReader { try segments($0) })
    }
  }

  private func segments(_ reader: ArchiveReader) throws -> [Segment] {
    var number = 0
    return try contents.segments.map { placed in
      let segment = try reader.open(placed).segment
      let isBulk = segment.kind == .bulk
      defer { number += isBulk ? 1 : 0 }
      return Segment(segment, number: isBulk ? number : 0)
    }
  }
}

extension GraphArchive.Segment {
  fileprivate init(_ segment: Segment, number: Int) {
    kind = segment.kind.archiveKind
    self.number = number
    packedFormat = segment.format == .none ? nil : segment.format
    rawByteCount = segment.rawByteCount
    elementByteCount = segment.elementByteCount
    blockByteCount = segment.blockByteCount
    storedByteCount = segment.byteCount
    blocks = segment.blocks.enumerated().map { number, block in
      GraphArchive.Block(
        storedByteCount: Int(block.storedByteCount), rawByteCount: segment.rawByteCount(ofBlock: number))
    }
    let compressed = segment.blocks.indices.count { !segment.isStored($0) }
    lz4BlockCount = segment.codec == 1 ? compressed : 0
    numbersBlockCount = segment.hasNumbers ? compressed : 0
    unknown = segment.unknown
    filters = segment.filters.filter { !$0.isNote }.map { GraphArchive.Filter(description: "\($0)") }
    precision = segment.precision
  }
}

extension Segment.Kind {
  package var archiveKind: GraphArchive.Segment.Kind {
    switch self {
    case .graph: .graph
    case .objectIndex: .objectIndex
    case .bulk: .bulk
    }
  }
}
