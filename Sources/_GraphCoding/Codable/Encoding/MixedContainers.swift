import _GraphSupport

// A value that requests more than one container from its encoder.
//
// Keys and elements are in one record. A single value is all of its record: if another container is used after it, the parts of
// the value become those of the record, as with other coders. So keys can be added to an encoded dictionary. A value without
// parts throws, and so does a single value after anything else.

extension CodableWriter {
  /// Whether the record being written consists of a single value.
  var hasSingleValue: Bool {
    let node = graph.pointee.node
    return node.pointee.isField && node.pointee.keyNumber == 0 && !node.pointee.isList
  }

  /// Whether nothing has been encoded into the record being written.
  @inline(__always)
  var isAtStart: Bool {
    let node = graph.pointee.node
    return node.pointee.fieldCount == 0 && !node.pointee.isList && node.pointee.type != nil
  }

  /// How many elements the record being written has.
  var elementCount: Int {
    let node = graph.pointee.node
    guard node == encoder.tables.shapes.overflow, let open = encoder.tables.shapes.openOverflows.last else {
      return node.pointee.fieldCount == 0 ? 0 : node.pointee.unkeyedCount
    }
    return open.node.pointee.unkeyedCount + Int(open.unkeyedCount)
  }

  /// How many elements a record has; nil if unknown.
  func elementCount(of serial: Int) -> Int? {
    state.pointee.streaming == serial ? elementCount : waitingRecords[serial]?.elementCount
  }

  /// The error for a single value together with something else.
  ///
  /// The parts of a written value become those of its record only when the graph is encoded again.
  @inline(never)
  func mixed() -> any Error {
    guard waits else { return needsWaiting }
    return encoder.noted(
      EncodingError.invalidValue(
        "a single value",
        .init(
          codingPath: path(of: state.pointee.record),
          debugDescription:
            "A value is all that a single value container takes, but it was used with another "
            + "container, or again. Only keys can be added to keys, and elements to elements.")))
  }
}
