import _GraphCoding
import _GraphFiles
import _GraphReading

/// The parts of a graph that its root does not lead to.
struct RecoveredRest {
  /// Those that lead to all others, as far as there are any.
  private(set) var objects: [UInt32] = []
  /// Bulk segments that no value mentions.
  var arrays: [Int] = []
  /// Bulk segments with the bytes of something else, by what that was.
  var streams: [(key: String, segment: Int)] = []
  /// The old numbers of objects, by their new ones.
  var oldNumbers: [UInt32: UInt32] = [:]

  var isEmpty: Bool { objects.isEmpty && arrays.isEmpty && streams.isEmpty }

  init() {}

  /// - Parameters:
  ///   - reader: of the archive as it is to be.
  ///   - isLost: whether the root is lost.
  init(_ reader: ArchiveReader, rootIsLost isLost: Bool, substitutes: Set<UInt32>) throws {
    var search = Search(try reader.walkingDecoder(isPartial: false))
    if !isLost { try search.visit(.root) }
    for number in 0..<UInt32(search.decoder.tables.objectCount)
    where search.decoder.isStored(number) && !search.isReached[Int(number)] && !substitutes.contains(number) {
      objects.append(number)
      search.isReached[Int(number)] = true
      try search.visit(.object(number))
    }
    arrays = reader.contents.bulk.indices.filter { !search.mentioned.contains($0) }
  }

  private struct Search {
    let decoder: GDecoder
    var isReached: [Bool]
    var mentioned: Set<Int> = []

    init(_ decoder: GDecoder) {
      self.decoder = decoder
      isReached = Array(repeating: false, count: decoder.tables.objectCount)
    }

    mutating func visit(_ owner: OwnWalk.Owner) throws {
      var waiting = [owner]
      while let next = waiting.popLast() {
        var walk = OwnWalk(decoder)
        try walk.run(through: next) { event, _ in
          if case .reference(let number, .reference) = event {
            guard !isReached[Int(number)], decoder.isStored(number) else { return }
            isReached[Int(number)] = true
            waiting.append(.object(number))
          } else {
            mentioned.formUnion(event.segmentNumbers)
          }
        }
      }
    }
  }
}

extension RecoveredRest {
  /// A record of objects, arrays and streams, without its kind; adds what it needs to the tables.
  func bytes(_ contents: inout Contents, bulk: [PlacedSegment]) -> [UInt8] {
    var fields: [Contents.Shape.Field] = []
    var builder = ByteBuilder()
    if !objects.isEmpty {
      fields.append(.init(keyNumber: contents.keyNumber("objects"), kind: .dictionary))
      builder.append([GraphKind.int64.rawValue, GraphKind.reference.rawValue])
      builder.varint(UInt64(objects.count))
      for number in objects {
        builder.varint(UInt64(oldNumbers[number] ?? number) << 1)  // Zigzag.
        builder.varint(UInt64(number))
      }
    }
    if !arrays.isEmpty {
      fields.append(.init(keyNumber: contents.keyNumber("arrays"), kind: .dictionary))
      builder.append([GraphKind.int64.rawValue, GraphKind.tagged.rawValue])
      builder.varint(UInt64(arrays.count))
      for number in arrays {
        builder.varint(UInt64(number) << 1)
        builder.array(number, bulk[number].segment, &contents, kind: true)
      }
    }
    for (key, number) in streams {
      fields.append(.init(keyNumber: contents.keyNumber(key), kind: .packed))
      builder.array(number, bulk[number].segment, &contents, kind: false)
    }
    return [UInt8](varint: contents.shapeNumber(Contents.Shape(classNumber: 0, fields: fields)))
      + builder.bytes
  }
}

extension ByteBuilder {
  /// An array of all elements of a bulk segment.
  fileprivate mutating func array(
    _ number: Int, _ segment: Segment, _ contents: inout Contents, kind hasKind: Bool
  ) {
    if hasKind, segment.format == .utf8 {
      // Nothing says where its strings end: they are one.
      byte(GraphKind.nestedPacked.rawValue)
      for value in [UInt64(segment.format.rawValue), 1, segment.rawByteCount << 1, UInt64(number) + 1] {
        varint(value)
      }
      return
    }
    let isStruct = segment.format == .none
    if hasKind { byte((isStruct ? GraphKind.packedStructs : .packed).rawValue) }
    varint(
      isStruct
        ? contents.layoutNumber(elementByteCount: segment.elementByteCount) : UInt64(segment.format.rawValue))
    varint((segment.rawByteCount / UInt64(segment.elementByteCount)) << 1 | 1)
    varint(UInt64(number))
  }
}

extension Contents {
  /// The number of a layout of this many bytes: the only one in the table, or one of fields without meaning.
  fileprivate mutating func layoutNumber(elementByteCount: Int) -> UInt64 {
    let known = layouts.indices.filter { layouts[$0].elementByteCount == elementByteCount }
    if known.count == 1 { return UInt64(known[0]) + 1 }
    var (fields, left): ([Layout.Field], Int) = ([], elementByteCount)
    for laneCount in PackedFormat.laneCounts.reversed() {
      while left >= laneCount {
        fields.append(.init(keyNumber: 0, format: PackedFormat(.byte, lanes: laneCount)))
        left -= laneCount
      }
    }
    return layoutNumber(Layout(fields: fields))
  }
}
