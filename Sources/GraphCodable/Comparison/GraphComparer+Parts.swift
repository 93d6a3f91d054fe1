/// Records, lists and dictionaries.
extension GraphComparer {
  /// Compares the fields of two records that have been begun.
  func compareRecords(_ left: Stored<DecoderShape>, _ right: Stored<DecoderShape>) throws {
    let classes = (
      first.tables.className(left.pointee.classNumber), second.tables.className(right.pointee.classNumber)
    )
    if classes.0 != classes.1 { note(.type, classes.0 ?? "record", classes.1 ?? "record") }
    guard left.pointee.isBoxed == right.pointee.isBoxed else {
      if classes.0 == classes.1 {
        note(
          .type, "\(left.pointee.isBoxed ? "value" : "record")",
          "\(right.pointee.isBoxed ? "value" : "record")")
      }
      try leave(first, first.state.pointee.cursor.levelCount - 1)
      return try leave(second, second.state.pointee.cursor.levelCount - 1)
    }
    if left.pointee.isBoxed {
      try compareNext(step: nil)
      return try end()
    }
    // As a rule they have the same fields in the same order.
    let fields = try (names(first), names(second))
    if fields.0 == fields.1 {
      for name in fields.0 { try compareNext(step: name.step) }
      return try end()
    }
    try compareFields(fields.0, fields.1)
  }

  private enum FieldName: Hashable {
    case key(String)
    case index(Int)

    var step: GraphPath.Step {
      switch self {
      case .key(let key): .key(key)
      case .index(let index): .index(index)
      }
    }
  }

  /// The fields of the record that comes next, which is where it was then.
  private func names(_ decoder: GDecoder) throws -> [FieldName] {
    let state = decoder.state
    guard let shape = state.pointee.cursor.shape else { return [] }
    var (names, unkeyedCount): ([FieldName], Int) = ([], 0)
    guard shape.pointee.isOpen else {
      for place in 0..<shape.pointee.fieldCount {
        names.append(name(shape.pointee.fields[place].keyNumber, decoder, &unkeyedCount))
      }
      return names
    }
    let mark = state.pointee.cursor.mark
    func take(_ count: Int) throws {
      for _ in 0..<count {
        guard let part = try state.pointee.cursor.next() else { return }
        names.append(name(part.keyNumber, decoder, &unkeyedCount))
        try state.pointee.cursor.skip(part.kind)
      }
    }
    try take(shape.pointee.fieldCount)
    try take(try state.pointee.cursor.beginOverflow())
    try state.pointee.cursor.move(to: mark)
    return names
  }

  private func name(_ keyNumber: UInt32, _ decoder: GDecoder, _ unkeyedCount: inout Int) -> FieldName {
    guard keyNumber == 0 else { return .key(decoder.tables.keys[Int(keyNumber) - 1]) }
    defer { unkeyedCount += 1 }
    return .index(unkeyedCount)
  }

  /// Compares fields that are not the same in the same order.
  private func compareFields(_ left: [FieldName], _ right: [FieldName]) throws {
    let mark = second.state.pointee.cursor.mark
    // So no field of the second record is passed over more than once, in whatever order they stand.
    var marks: [GraphCursor.Mark] = []
    marks.reserveCapacity(right.count)
    for _ in right {
      marks.append(second.state.pointee.cursor.mark)
      guard let part = try second.state.pointee.cursor.next() else { break }
      try second.state.pointee.cursor.skip(part.kind)
    }
    let places = Dictionary(right.enumerated().map { ($1, $0) }, uniquingKeysWith: { one, _ in one })
    for name in left {
      guard let part = try first.state.pointee.cursor.next() else { break }
      guard let place = places[name], place < marks.count else {
        at(name.step) { note(.missing, "\(part.kind)", nil) }
        try first.state.pointee.cursor.skip(part.kind)
        continue
      }
      try second.state.pointee.cursor.move(to: marks[place])
      guard let other = try second.state.pointee.cursor.next() else { break }
      try at(name.step) { try compareValues(part.kind, other.kind) }
    }
    try second.state.pointee.cursor.move(to: mark)
    let known = Set(left)
    for name in right {
      guard let part = try second.state.pointee.cursor.next() else { break }
      if !known.contains(name) { at(name.step) { note(.added, nil, "\(part.kind)") } }
      try second.state.pointee.cursor.skip(part.kind)
    }
    try end()
  }

  /// Compares the next parts of both.
  private func compareNext(step: GraphPath.Step?) throws {
    guard let left = try first.state.pointee.cursor.next(), let right = try second.state.pointee.cursor.next()
    else { return }
    try at(step) { try compareValues(left.kind, right.kind) }
  }

  /// Leaves what has no more parts.
  private func end() throws {
    _ = try first.state.pointee.cursor.next()
    _ = try second.state.pointee.cursor.next()
  }

  // MARK: Lists

  func compareLists(_ left: Int, _ right: Int) throws {
    if left != right { note(.count, "\(left) elements", "\(right) elements") }
    for index in 0..<min(left, right) { try compareNext(step: .index(index)) }
    for (decoder, count) in [(first, left), (second, right)] {
      for _ in min(left, right)..<count {
        guard let part = try decoder.state.pointee.cursor.next() else { break }
        try decoder.state.pointee.cursor.skip(part.kind)
      }
    }
    try end()
  }

  /// Whether two sets of single values, whose first elements come next, have the same; if so, they are left.
  func setsAreEqual(_ kind: GraphKind, _ count: Int) throws -> Bool {
    guard kind == .string || kind.isScalar else { return false }
    let marks = (first.state.pointee.cursor.mark, second.state.pointee.cursor.mark)
    let elements = try (elements(first, count), self.elements(second, count))
    guard elements.0 == elements.1 else {
      try first.state.pointee.cursor.move(to: marks.0)
      try second.state.pointee.cursor.move(to: marks.1)
      return false
    }
    try end()
    return true
  }

  private func elements(_ decoder: GDecoder, _ count: Int) throws -> Set<[UInt8]> {
    var elements = Set<[UInt8]>()
    for _ in 0..<count {
      guard let part = try decoder.state.pointee.cursor.next() else { break }
      let start = Int(decoder.state.pointee.stream.offset)
      try decoder.state.pointee.cursor.skip(part.kind)
      let bytes = unsafe decoder.tables.streamBytes[start..<Int(decoder.state.pointee.stream.offset)]
      elements.insert(unsafe Array(bytes))
    }
    return elements
  }

  // MARK: Dictionaries

  func comparePairs(_ left: Int, _ right: Int) throws {
    guard let keys = try keys(second, right), try self.keys(first, left) != nil else {
      return try comparePairsInOrder(left, right)
    }
    if left != right { note(.count, "\(left) pairs", "\(right) pairs") }
    let afterLast = keys.end
    var found = Set<GraphPath.Step>()
    for _ in 0..<left {
      guard let key = try first.state.pointee.cursor.next() else { break }
      let step = try self.step(first, key.kind)
      guard let value = try first.state.pointee.cursor.next(), let step else { break }
      guard let mark = keys.marks[step] else {
        at(step) { note(.missing, "\(value.kind)", nil) }
        try first.state.pointee.cursor.skip(value.kind)
        continue
      }
      found.insert(step)
      try second.state.pointee.cursor.move(to: mark)
      guard let other = try second.state.pointee.cursor.next() else { break }
      try at(step) { try compareValues(value.kind, other.kind) }
    }
    for step in keys.order where !found.contains(step) { at(step) { note(.added, nil, "a value") } }
    try second.state.pointee.cursor.move(to: afterLast)
    try end()
  }

  private struct Keys {
    var marks: [GraphPath.Step: GraphCursor.Mark] = [:]
    var order: [GraphPath.Step] = []
    var end: GraphCursor.Mark
  }

  /// Where the values of the pairs are, by their keys; nil where a key is no string and no integer, or is there twice.
  ///
  /// The cursor is in front of the first pair afterwards.
  private func keys(_ decoder: GDecoder, _ count: Int) throws -> Keys? {
    let state = decoder.state
    let start = state.pointee.cursor.mark
    var keys = Keys(end: start)
    var isKnown = true
    for _ in 0..<count where isKnown {
      guard let key = try state.pointee.cursor.next() else { break }
      guard let step = try self.step(decoder, key.kind), keys.marks[step] == nil else {
        isKnown = false
        break
      }
      keys.marks[step] = state.pointee.cursor.mark
      keys.order.append(step)
      guard let value = try state.pointee.cursor.next() else { break }
      try state.pointee.cursor.skip(value.kind)
    }
    keys.end = state.pointee.cursor.mark
    try state.pointee.cursor.move(to: start)
    return isKnown ? keys : nil
  }

  /// The key that comes next; nil, and the cursor is behind it or in it, where it is neither a string nor an integer.
  private func step(_ decoder: GDecoder, _ kind: GraphKind) throws -> GraphPath.Step? {
    guard case .leaf(let leaf) = try decoder.state.pointee.cursor.read(kind) else { return nil }
    return leaf.name
  }

  private func comparePairsInOrder(_ left: Int, _ right: Int) throws {
    if left != right { note(.count, "\(left) pairs", "\(right) pairs") }
    for index in 0..<min(left, right) {
      try compareNext(step: .index(index))
      try compareNext(step: .index(index))
    }
    for (decoder, count) in [(first, left), (second, right)] {
      for _ in 2 * min(left, right)..<2 * count {
        guard let part = try decoder.state.pointee.cursor.next() else { break }
        try decoder.state.pointee.cursor.skip(part.kind)
      }
    }
    try end()
  }
}
