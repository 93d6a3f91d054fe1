import _GraphSupport

/// A record or container that is being decoded, and how it is reached from the one around it.
struct ReaderStep: BitwiseCopyable {
  let serial: Int
  /// The serial number of the one around it; 0 for none.
  let outer: Int
  /// The frame of the record around it, after the field that led here; nil if unknown.
  var frame: RecordFrame?
  /// Where a container counts its elements.
  var index: Pinned<Int>?
  /// The keys of these elements, if they have some; the caller of `withElements` holds them.
  var keys: Held<ElementKeys>?
  /// The object that it is, or that its field will become, if any.
  var object = DecoderState.noObject
}

/// The path requested last.
///
/// Types that try one type after the other cause an error, with its path, for each that does not fit. So the common part of
/// successive paths is kept.
struct KnownPath {
  private(set) var keys: [any CodingKey] = []
  /// The records and containers that the keys lead to, outermost first, so their serial numbers ascend.
  private var records: [(serial: Int, keyCount: Int)] = []
  /// How many keys have been found.
  private(set) var stepCount = 0

  /// Goes back to a record on the path, or to its start.
  ///
  /// - Returns: false if the record is not on the path.
  mutating func shorten(to serial: Int) -> Bool {
    guard serial != 0 else {
      keys.removeAll(keepingCapacity: true)
      records.removeAll(keepingCapacity: true)
      return true
    }
    guard let place = records.firstIndexInOrder(of: serial, by: \.serial) else { return false }
    records.removeLast(records.count - place - 1)
    keys.removeLast(keys.count - records[place].keyCount)
    return true
  }

  mutating func append(_ key: (any CodingKey)?, _ serial: Int) {
    stepCount += 1
    if let key { keys.append(key) }
    records.append((serial, keys.count))
  }

  /// Temporarily adds keys that lead further.
  mutating func append(_ more: [any CodingKey]) { keys += more }
}

extension CodableReader {
  /// The keys that lead to a record that is being decoded, for `codingPath`.
  ///
  /// - Parameter more: keys that lead further.
  /// - Complexity: O(n) in the keys that are new since the last request.
  func path(of serial: Int, then more: [any CodingKey] = []) -> [any CodingKey] {
    var steps: [(key: ArchiveKey?, serial: Int)] = []
    var wanted = serial
    var place = state.pointee.path.count
    while !knownPath.shorten(to: wanted) {
      let step = step(to: wanted, &place)
      steps.append((step.key, wanted))
      wanted = step.outer
    }
    for step in steps.reversed() { knownPath.append(step.key, step.serial) }
    if !more.isEmpty { knownPath.append(more) }
    return knownPath.keys
  }

  /// The key that leads to a record or container, and the one around it; 0 for none.
  ///
  /// - Parameter place: in `state.path`, after the steps to look at; moved to the step itself.
  private func step(to serial: Int, _ place: inout Int) -> (key: ArchiveKey?, outer: Int) {
    if let index = openIndex(of: serial), openRecords[index].base != serial {
      return (openRecords[index].key, openRecords[index].outer)
    }
    while place > 0, state.pointee.path[place - 1].serial != serial { place -= 1 }
    guard place > 0 else { return (nil, 0) }
    place -= 1
    let step = state.pointee.path[place]
    let outer = place > 0 ? state.pointee.path[place - 1] : nil
    if let outer, outer.serial == step.outer, let index = outer.index {
      let keys = outer.keys?.object
      return (keys?.key(index.pointee) ?? ArchiveKey(intValue: index.pointee), step.outer)
    }
    if step.object != DecoderState.noObject, step.frame == nil {
      // Made through the step before, or ahead.
      if let outer, outer.object == step.object { return (nil, step.outer) }
      let name = decoder.className(ofObject: step.object) ?? "object"
      return (ArchiveKey(stringValue: "<\(name) \(step.object)>"), 0)
    }
    return (step.frame.flatMap { activeKey($0, in: step.outer) }, step.outer)
  }

  /// The key of the field of a record that is being decoded.
  private func activeKey(_ frame: RecordFrame, in serial: Int) -> ArchiveKey? {
    guard let shape = frame.shape else { return nil }
    if frame.field == decoder.tables.nowhere {
      guard let number = frame.track?.pointee.activeKey else { return nil }
      return number == 0 ? nil : archiveKey(number, 0)
    }
    guard frame.field > shape.pointee.fields.pinned(0) else { return nil }
    let field = frame.field.previous.pointee
    if field.keyNumber != 0 { return archiveKey(field.keyNumber, field.token) }
    // A single value is all of its record.
    if isSingle(shape) { return nil }
    if let names = list(of: serial)?.names {
      return ArchiveKey(stringValue: names.ordered[(shape.pointee.fields.index(of: frame.field) - 1) / 2])
    }
    return ArchiveKey(intValue: Int(shape.pointee.fields[0].unkeyedCount - field.unkeyedCount))
  }
}
