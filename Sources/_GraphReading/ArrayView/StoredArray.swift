import _GraphCoding
import _GraphFiles
import _GraphSupport

/// An array of an archive whose elements stay there: in a bulk segment, or in the graph stream.
final class StoredArray: Sendable {
  let archive: GraphArchive
  private let place: Location
  /// The format of the elements; `none` for structs.
  let format: PackedFormat
  /// What precedes a single element of the array, in a packed array of its own.
  let elementHead: [UInt8]
  let elementKind: GraphKind
  let elementByteCount: Int
  /// The lengths, where all arrays of each level have the same.
  let shape: [Int]
  /// The names and layout of an element's fields; one without a name if it is not a struct.
  let fields: [(key: String?, format: PackedFormat)]
  /// The places of its elements among those that are stored.
  private let runs: ElementRuns

  private enum Location: Sendable {
    case bytes([UInt8])
    case segment(ArchiveReader.OpenSegment)
  }

  /// Takes an array that a walk has reached.
  ///
  /// - Throws: `typeMismatch` where arrays inside have different lengths.
  init(_ part: ArrayPart, _ archive: GraphArchive, _ decoder: GDecoder) throws {
    self.archive = archive
    let (elements, extent) = (part.array.elements, part.extent)
    guard !elements.isText else {
      throw GCodableError(
        .typeMismatch, "the archive has strings; decode or list them", byteOffset: decoder.streamOffset)
    }
    guard let shape = extent.shape.rectangle else {
      throw GCodableError(
        .typeMismatch,
        "the archive has arrays of different lengths (\(extent.shape)), each of which is an array of its own",
        byteOffset: decoder.streamOffset)
    }
    self.shape = shape
    format = elements.format
    elementByteCount = elements.elementByteCount
    let one = ArrayShape([1])
    (elementKind, elementHead) = (elements.kind(of: one), elements.head(of: one))
    switch elements.place {
    case .segment(let number):
      runs = ElementRuns(extent.runs)
      place = .segment(try decoder.tables.reader.open(decoder.tables.reader.contents.bulk[number]))
    case .stream:
      let bytes = try decoder.gather(extent.runs, of: elements)
      runs = ElementRuns(extent.shape.count == 0 ? [] : [0..<extent.shape.count])
      place = withExtendedLifetime(bytes) { unsafe .bytes(Array(bytes.buffer)) }
    }
    fields =
      elements.layout?.fields.map { field in
        (field.keyNumber == 0 ? nil : decoder.tables.keys[Int(field.keyNumber) - 1], field.format)
      } ?? [(nil, elements.format)]
  }

  var count: Int { ArrayBox.count(shape) ?? 0 }

  /// The segment with the elements; nil where they stand in the graph stream.
  var segment: ArchiveReader.OpenSegment? {
    if case .segment(let open) = place { open } else { nil }
  }

  /// The elements, where they stand in the graph stream.
  var bytes: [UInt8]? {
    if case .bytes(let bytes) = place { bytes } else { nil }
  }

  private func byteRuns(_ places: [Range<Int>]) -> ByteRuns {
    ByteRuns(
      places.flatMap(runs.stored).map {
        ($0.lowerBound * elementByteCount)..<($0.upperBound * elementByteCount)
      })
  }

  /// Where all elements are among those that are stored, if they lie in one piece.
  var range: Range<Int>? { runs.whole }

  /// How many blocks have any of the elements of some runs; 0 where they are not in a segment.
  func blockCount(of runs: [Range<Int>]) -> Int {
    segment.map { byteRuns(runs).blocks(of: $0.segment).count } ?? 0
  }

  /// Fills memory with the elements of some runs, in sequence.
  func fill(
    _ room: PackedRoom, with runs: [Range<Int>], threadCount: Int = ParallelLoop.processorCount
  ) throws {
    let runs = byteRuns(runs)
    switch place {
    case .segment(let open):
      try archive.withReader(threadCount: threadCount) { try $0.gather(runs, of: open, into: room) }
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { bytes in
        runs.forEach(in: 0..<bytes.count) { range, target in
          unsafe room.fill(from: target, UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      }
    }
  }

  /// The bytes of some elements.
  func bytes(of places: Range<Int>) throws -> [UInt8] {
    try unsafe [UInt8](trivial: places.count * elementByteCount) {
      try unsafe fill(PackedRoom($0), with: [places])
    }
  }

  /// Decodes the elements of some runs as a type, which may be another one than they were encoded as.
  func elements<Element: GDecodable>(_ type: Element.Type, of runs: [Range<Int>]) throws -> [Element] {
    let count = runs.reduce(0) { $0 + $1.count }
    if count == 0 { return [] }
    guard isPacked(as: type) else { return try converted(type, runs, count) }
    // The format is declared for types only that consist of the format's scalars.
    return try unsafe [Element](trivial: count) { memory in
      try unsafe fill(
        PackedRoom(memory: memory, elementByteCount: elementByteCount, stride: MemoryLayout<Element>.stride),
        with: runs)
    }
  }

  /// Whether the bytes of the elements are those of values of a type, all of them.
  func isPacked<Element: GDecodable>(as type: Element.Type) -> Bool {
    format != .none && format.plain == Element._graphDecodedFormat && format.scalar != .bool
      && Element._graphRefuses == nil
  }

  /// Reads elements into memory that has as many values of a type, of which `isPacked` is true.
  func read<Element: GDecodable>(
    _ places: Range<Int>, into elements: UnsafeMutableBufferPointer<Element>, threadCount: Int
  ) throws {
    // The format is declared for types only that consist of the format's scalars.
    let memory = UnsafeMutableRawBufferPointer(elements)
    try unsafe fill(
      PackedRoom(memory: memory, elementByteCount: elementByteCount, stride: MemoryLayout<Element>.stride),
      with: [places], threadCount: threadCount)
  }

  private func converted<Element: GDecodable>(
    _ type: Element.Type, _ runs: [Range<Int>], _ count: Int
  ) throws -> [Element] {
    var array = packedArray(count)
    let head = array.count
    array += [UInt8](repeating: 0, count: count * elementByteCount)
    try unsafe array.withUnsafeMutableBytes { bytes in
      try unsafe fill(PackedRoom(UnsafeMutableRawBufferPointer(rebasing: bytes[head...])), with: runs)
    }
    return try archive.decode(apart: array) { try $0.readGraph([Element].self) }
  }

  /// A packed array of a number of elements: its kind and head, without the elements.
  private func packedArray(_ count: Int) -> [UInt8] {
    var builder = ByteBuilder([elementKind.rawValue])
    // Of the head of one element, all but the number of elements, which is a byte.
    builder.append(Array(elementHead.dropLast()))
    builder.varint(UInt64(count) << 1)
    return builder.bytes
  }

  /// Checks that elements can be decoded as a type, without expanding any.
  ///
  /// - Throws: `typeMismatch`.
  func check<Element: GDecodable>(_ type: Element.Type) throws {
    if format != .none, format.plain == Element._graphDecodedFormat { return }
    do {
      _ = try archive.decode(apart: packedArray(1) + [UInt8](repeating: 0, count: elementByteCount)) {
        try $0.readGraph([Element].self)
      }
    } catch let error as GCodableError where error.code == .typeMismatch {
      throw GCodableError(
        .typeMismatch, error.context.debugDescription, typeName: _typeName(type, qualified: true))
    } catch let error as GCodableError where error.code == .invalidValue {}
  }
}

extension GraphArchive {
  /// Decodes a separate value: its kind and its bytes, without references.
  ///
  /// Its numbers are those of the archive's keys, shapes, layouts and bulk segments.
  func decode<Value>(
    apart bytes: [UInt8], using settings: GraphDecoder = GraphDecoder(), _ body: (GDecoder) throws -> Value
  ) throws -> Value {
    let apart = contents.apart(bytes)
    return try storage.withSource { source in
      let reader = ArchiveReader(source, header, apart, threadCount: settings.threadCount, counts: counts)
      let decoder = try settings.makeDecoder(reader)
      defer { decoder.forgetInput() }
      if storage.isHeld { decoder.tables.lazySource = LazySource(self, settings) }
      do { return try decoder.withRoom { try body(decoder) } } catch var error as GCodableError {
        // An offset in these bytes means nothing in the archive.
        if ![.damaged, .malformed].contains(error.code) { error.byteOffset = nil }
        throw error
      }
    }
  }
}
