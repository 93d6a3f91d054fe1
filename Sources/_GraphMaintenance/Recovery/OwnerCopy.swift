import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Copies the root or an object out of a damaged graph stream, with other numbers of objects: all of it, or the part before the
/// damage.
///
/// A value that ends early is closed from the inside out. A list or dictionary has fewer elements then, and a record fewer
/// fields, for which it gets another shape. A record in a list is left out, since readers of the list want all its fields.
struct OwnerCopy {
  let decoder: GDecoder
  /// How references to an object are translated.
  let target: (_ number: UInt32) -> Target
  /// Shapes of records that have lost fields.
  let cutShapes: CutShapes

  /// The bytes of the copy.
  private(set) var out: [UInt8] = []
  /// Objects that references which must not be nil need.
  private(set) var neededNumbers: [UInt32] = []
  var levels: [Level] = []
  /// Whether `starts` is wanted.
  var notesStarts = false
  /// Where values begin in the old stream and in the copy, behind their kinds.
  private(set) var starts: [(old: UInt64, new: Int)] = []
  /// The end of the copied part of the stream.
  private var copiedEnd: UInt64 = 0

  enum Target {
    case kept(UInt32)
    case lost
  }

  /// The state of the copy.
  enum Outcome: Sendable {
    case whole
    /// It ends early but is readable: elements of a list, or fields, are missing at its end.
    case cut
    /// Nothing of it can be read.
    case lost
  }

  /// A value with parts that has been begun.
  struct Level {
    enum Form { case record, box, list, pairs, overflow }
    var form: Form
    /// Where the copy has the shape number, or the number of elements.
    let head: Range<Int>
    var shape: Pinned<DecoderShape>?
    /// How many parts are complete, and where the last of them ends in the copy.
    var doneCount = 0
    var doneEnd: Int
    /// The same for the last key with its value.
    var pairsEnd: Int
    /// Where the head of the overflow fields is in the copy.
    var overflowHead = 0
    var unkeyedCount = 0
    var hasKey = false
  }

  init(_ decoder: GDecoder, cutShapes: CutShapes, target: @escaping (UInt32) -> Target) {
    (self.decoder, self.cutShapes, self.target) = (decoder, cutShapes, target)
  }

  /// Copies the values of an owner.
  ///
  /// - Throws: what is not about damage: `CancellationError`, `file`, `noMemory`.
  mutating func copy(_ owner: OwnWalk.Owner) throws -> Outcome {
    let state = decoder.state
    let base = state.pointee.cursor.levelCount
    (out, neededNumbers, levels, starts) = ([], [], [], [])
    defer {
      state.pointee.cursor.leave(to: base)
      state.pointee.stream.endWalk()
    }
    do {
      try begin(owner)
      while !levels.isEmpty { try step() }
      return .whole
    } catch let error as GCodableError where [.damaged, .malformed].contains(error.code) {
      return cut()
    } catch is LostRoot { return .lost }
  }

  private struct LostRoot: Error {}

  // MARK: Copying

  private var offset: UInt64 { decoder.state.pointee.stream.offset }

  private mutating func copy(to end: UInt64) {
    guard end > copiedEnd else { return }
    unsafe out += decoder.tables.streamBytes[Int(copiedEnd)..<Int(end)]
    copiedEnd = end
  }

  private mutating func begin(_ owner: OwnWalk.Owner) throws {
    let state = decoder.state
    switch owner {
    case .root:
      copiedEnd = 0
      try state.pointee.stream.walk(from: 0, to: decoder.tables.rootEnd)
      let kind = try state.pointee.stream.readOuterKind()
      let start = offset
      let event = try state.pointee.cursor.read(kind)
      if case .reference(let number, _) = event, kind != .tagged, case .lost = target(number) {
        throw LostRoot()
      }
      take(event, kind, from: start)
      if levels.isEmpty { copy(to: offset) }
    case .object(let number):
      copiedEnd = state.pointee.objects[Int(number)].offset
      if notesStarts { starts.append((copiedEnd, 0)) }
      let shape = try state.pointee.cursor.enter(object: number)
      push(shape.pointee.isBoxed ? .box : .record, shape, headStart: copiedEnd)
    }
  }

  private mutating func step() throws {
    let last = levels.count - 1
    if levels[last].form == .record, let shape = levels[last].shape, shape.pointee.isOpen,
      levels[last].doneCount == shape.pointee.fieldCount
    {
      _ = try decoder.state.pointee.cursor.beginOverflow()
      copy(to: offset)
      levels[last].form = .overflow
      levels[last].doneCount = 0
      levels[last].doneEnd = out.count
      levels[last].overflowHead = out.count - GEncoder.overflowHeadByteCount
    }
    guard let part = try decoder.state.pointee.cursor.next() else {
      if levels[last].form == .overflow { setOverflowByteCount(levels[last]) }
      levels.removeLast()
      finishPart()
      return
    }
    levels[last].hasKey = part.keyNumber != 0
    let start = offset
    take(try decoder.state.pointee.cursor.read(part.kind), part.kind, from: start)
  }

  /// Copies the beginning of a value, which has been read.
  private mutating func take(_ event: GraphCursor.Event, _ kind: GraphKind, from start: UInt64) {
    switch event {
    case .record(let shape):
      let start = body(kind, from: start)
      push(shape.pointee.isBoxed ? .box : .record, shape, headStart: start)
      noteStart(from: start)
    case .list:
      let start = body(kind, from: start)
      push(.list, nil, headStart: start + 1)
      noteStart(from: start)
    case .pairs: push(.pairs, nil, headStart: body(kind, from: start) + 2)
    case .reference(let number, let reference): copy(reference, to: number, kind, from: start)
    case .packed, .nested, .optionals, .leaf:
      if notesStarts {
        copy(to: offset)
        noteStart(from: body(kind, from: start))
      }
      finishPart()
    case .null: finishPart()
    }
  }

  /// Notes a value whose bytes up to the offset have just been copied.
  private mutating func noteStart(from start: UInt64) {
    guard notesStarts else { return }
    starts.append((start, out.count - Int(offset - start)))
  }

  private mutating func push(_ form: Level.Form, _ shape: Pinned<DecoderShape>?, headStart: UInt64) {
    let headByteCount = Int(offset - headStart)
    copy(to: offset)
    levels.append(
      Level(
        form: form, head: (out.count - headByteCount)..<out.count, shape: shape, doneEnd: out.count,
        pairsEnd: out.count))
  }

  /// Where a value begins after its tags and its kind.
  private func body(_ kind: GraphKind, from start: UInt64) -> UInt64 {
    guard kind.plain == .tagged else { return start }
    var place = Int(start)
    while GraphKind(rawValue: decoder.tables.streamBytes[place]).plain == .tagged { place += 1 }
    return UInt64(place) + 1
  }

  private mutating func copy(
    _ reference: GraphKind, to number: UInt32, _ kind: GraphKind, from start: UInt64
  ) {
    var target = target(number)
    if case .lost = target, kind.plain != .tagged {
      neededNumbers.append(number)
      target = .kept(number)
    }
    switch target {
    case .kept(let number):
      copy(to: body(kind, from: start))
      out += [UInt8](varint: UInt64(number))
    case .lost:
      copy(to: start)
      out.append(GraphKind.null.rawValue)
    }
    copiedEnd = offset
    finishPart()
  }

  /// Notes that the last part of the innermost value is complete.
  private mutating func finishPart() {
    // The end of an object has moved the cursor to what is behind the reference to it.
    guard !levels.isEmpty else { return }
    copy(to: offset)
    let last = levels.count - 1
    levels[last].doneCount += 1
    levels[last].doneEnd = out.count
    if levels[last].form == .overflow, !levels[last].hasKey { levels[last].unkeyedCount += 1 }
    if levels[last].form == .pairs, levels[last].doneCount % 2 == 0 { levels[last].pairsEnd = out.count }
  }

  // MARK: Cutting

  /// The end of the copy while it is being closed.
  private enum Inner { case nothing, usable, incomplete }

  /// Closes what has been begun.
  private mutating func cut() -> Outcome {
    guard !levels.isEmpty else { return .lost }
    var inner = Inner.nothing
    while var level = levels.popLast() {
      if inner == .incomplete, [.list, .pairs].contains(level.form) { inner = .nothing }
      if inner == .nothing {
        out.removeSubrange(level.doneEnd...)
      } else {
        level.doneCount += 1
        if level.form == .overflow, !level.hasKey { level.unkeyedCount += 1 }
      }
      inner = close(level, inner)
    }
    return inner == .nothing ? .lost : .cut
  }

  private mutating func close(_ level: Level, _ inner: Inner) -> Inner {
    switch level.form {
    case .list: replaceHead(level, with: UInt64(level.doneCount))
    case .pairs:
      // A key without its value is left out.
      if level.doneCount % 2 == 1 { out.removeSubrange(level.pairsEnd...) }
      replaceHead(level, with: UInt64(level.doneCount / 2))
    case .box: return inner
    case .overflow:
      setOverflowByteCount(level)
      set(UInt64(level.doneCount) | UInt64(level.unkeyedCount) << 32, at: level.overflowHead)
      return .incomplete
    case .record:
      guard let shape = level.shape else { return .nothing }
      if level.doneCount == shape.pointee.fieldCount, !shape.pointee.isOpen { return inner }
      guard level.doneCount > 0 else { return .nothing }
      guard let number = out[level.head].varint else { return .nothing }
      replaceHead(level, with: cutShapes.number(ofShape: number, fieldCount: level.doneCount))
      return .incomplete
    }
    return .usable
  }

  private mutating func replaceHead(_ level: Level, with number: UInt64) {
    let head = [UInt8](varint: number)
    out.replaceSubrange(level.head, with: head)
    for index in starts.indices.reversed() where starts[index].new >= level.head.upperBound {
      starts[index].new += head.count - level.head.count
    }
  }

  private mutating func setOverflowByteCount(_ level: Level) {
    let start = level.overflowHead + GEncoder.overflowHeadByteCount
    set(UInt64(out.count - start), at: level.overflowHead + 8)
  }

  private mutating func set(_ number: UInt64, at place: Int) {
    var builder = ByteBuilder()
    builder.fixed(number)
    out.replaceSubrange(place..<(place + 8), with: builder.bytes)
  }
}
