import _GraphSupport

/// The positions of the fields of a large shape, so that requesting them out of order does not search the whole
/// shape for each.
struct FieldIndex {
  private let byKey: [UInt32: Int]
  /// The places of fields without a key.
  let unkeyed: [Int]

  /// Shapes with fewer fields are searched.
  static let minimumFieldCount = 33

  init(_ shape: Pinned<DecoderShape>) {
    var (byKey, unkeyed): ([UInt32: Int], [Int]) = ([:], [])
    for index in 0..<shape.pointee.fieldCount {
      let keyNumber = shape.pointee.fields[index].keyNumber
      if keyNumber == 0 { unkeyed.append(index) } else { byKey[keyNumber] = index }
    }
    (self.byKey, self.unkeyed) = (byKey, unkeyed)
  }

  subscript(keyNumber: UInt32) -> Int? { byKey[keyNumber] }
}

extension DecoderTables {
  /// The index of a shape; nil for one that is small, or not of the archive.
  func fieldIndex(_ shape: Pinned<DecoderShape>) -> FieldIndex? {
    guard shape.pointee.fieldCount >= FieldIndex.minimumFieldCount,
      shapes.contains(shape)
    else { return nil }
    if let known = fieldIndexes[shape] { return known }
    let index = FieldIndex(shape)
    fieldIndexes[shape] = index
    return index
  }
}

extension GDecoder {
  /// The place of the field with a key in the records of a shape.
  func fieldIndex(_ keyNumber: UInt32, _ shape: Pinned<DecoderShape>) -> Int? {
    let count = shape.pointee.fieldCount
    if count >= FieldIndex.minimumFieldCount, let index = tables.fieldIndex(shape) { return index[keyNumber] }
    let fields = shape.pointee.fields
    for index in 0..<count where fields[index].keyNumber == keyNumber { return index }
    return nil
  }
}
