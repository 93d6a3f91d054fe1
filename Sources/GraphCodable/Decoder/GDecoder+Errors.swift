import CGraphArchive

/// What went wrong, with the place in the stream and the path of keys.
extension GDecoder {
  /// Bytes from the start of the graph stream to the cursor.
  var streamOffset: UInt64 { UInt64(state.pointee.input.cursor - state.pointee.input.base) }

  @usableFromInline
  @inline(never)
  func malformed(_ message: String) -> GCodableError {
    GCodableError(.malformed, message, byteOffset: streamOffset)
  }

  @usableFromInline
  @inline(never)
  func invalidValue(_ type: Any.Type, _ message: String) -> GCodableError {
    GCodableError(
      .invalidValue, message, typeName: _typeName(type, qualified: true), byteOffset: streamOffset)
  }

  @inline(never)
  func typeMismatch(_ type: Any.Type, _ message: String) -> GCodableError {
    let name = _typeName(type, qualified: true)
    return GCodableError(
      .typeMismatch, "\(message), but \(name) is asked for", typeName: name, byteOffset: streamOffset)
  }

  @usableFromInline
  @inline(never)
  func keyNotFound(_ key: String, _ type: Any.Type) -> GCodableError {
    let there = keysLeft.map { "\"\($0)\"" }.joined(separator: ", ")
    var error = GCodableError(
      .keyNotFound,
      "there is no value for key \"\(key)\"; left are "
        + (there.isEmpty ? "no keys" : "the keys \(there)"),
      typeName: _typeName(type, qualified: true), byteOffset: streamOffset)
    error.isAboutRecord = true
    return error
  }

  @usableFromInline
  @inline(never)
  func noUnkeyedLeft(_ type: Any.Type) -> GCodableError {
    var error = GCodableError(
      .valueNotFound, "there is no value without a key left", typeName: _typeName(type, qualified: true),
      byteOffset: streamOffset)
    error.isAboutRecord = true
    return error
  }

  /// Keys of the record being decoded whose values have not been taken.
  private var keysLeft: [String] {
    guard let shape = state.pointee.frame.shape else { return [] }
    let fields = shape.pointee.fields
    var next = state.pointee.frame.field - fields
    var keyNumbers: [UInt32] = []
    if state.pointee.frame.scan != 0 {
      let index = state.pointee.frame.scan - 1
      let scan = state.pointee.scans[index].pointee
      if let resumeField = scan.resumeField { next = max(scan.run < 0 ? 0 : next, resumeField - fields) }
      keyNumbers = (0..<next).filter { state.pointee.scans.place(of: $0, in: index) != nil }
        .map { fields[$0].keyNumber }
      if scan.tail != 0 { keyNumbers += tables.tails[scan.tail - 1].keyNumbersLeft }
    }
    for index in max(next, 0)..<max(next, shape.pointee.fieldCount) {
      keyNumbers.append(fields[index].keyNumber)
    }
    return keyNumbers.filter { $0 != 0 }.map { tables.keys[Int($0) - 1] }
  }

  @usableFromInline
  @inline(never)
  func badRecord(_ type: Any.Type, _ number: UInt64) -> GCodableError {
    malformed("shape \(number) of a \(type) is not in the table")
  }

  @usableFromInline
  @inline(never)
  func badReference(_ type: Any.Type, _ number: UInt64) -> GCodableError {
    malformed("object \(number), a \(type), is not in the table")
  }

  @usableFromInline
  @inline(never)
  func unexpectedClass(_ type: Any.Type, _ shape: UnsafeMutablePointer<DecoderShape>) -> GCodableError {
    typeMismatch(
      type, "the archive has an instance of \(tables.className(shape.pointee.classNumber) ?? "a class")")
  }

  /// Takes an error out of a record: restores the frame of the one around it and adds the key that was
  /// being decoded.
  @usableFromInline
  @inline(never)
  func leaving(_ error: any Error, _ type: Any.Type, to outer: RecordFrame) -> any Error {
    defer {
      if state.pointee.frame.scan != 0 { closeScan() }
      state.pointee.frame = outer
    }
    guard var graphError = error as? GCodableError else { return error }
    if graphError.isAboutRecord {
      graphError.isAboutRecord = false
    } else if let key = activeKey {
      graphError.prepend(key)
    }
    if graphError.typeName == nil { graphError.typeName = _typeName(type, qualified: true) }
    return graphError
  }

  /// Number of the key of the field decoded last in the innermost record plus one; 0 for none.
  var activeKeyNumber: UInt32 {
    let frame = state.pointee.frame
    guard let shape = frame.shape else { return 0 }
    if frame.scan != 0, frame.field == tables.nowhere {
      return state.pointee.scans[frame.scan - 1].pointee.activeKey
    }
    return frame.field > shape.pointee.fields ? (frame.field - 1).pointee.keyNumber : 0
  }

  /// The key of the field decoded last in the innermost record; nil for none.
  var activeKey: String? {
    let frame = state.pointee.frame
    guard let shape = frame.shape else { return nil }
    var next = frame.field
    let scan = frame.scan == 0 ? nil : state.pointee.scans[frame.scan - 1].pointee
    if let scan, scan.isLost, let field = scan.resumeField {
      next = field
    } else if let scan, next == tables.nowhere {
      let number = scan.activeKey
      return number == 0 ? "[unkeyed]" : tables.keys[Int(number) - 1]
    }
    guard next > shape.pointee.fields else { return nil }
    let field = next - 1
    if field.pointee.keyNumber != 0 { return tables.keys[Int(field.pointee.keyNumber) - 1] }
    return "[\(shape.pointee.fields.pointee.unkeyedCount - field.pointee.unkeyedCount)]"
  }
}

extension GCodableError {
  /// Longer paths keep their beginning and their end.
  static let maximumKeyPathCount = 64

  /// Puts a key in front of the path.
  mutating func prepend(_ key: String) {
    keyPath.insert(key, at: 0)
    keyPath.shorten(to: Self.maximumKeyPathCount)
    cycle?.keys.insert(key, at: 0)
    cycle?.keys.shorten(to: Self.maximumKeyPathCount)
  }
}

extension [String] {
  /// Puts an ellipsis in place of what is too much in the middle.
  mutating func shorten(to maximumCount: Int) {
    guard count > maximumCount else { return }
    let middle = maximumCount / 2
    replaceSubrange(middle..<(count - middle + 1), with: CollectionOfOne("…"))
  }
}
