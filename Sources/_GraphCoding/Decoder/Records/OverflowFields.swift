import _GraphFiles
import _GraphSupport

/// The fields of a record beyond those of its shape.
struct OverflowFields {
  private var fields: [Field] = []
  private var byKey: [UInt32: Int] = [:]
  /// The indices in `fields` of those without a key.
  private var unkeyedPlaces: [Int] = []
  /// How many of these have been taken.
  private var takenUnkeyedCount = 0

  struct Field {
    let keyNumber: UInt32
    let kind: GraphKind
    let cursor: StreamPosition
    var isTaken = false
  }

  mutating func append(_ keyNumber: UInt32, _ kind: GraphKind, _ cursor: StreamPosition) {
    // If a key occurs twice, the first one counts.
    if keyNumber == 0 {
      unkeyedPlaces.append(fields.count)
    } else if byKey[keyNumber] == nil {
      byKey[keyNumber] = fields.count
    }
    fields.append(Field(keyNumber: keyNumber, kind: kind, cursor: cursor))
  }

  /// Fields without a key that have not been taken.
  var unkeyedCount: Int { unkeyedPlaces.count - takenUnkeyedCount }

  /// A field without a key by its index among these, taken or not.
  func unkeyed(_ index: Int) -> Field? {
    unkeyedPlaces.indices.contains(index) ? fields[unkeyedPlaces[index]] : nil
  }

  /// Whether there are fields with keys, taken or not.
  var hasKeys: Bool { !byKey.isEmpty }

  /// Keys of the fields that have not been taken.
  var keyNumbersLeft: [UInt32] { fields.filter { !$0.isTaken }.map(\.keyNumber) }

  /// A field that has not been taken: the first one for key number 0.
  func find(_ keyNumber: UInt32) -> Field? { index(of: keyNumber).map { fields[$0] } }

  mutating func take(_ keyNumber: UInt32) -> Field? {
    guard let index = index(of: keyNumber) else { return nil }
    fields[index].isTaken = true
    if keyNumber == 0 { takenUnkeyedCount += 1 }
    return fields[index]
  }

  private func index(of keyNumber: UInt32) -> Int? {
    if keyNumber != 0 { return byKey[keyNumber].flatMap { fields[$0].isTaken ? nil : $0 } }
    return unkeyedCount > 0 ? unkeyedPlaces[takenUnkeyedCount] : nil
  }
}

extension GDecoder {
  /// Reads where overflow fields are, and moves past them.
  func readOverflow() throws -> OverflowFields {
    var overflow = OverflowFields()
    let head = try state.pointee.stream.readOverflowHead()
    for _ in 0..<head.fieldCount {
      let field = try state.pointee.stream.readOverflowField()
      overflow.append(field.keyNumber, field.kind, state.pointee.stream.input.cursor)
      try skip(field.kind)
    }
    try state.pointee.stream.checkOverflow(
      end: head.end, unkeyedLeft: head.unkeyedCount &- UInt32(truncatingIfNeeded: overflow.unkeyedCount))
    return overflow
  }
}
