/// A record or container that is being decoded, and how it is reached from the one around it.
struct ReaderStep: BitwiseCopyable {
  let serial: Int
  /// The serial number of the one around it; 0 for none.
  let outer: Int
  /// The frame of the record around it, behind the field that led here; nil where it is not known.
  var frame: RecordFrame?
  /// Where a container counts its elements.
  var index: UnsafeMutablePointer<Int>?
  /// The object that it is, or that its field is to be, where it is one.
  var object = DecoderState.noObject
  /// The last nested container that was made of it, which the reader holds.
  var lastParked: Unmanaged<ParkedRecord>?
}

extension CodableReader {
  /// The keys that lead to a record that is being decoded, for `codingPath`.
  func path(of serial: Int) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    var wanted = serial
    var place = state.pointee.path.count
    while wanted != 0 {
      if let record = parkedRecord(wanted) {
        if let key = record.key { keys.append(key) }
        wanted = record.outer
        continue
      }
      while place > 0, state.pointee.path[place - 1].serial != wanted { place -= 1 }
      guard place > 0 else { break }
      let step = state.pointee.path[place - 1]
      place -= 1
      if place > 0, state.pointee.path[place - 1].serial == step.outer,
        let index = state.pointee.path[place - 1].index
      {
        keys.append(ArchiveKey(intValue: index.pointee))
      } else if step.object != DecoderState.noObject, step.frame == nil {
        // Made by way of the step before, or ahead.
        if place > 0, state.pointee.path[place - 1].object == step.object {
          wanted = step.outer
          continue
        }
        let name = decoder.className(ofObject: step.object) ?? "object"
        keys.append(ArchiveKey(stringValue: "<\(name) \(step.object)>"))
        break
      } else if let key = step.frame.flatMap({ activeKey($0, in: step.outer) }) {
        keys.append(key)
      }
      wanted = step.outer
    }
    return keys.reversed()
  }

  /// The key of the field of a record that is being decoded.
  private func activeKey(_ frame: RecordFrame, in serial: Int) -> ArchiveKey? {
    guard let shape = frame.shape else { return nil }
    if frame.field == decoder.tables.nowhere {
      guard let number = frame.track?.pointee.activeKey else { return nil }
      return number == 0 ? nil : ArchiveKey(stringValue: decoder.tables.keys[Int(number) - 1])
    }
    guard frame.field > shape.pointee.fields else { return nil }
    let field = (frame.field - 1).pointee
    if field.keyNumber != 0 {
      return ArchiveKey(stringValue: decoder.tables.keys[Int(field.keyNumber) - 1])
    }
    // A single value stands for all of its record.
    if isSingle(shape) { return nil }
    if let names = parkedRecord(serial)?.list?.names {
      return ArchiveKey(stringValue: names.ordered[(frame.field - 1 - shape.pointee.fields) / 2])
    }
    return ArchiveKey(intValue: Int(shape.pointee.fields.pointee.unkeyedCount - field.unkeyedCount))
  }
}
