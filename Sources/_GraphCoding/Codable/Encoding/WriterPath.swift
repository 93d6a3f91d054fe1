import _GraphSupport

/// A record or container that is being encoded, and how it is reached from the one around it.
struct WriterStep: BitwiseCopyable {
  let serial: Int
  /// The serial number of the one around it; 0 for none.
  let outer: Int
  /// What `CodableWriterState.streaming` was.
  let outerStreaming: Int
  /// The field of the outer record whose value it is, if known.
  var field: Pinned<ShapeTransition>?
  /// Where a container counts its elements.
  var index: Pinned<Int>?
  /// The keys of these elements, if they have some; the caller of `withElements` holds them.
  var keys: Held<ElementKeys>?
}

extension CodableWriter {
  /// The keys that lead to a record that is being encoded, for `codingPath`.
  func path(of serial: Int) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    var wanted = serial
    var place = state.pointee.path.count
    // The field of a container's step leads to the container; steps of its elements have none.
    while wanted != 0 {
      if let record = waitingRecords[wanted], record.outer != 0 {
        keys.append(record.key)
        wanted = record.outer
        continue
      }
      while place > 0, state.pointee.path[place - 1].serial != wanted { place -= 1 }
      guard place > 0 else { break }
      place -= 1
      let step = state.pointee.path[place]
      if place > 0, let index = state.pointee.path[place - 1].index,
        state.pointee.path[place - 1].serial == step.outer
      {
        let elementKeys = state.pointee.path[place - 1].keys?.object
        keys.append(elementKeys?.key(index.pointee) ?? ArchiveKey(intValue: index.pointee))
      } else if let field = step.field {
        if let key = key(of: field) { keys.append(key) }
      } else if let object = objectKey, step.outer == 0 {
        keys.append(object)
      }
      wanted = step.outer
    }
    return keys.reversed()
  }

  private var objectKey: ArchiveKey? {
    let number = graph.pointee.object
    guard number != UInt32.max else { return nil }
    return ArchiveKey(stringValue: "<\(Swift.type(of: objectInstance(number))) \(number)>")
  }

  private func objectInstance(_ number: UInt32) -> AnyObject {
    graph.pointee.objects[number].instance.object
  }

  private func key(of field: Pinned<ShapeTransition>) -> ArchiveKey? {
    guard field.pointee.isField else { return nil }
    if field.pointee.keyNumber != 0 { return archiveKey(of: field) }
    // A single value is all of its record.
    guard field.pointee.isList else { return nil }
    return ArchiveKey(intValue: field.pointee.unkeyedCount - 1)
  }
}
