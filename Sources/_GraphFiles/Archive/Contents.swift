/// The tables at the end of an archive: everything needed to read the graph stream without Swift types.
package struct Contents {
  /// The user's own version number, for `BinaryIOType`s.
  package var userVersion: UInt16 = 0
  /// The user's description of the archive.
  package var metadata = Metadata()
  /// The extensions that this version knows, by number.
  package var extensions = ContentsExtensions()
  package var keys: [String] = []
  package var classes: [StoredClass] = []
  /// The fields of packed structs.
  package var layouts: [Layout] = []
  package var shapes: [Shape] = []
  /// The graph stream, here where it is short, else in a segment of its own.
  package var graph: BytesOrSegment = .embedded([])
  /// Objects that have numbers, including those that only conditional references lead to.
  package var objectCount: UInt64 = 0
  /// Objects that are in the archive.
  package var storedObjectCount: UInt64 = 0
  /// Whether object `n` is the n-th in the stream, so that the index holds offsets alone.
  package var objectsAreInOrder = true
  /// See `ObjectIndex`.
  package var objectIndex: BytesOrSegment = .embedded([])
  package var bulk: [PlacedSegment] = []
  /// The bytes before a short graph stream in contents with nothing else but tables: see `GDecoder.reuse`.
  package var messageTables: [UInt8] = []

  package init() {}

  /// Numbers of objects are 31 bits, so that the encoder's identity table has one to spare.
  package static let maximumObjectCount = (1 << 31) - 1

  /// Bytes that are either here or in a segment.
  package enum BytesOrSegment {
    case embedded([UInt8])
    case segment(PlacedSegment)

    /// Shorter ones are in the contents: a segment of their own would cost more than it saves.
    package static let maximumEmbeddedByteCount = 1024

    /// Bytes before compression.
    package var rawByteCount: UInt64 {
      switch self {
      case .embedded(let bytes): UInt64(bytes.count)
      case .segment(let placed): placed.segment.rawByteCount
      }
    }

    /// Bytes in the archive.
    package var storedByteCount: UInt64 {
      switch self {
      case .embedded(let bytes): UInt64(bytes.count)
      case .segment(let placed): placed.segment.byteCount
      }
    }

    /// The segment, if it is one.
    package var segment: PlacedSegment? {
      if case .segment(let placed) = self { placed } else { nil }
    }
  }

  /// All segments, in the order in which they stand in the archive.
  package var segments: [PlacedSegment] {
    [graph.segment].compactMap(\.self) + bulk + [objectIndex.segment].compactMap(\.self)
  }

  /// Bytes of graph stream, object index and bulk segments before compression.
  ///
  /// Cannot overflow, because `layOut` refuses more than `Segment.maximumRawByteCount`.
  package var rawByteCount: UInt64 {
    bulk.reduce(graph.rawByteCount + objectIndex.rawByteCount) { $0 + $1.segment.rawByteCount }
  }

  package struct StoredClass: Equatable {
    package var mangledName: String
    package var qualifiedName: String
    package var version: UInt32

    package init(mangledName: String, qualifiedName: String, version: UInt32) {
      (self.mangledName, self.qualifiedName, self.version) = (mangledName, qualifiedName, version)
    }
  }

  /// The fields of a record, in order.
  package struct Shape: Equatable {
    /// Number of the class plus one; 0 where none is stored.
    package var classNumber: UInt32
    /// The value is a reference type.
    package var isClass = false
    /// More fields follow the fixed ones, each with its key and kind.
    package var isOpen = false
    /// Not fields but one value, its kind in front.
    package var isBoxed = false
    /// The fields without keys are the elements of a list, however many there are.
    package var isList = false
    /// The name of the type, if it is not a class and names were requested; otherwise empty.
    package var typeName = ""
    package var fields: [Field]

    package init(
      classNumber: UInt32, isClass: Bool = false, isOpen: Bool = false, isBoxed: Bool = false,
      isList: Bool = false, typeName: String = "", fields: [Field]
    ) {
      (self.classNumber, self.isClass, self.isOpen) = (classNumber, isClass, isOpen)
      (self.isBoxed, self.isList, self.typeName) = (isBoxed, isList, typeName)
      self.fields = fields
    }

    package struct Field: Equatable {
      /// Number of the key plus one; 0 for a field without a key.
      package var keyNumber: UInt32
      /// Tagged kinds say why they are tagged: see `GraphKind.plain`.
      package var kind: GraphKind

      package init(keyNumber: UInt32, kind: GraphKind) {
        (self.keyNumber, self.kind) = (keyNumber, kind)
      }
    }
  }

  /// The fields of a packed struct, in the order in which they lie.
  package struct Layout: Equatable {
    package let fields: [Field]
    package let formats: [PackedFormat]
    /// Where each field begins in an element.
    package let offsets: [Int]
    package let elementByteCount: Int
    /// Where in an element its bools are.
    package let boolRanges: [Range<Int>]

    package init(fields: [Field]) {
      self.fields = fields
      formats = fields.map(\.format)
      var (offsets, boolRanges, end): ([Int], [Range<Int>], Int) = ([], [], 0)
      for format in formats {
        offsets.append(end)
        if format.scalar == .bool { boolRanges.append(end..<(end + format.byteCount)) }
        end += format.byteCount
      }
      (self.offsets, self.boolRanges, elementByteCount) = (offsets, boolRanges, end)
    }

    package struct Field: Equatable {
      /// Number of the key plus one; 0 for a field without a key.
      package var keyNumber: UInt32
      package var format: PackedFormat

      package init(keyNumber: UInt32, format: PackedFormat) {
        (self.keyNumber, self.format) = (keyNumber, format)
      }
    }
  }
}
