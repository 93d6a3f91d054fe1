/// The tables at the end of an archive: all that is needed to read the graph stream without Swift types.
struct Contents {
  /// A number of the user's own, for his `BinaryIOType`s.
  var userVersion: UInt16 = 0
  /// What the user says of the archive.
  var metadata = Metadata()
  var keys: [String] = []
  var classes: [StoredClass] = []
  /// The fields of packed structs.
  var layouts: [Layout] = []
  var shapes: [Shape] = []
  /// The graph stream, here where it is short, else in a segment of its own.
  var graph: Place = .embedded([])
  /// Objects that have numbers, including those that only conditional references lead to.
  var objectCount: UInt64 = 0
  /// Objects that are in the archive.
  var storedObjectCount: UInt64 = 0
  /// Whether object `n` is the n-th in the stream, so that the index holds offsets alone.
  var objectsAreInOrder = true
  /// See `ObjectIndex`.
  var objectIndex: Place = .embedded([])
  var bulk: [PlacedSegment] = []
  /// What stands in front of a short graph stream, where there is nothing but that and tables: see `GDecoder.reuse`.
  var messageTables: [UInt8] = []

  init() {}

  /// Numbers of objects are 31 bits, so that the encoder's identity table has one to spare.
  static let maximumObjectCount = (1 << 31) - 1

  /// Bytes that are either here or in a segment.
  enum Place {
    case embedded([UInt8])
    case segment(PlacedSegment)

    /// Shorter ones stand in the contents: a segment of their own would cost more than it saves.
    static let maximumEmbeddedByteCount = 1024

    /// Bytes before compression.
    var rawByteCount: UInt64 {
      switch self {
      case .embedded(let bytes): UInt64(bytes.count)
      case .segment(let placed): placed.segment.rawByteCount
      }
    }

    /// Bytes in the archive.
    var storedByteCount: UInt64 {
      switch self {
      case .embedded(let bytes): UInt64(bytes.count)
      case .segment(let placed): placed.segment.byteCount
      }
    }

    /// The segment, if it is one.
    var segment: PlacedSegment? {
      if case .segment(let placed) = self { placed } else { nil }
    }
  }

  /// All segments, in the order in which they stand in the archive.
  var segments: [PlacedSegment] {
    [graph.segment].compactMap(\.self) + bulk + [objectIndex.segment].compactMap(\.self)
  }

  /// Bytes of graph stream, object index and bulk segments before compression.
  ///
  /// No overflow: `layOut` has refused more than `Segment.maximumRawByteCount`.
  var rawByteCount: UInt64 {
    bulk.reduce(graph.rawByteCount + objectIndex.rawByteCount) { $0 + $1.segment.rawByteCount }
  }

  struct StoredClass: Equatable {
    var mangledName: String
    var qualifiedName: String
    var version: UInt32

    init(mangledName: String, qualifiedName: String, version: UInt32) {
      (self.mangledName, self.qualifiedName, self.version) = (mangledName, qualifiedName, version)
    }
  }

  /// The fields of a record, in order.
  struct Shape: Equatable {
    /// Number of the class plus one; 0 where none is stored.
    var classNumber: UInt32
    /// The value is a reference type.
    var isClass = false
    /// More fields follow the fixed ones, each with its key and kind.
    var isOpen = false
    /// Not fields but one value, its kind in front.
    var isBoxed = false
    /// The fields without keys are the elements of a list, however many there are.
    var isList = false
    /// The name of the type, where it is no class and the writer was asked for names; otherwise empty.
    var typeName = ""
    var fields: [Field]

    init(
      classNumber: UInt32, isClass: Bool = false, isOpen: Bool = false, isBoxed: Bool = false,
      isList: Bool = false, typeName: String = "", fields: [Field]
    ) {
      (self.classNumber, self.isClass, self.isOpen) = (classNumber, isClass, isOpen)
      (self.isBoxed, self.isList, self.typeName) = (isBoxed, isList, typeName)
      self.fields = fields
    }

    struct Field: Equatable {
      /// Number of the key plus one; 0 for a field without a key.
      var keyNumber: UInt32
      /// Tagged kinds say why they are: see `GraphKind.plain`.
      var kind: GraphKind

      init(keyNumber: UInt32, kind: GraphKind) {
        (self.keyNumber, self.kind) = (keyNumber, kind)
      }
    }
  }

  /// The fields of a packed struct, in the order in which they lie.
  struct Layout: Equatable {
    let fields: [Field]
    let formats: [PackedFormat]
    /// Where each field begins in an element.
    let offsets: [Int]
    let elementByteCount: Int
    /// Where in an element its bools are.
    let boolRanges: [Range<Int>]

    init(fields: [Field]) {
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

    struct Field: Equatable {
      /// Number of the key plus one; 0 for a field without a key.
      var keyNumber: UInt32
      var format: PackedFormat

      init(keyNumber: UInt32, format: PackedFormat) {
        (self.keyNumber, self.format) = (keyNumber, format)
      }
    }
  }
}
