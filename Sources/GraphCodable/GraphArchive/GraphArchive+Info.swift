import CGraphArchive

extension GraphArchive {
  /// What an archive consists of.
  public struct Info: Hashable, Sendable {
    /// The version of the archive format.
    public let formatVersion: Int
    /// The user's own version, `GraphEncoder.binaryIOVersion`.
    public let userVersion: UInt16
    /// Bytes of the archive.
    public let byteCount: UInt64
    /// Bytes of graph stream, object index and large arrays before compression.
    public let rawByteCount: UInt64
    /// Bytes of the graph stream, which has all but the large arrays, before compression.
    public let streamByteCount: UInt64
    /// Objects that are stored.
    public let objectCount: Int
    /// Shapes: different sequences of fields.
    public let shapeCount: Int
    /// Different names of fields.
    public let keyCount: Int
    /// The classes whose names are stored.
    public let classes: [Class]
    /// The long runs of bytes, in the order of the archive; short ones stand in its contents.
    public let segments: [Segment]
  }

  /// A long run of bytes, cut into blocks that are compressed and checked each on its own.
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
    /// Its place among the bulk segments; 0 for others.
    public let number: Int
    /// How the elements of a large array lie; nil for structs, and for other segments.
    public let packedFormat: PackedFormat?
    /// Bytes before compression.
    public let rawByteCount: UInt64
    /// Bytes in the archive, of its blocks and the table of these.
    public let storedByteCount: UInt64
    /// How many blocks it has.
    public let blockCount: Int
    /// How many of these are compressed with LZ4; the others are stored as they are.
    public let lz4BlockCount: Int
    /// How many had the bytes of their elements shuffled before that.
    public let shuffledBlockCount: Int
  }

  /// What the archive consists of: sizes, tables and segments.
  ///
  /// - Throws: `damaged` or `malformed` where the table of a segment's blocks is; the blocks are not looked at. `file`
  ///   when the file cannot be read.
  /// - Complexity: O(n) in the number of classes and blocks.
  public var info: Info {
    get throws {
      Info(
        formatVersion: Int(ArchiveHeader.formatVersion), userVersion: header.userVersion,
        byteCount: header.byteCount, rawByteCount: contents.rawByteCount,
        streamByteCount: contents.graph.rawByteCount, objectCount: Int(contents.storedObjectCount),
        shapeCount: contents.shapes.count, keyCount: contents.keys.count,
        classes: classes, segments: try withReader { try segments($0) })
    }
  }

  private func segments(_ reader: ArchiveReader) throws -> [Segment] {
    var segments: [Segment] = []
    if case .segment(let entry) = contents.graph {
      segments.append(try segment(reader, entry, .graph, .graph))
    }
    for (number, entry) in contents.bulk.enumerated() {
      segments.append(try segment(reader, entry, .bulk, .bulk, number: number))
    }
    if case .segment(let entry) = contents.objectIndex {
      segments.append(try segment(reader, entry, .objectIndex, .objectIndex))
    }
    return segments
  }

  private func segment(
    _ reader: ArchiveReader, _ entry: SegmentEntry, _ stored: GraphCodable.Segment.Kind,
    _ kind: Segment.Kind, number: Int = 0
  ) throws -> Segment {
    let segment = try reader.open(entry, stored, number: number).segment
    return Segment(
      kind: kind, number: number, packedFormat: segment.format.scalar == nil ? nil : segment.format,
      rawByteCount: entry.rawByteCount, storedByteCount: entry.byteCount, blockCount: segment.blocks.count,
      lz4BlockCount: segment.blocks.count { $0.codec == GCA_CODEC_LZ4.rawValue },
      shuffledBlockCount: segment.blocks.count { $0.elementByteCount > 1 })
  }
}
