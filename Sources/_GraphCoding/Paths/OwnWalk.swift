import _GraphFiles
import _GraphSupport

/// A walk through the values of the root or of one object, without following its references, which knows where it is.
package struct OwnWalk {
  /// Whose values are walked through.
  package enum Owner: Hashable {
    case root
    case object(UInt32)
  }

  private let decoder: GDecoder
  private var levels: [Level] = []
  /// The kind of the last value, behind its tags, and where it begins in the stream, behind the kind.
  package private(set) var kind = GraphKind.null
  package private(set) var start: UInt64 = 0

  package init(_ decoder: GDecoder) { self.decoder = decoder }

  /// A value with parts still to come.
  private struct Level {
    enum Form { case record, box, list, pairs }
    let form: Form
    /// The key of a dictionary, as a record of one field.
    var isKey = false
    /// Parts begun so far; for a record, those without a key.
    var count = 0
    var step: GraphPath.Step?

    /// Whether the current part is the key of a pair.
    var isAtKey: Bool { form == .pairs && count % 2 == 1 }
  }

  /// The steps from the owner to where the walk is.
  ///
  /// Inside a key of a dictionary, which no path leads to, those to the value of the key.
  package var steps: [GraphPath.Step] {
    let end = levels.firstIndex(where: \.isAtKey).map { $0 + 1 } ?? levels.count
    return levels[..<end].compactMap(\.step)
  }

  /// The first of these steps, which is found without making the others.
  package var firstStep: GraphPath.Step? {
    for level in levels {
      if let step = level.step { return step }
      if level.isAtKey { return nil }
    }
    return nil
  }

  /// Whether the walk is in a key of a dictionary.
  package var isInKey: Bool { levels.contains(where: \.isAtKey) }

  /// Calls `visit` for each value.
  ///
  /// - Throws: what `visit` throws; `damaged` or `malformed`, and then `steps` leads to what could not be read.
  package mutating func run(
    through owner: Owner, _ visit: (GraphCursor.Event, borrowing OwnWalk) throws -> Void
  ) throws {
    let state = decoder.state
    let base = state.pointee.cursor.levelCount
    levels = []
    defer {
      state.pointee.cursor.leave(to: base)
      state.pointee.stream.endWalk()
    }
    switch owner {
    case .root:
      try state.pointee.stream.walk(from: 0, to: decoder.tables.rootEnd)
      let event = try read(state.pointee.stream.readOuterKind())
      enter(event)
      try visit(event, self)
    case .object(let number): enter(.record(try state.pointee.cursor.enter(object: number)))
    }
    while state.pointee.cursor.levelCount > base {
      state.pointee.stream.expansionByteCount = 0
      guard let part = try state.pointee.cursor.next() else {
        levels.removeLast()
        continue
      }
      step(to: part)
      let event = try read(part.kind)
      enter(event)
      try visit(event, self)
    }
  }

  private mutating func read(_ kind: GraphKind) throws -> GraphCursor.Event {
    self.kind = try decoder.state.pointee.stream.readTagged(kind)
    start = decoder.streamOffset
    return try decoder.state.pointee.cursor.read(self.kind)
  }

  private mutating func step(to part: GraphCursor.Part) {
    let last = levels.count - 1
    switch levels[last].form {
    case .box: return
    case .record where part.keyNumber != 0:
      levels[last].step = .key(decoder.tables.keys[Int(part.keyNumber) - 1])
      return
    case .record, .list: levels[last].step = .index(levels[last].count)
    case .pairs where levels[last].count % 2 == 0: levels[last].step = .index(levels[last].count / 2)
    case .pairs: break  // The value, by the name of its key.
    }
    levels[last].count += 1
  }

  private mutating func enter(_ event: GraphCursor.Event) {
    switch event {
    case .record(let shape):
      let isKey = levels.last?.isAtKey == true && shape.pointee.wrappedKind?.isName == true
      levels.append(Level(form: shape.pointee.isBoxed ? .box : .record, isKey: isKey))
    case .list: levels.append(Level(form: .list))
    case .pairs: levels.append(Level(form: .pairs))
    case .leaf(let leaf):
      guard let name = leaf.name else { return }
      if levels.last?.isAtKey == true {
        levels[levels.count - 1].step = name
      } else if levels.last?.isKey == true {
        levels[levels.count - 2].step = name
        levels[levels.count - 1].step = nil
      }
    case .null, .reference, .packed, .nested, .optionals: break
    }
  }
}

extension ArchiveReader {
  /// A decoder for walks through the graph.
  ///
  /// - Parameter isPartial: whether it expands only the needed parts of the stream.
  package func walkingDecoder(isPartial: Bool = true) throws -> GDecoder {
    let classes = ClassResolver(contents.classes, chosen: [:])
    return GDecoder(try DecoderTables(self, classes: classes, isPartial: isPartial), userInfo: nil)
  }
}

extension GDecoder {
  /// The numbers of the stored objects, in the order of the graph stream.
  package func storedObjects() -> [UInt32] {
    let objects = tables.objects
    return (0..<UInt32(tables.objectCount)).filter(isStored).sorted {
      objects[Int($0)].offset < objects[Int($1)].offset
    }
  }
}

extension [Range<UInt64>] {
  /// Whether one of the ranges, which are ascending, has a byte of another one.
  package func overlaps(_ range: Range<UInt64>) -> Bool {
    let place = partitioningIndex { $0.upperBound > range.lowerBound }
    return place < endIndex && self[place].lowerBound < range.upperBound
  }

  /// Whether one of them has a byte.
  package func hasByte(_ offset: UInt64) -> Bool { overlaps(offset..<(offset + 1)) }
}
