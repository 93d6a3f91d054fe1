import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Records, lists and dictionaries.
extension GraphComparer {
  /// Compares the fields of two records that have been begun.
  func compareRecords(_ left: Pinned<DecoderShape>, _ right: Pinned<DecoderShape>) throws {
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
      for name in fields.0 { try compareNext(step: name) }
      return try end()
    }
    try compareFields(fields.0, fields.1)
  }

  /// The fields of the record that comes next; the cursor returns to it.
  private func names(_ decoder: GDecoder) throws -> [GraphPath.Step] {
    let state = decoder.state
    guard let shape = state.pointee.cursor.shape else { return [] }
    var (names, unkeyedCount): ([GraphPath.Step], Int) = ([], 0)
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

  private func name(_ keyNumber: UInt32, _ decoder: GDecoder, _ unkeyedCount: inout Int) -> GraphPath.Step {
    guard keyNumber == 0 else { return .key(decoder.tables.keys[Int(keyNumber) - 1]) }
    defer { unkeyedCount += 1 }
    return .index(unkeyedCount)
  }

  /// Compares fields that are not the same in the same order.
  private func compareFields(_ left: [GraphPath.Step], _ right: [GraphPath.Step]) throws {
    // So no field of the second record is skipped more than once, in whatever order.
    var others = NamedValues(end: second.state.pointee.cursor.mark)
    for name in right { guard try others.add(name, of: second) else { break } }
    var names = left[...]
    try compare(left.count, with: others) {
      guard let part = try first.state.pointee.cursor.next() else { return nil }
      return (names.removeFirst(), part.kind)
    }
  }

  /// Values that come next, by their names.
  private struct NamedValues {
    var values: [GraphPath.Step: (mark: GraphCursor.Mark, kind: GraphKind)] = [:]
    var order: [GraphPath.Step] = []
    /// After the last one.
    var end: GraphCursor.Mark

    /// Adds the next value of the cursor, which is moved behind it.
    ///
    /// - Returns: false where there is none.
    mutating func add(_ name: GraphPath.Step, of decoder: GDecoder) throws -> Bool {
      let mark = decoder.state.pointee.cursor.mark
      guard let part = try decoder.state.pointee.cursor.next() else { return false }
      if values[name] == nil { order.append(name) }
      values[name] = values[name] ?? (mark, part.kind)
      try decoder.state.pointee.cursor.skip(part.kind)
      end = decoder.state.pointee.cursor.mark
      return true
    }
  }

  /// Compares values of the first graph with those of the second that have the same names, and leaves both.
  ///
  /// - Parameter next: the name and the kind of the next value of the first graph, which the cursor is moved to.
  private func compare(
    _ count: Int, with others: NamedValues, _ next: () throws -> (name: GraphPath.Step, kind: GraphKind)?
  ) throws {
    var found = Set<GraphPath.Step>()
    for _ in 0..<count {
      guard let (name, kind) = try next() else { break }
      guard let other = others.values[name] else {
        at(name) { note(.missing, "\(kind)", nil) }
        try first.state.pointee.cursor.skip(kind)
        continue
      }
      found.insert(name)
      try second.state.pointee.cursor.move(to: other.mark)
      _ = try second.state.pointee.cursor.next()
      try at(name) { try compareValues(kind, other.kind) }
    }
    for name in others.order where !found.contains(name) {
      at(name) { note(.added, nil, "\(others.values[name]?.kind ?? .null)") }
    }
    try second.state.pointee.cursor.move(to: others.end)
    try end()
  }

  /// Compares the next parts of both.
  private func compareNext(step: GraphPath.Step?) throws {
    guard let left = try first.state.pointee.cursor.next(), let right = try second.state.pointee.cursor.next()
    else { return }
    try at(step) { try compareValues(left.kind, right.kind) }
  }

  /// Leaves values without further parts.
  private func end() throws {
    _ = try first.state.pointee.cursor.next()
    _ = try second.state.pointee.cursor.next()
  }

  // MARK: Lists

  func compareLists(_ left: Int, _ right: Int) throws {
    if left != right { note(.count, "\(left) elements", "\(right) elements") }
    for index in 0..<min(left, right) { try compareNext(step: .index(index)) }
    try skip(left - right)
    try end()
  }

  /// Skips the parts that only one of them has.
  ///
  /// - Parameter surplus: how many more the first has, or the second, if it is less than 0.
  private func skip(_ surplus: Int) throws {
    let decoder = surplus > 0 ? first : second
    for _ in 0..<abs(surplus) {
      guard let part = try decoder.state.pointee.cursor.next() else { break }
      try decoder.state.pointee.cursor.skip(part.kind)
    }
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
    guard let others = try pairs(second, right), try pairs(first, left) != nil else {
      return try comparePairsInOrder(left, right)
    }
    if left != right { note(.count, "\(left) pairs", "\(right) pairs") }
    try compare(left, with: others) {
      guard let key = try first.state.pointee.cursor.next(), let name = try step(first, key.kind),
        let value = try first.state.pointee.cursor.next()
      else { return nil }
      return (name, value.kind)
    }
  }

  /// The values of the pairs by their keys; nil where a key is no string and no integer, or is there twice.
  ///
  /// The cursor is before the first pair afterwards.
  private func pairs(_ decoder: GDecoder, _ count: Int) throws -> NamedValues? {
    let state = decoder.state
    let start = state.pointee.cursor.mark
    var pairs = NamedValues(end: start)
    for _ in 0..<count {
      guard let key = try state.pointee.cursor.next() else { break }
      guard let name = try step(decoder, key.kind), pairs.values[name] == nil else {
        try state.pointee.cursor.move(to: start)
        return nil
      }
      guard try pairs.add(name, of: decoder) else { break }
    }
    try state.pointee.cursor.move(to: start)
    return pairs
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
    try skip(2 * (left - right))
    try end()
  }
}
