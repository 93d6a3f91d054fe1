import _GraphSupport

// A value that asks its encoder for more than one container.
//
// Keys and elements stand in one record. A single value is all of its record: where another container is used behind
// it, the parts of the value become those of the record, as other coders have it. So a dictionary that has been encoded
// can be amended by keys. A value without parts throws, and so does a single value behind anything else.

extension CodableWriter {
  /// Whether the record that is being written consists of a single value.
  var hasSingleValue: Bool {
    let node = graph.pointee.node
    return node.pointee.isField && node.pointee.keyNumber == 0 && !node.pointee.isList
  }

  /// Whether nothing of the record that is being written has been encoded.
  @inline(__always)
  var isAtStart: Bool {
    let node = graph.pointee.node
    return node.pointee.fieldCount == 0 && !node.pointee.isList && node.pointee.type != nil
  }

  /// How many elements the record that is being written has.
  var elementCount: Int {
    let node = graph.pointee.node
    guard node == encoder.tables.shapes.overflow, let open = encoder.tables.shapes.openOverflows.last else {
      return node.pointee.fieldCount == 0 ? 0 : node.pointee.unkeyedCount
    }
    return open.node.pointee.unkeyedCount + Int(open.unkeyedCount)
  }

  /// How many elements a record has; nil where it is not known.
  func elementCount(of serial: Int) -> Int? {
    state.pointee.streaming == serial ? elementCount : waitingRecords[serial]?.elementCount
  }

  /// The error of a single value together with something else.
  ///
  /// Parts of a value that has been written become those of its record only when the graph is encoded anew.
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
