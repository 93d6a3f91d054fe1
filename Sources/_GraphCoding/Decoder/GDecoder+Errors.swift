import _GraphSupport

/// What went wrong, with the position in the stream and the path of keys.
extension GDecoder {
  @usableFromInline
  package func malformed(_ message: String) -> GCodableError {
    state.pointee.stream.malformed(message)
  }

  @usableFromInline
  @inline(never)
  package func invalidValue(_ type: Any.Type, _ message: String) -> GCodableError {
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
    let keys = keysLeft
    let shown = keys.prefix(Self.shownKeyCount).map { "\"\($0)\"" }
    let there = (shown + (keys.count > shown.count ? ["…"] : [])).joined(separator: ", ")
    let error = GCodableError(
      .keyNotFound,
      "there is no value for key \"\(key)\"; left are "
        + (there.isEmpty ? "no keys" : "the keys \(there)"),
      typeName: _typeName(type, qualified: true), byteOffset: streamOffset)
    state.pointee.isRecordAtFault = true
    return error
  }

  @usableFromInline
  @inline(never)
  func noUnkeyedLeft(_ type: Any.Type) -> GCodableError {
    let error = GCodableError(
      .valueNotFound, "there is no value without a key left", typeName: _typeName(type, qualified: true),
      byteOffset: streamOffset)
    state.pointee.isRecordAtFault = true
    return error
  }

  /// How many keys an error names, and how many fields it searches for them: the texts for a large record would otherwise be
  /// long.
  private static let shownKeyCount = 16
  private static let searchedFieldCount = 256

  /// Keys of the record being decoded whose values have not been taken; only some of many.
  private var keysLeft: [String] {
    guard let shape = state.pointee.frame.shape else { return [] }
    resume()
    defer { suspend() }
    let fields = shape.pointee.fields
    let next = fields.index(of: state.pointee.frame.field)
    var keyNumbers: [UInt32] = []
    if let track = state.pointee.frame.track {
      keyNumbers = (max(0, next - Self.searchedFieldCount)..<max(0, next)).filter {
        track.pointee.places[$0] != nil
      }.map { fields[$0].keyNumber }
      keyNumbers += (track.pointee.overflow?.keyNumbersLeft ?? []).prefix(Self.searchedFieldCount)
    }
    for index in next..<max(next, min(shape.pointee.fieldCount, next + Self.searchedFieldCount)) {
      keyNumbers.append(fields[index].keyNumber)
    }
    return keyNumbers.filter { $0 != 0 }.map { tables.keys[Int($0) - 1] }
  }

  @usableFromInline
  @inline(never)
  func failWithClass(_ type: Any.Type, _ shape: Pinned<DecoderShape>) throws -> Never {
    throw typeMismatch(
      type, "the archive has an instance of \(tables.className(shape.pointee.classNumber) ?? "a class")")
  }

  /// Takes an error out of a record: restores the frame of the one around it and adds the key that was
  /// being decoded.
  @usableFromInline
  @inline(never)
  func leaving(_ error: any Error, _ type: Any.Type, to outer: RecordFrame) -> any Error {
    defer {
      closeTrack()
      state.pointee.frame = outer
    }
    let isRecordAtFault = state.pointee.isRecordAtFault
    state.pointee.isRecordAtFault = false
    guard var graphError = error as? GCodableError else { return error }
    if !isRecordAtFault, let key = activeKey { graphError.prepend(key) }
    if graphError.typeName == nil { graphError.typeName = _typeName(type, qualified: true) }
    return graphError
  }

  /// Number of the key of the field decoded last in the innermost record plus one; 0 for none.
  @inline(__always) var activeKeyNumber: UInt32 {
    guard let shape = state.pointee.frame.shape else { return 0 }
    let field = state.pointee.frame.field
    if field == tables.nowhere { return state.pointee.frame.track?.pointee.activeKey ?? 0 }
    return field > shape.pointee.fields.pinned(0) ? field.previous.pointee.keyNumber : 0
  }

  /// The key of the field decoded last in the innermost record; nil for none.
  var activeKey: String? {
    guard let shape = state.pointee.frame.shape else { return nil }
    var next = state.pointee.frame.field
    if next == tables.nowhere, let track = state.pointee.frame.track {
      guard case .lost(let front) = track.pointee.state else {
        let number = track.pointee.activeKey
        return number == 0 ? "[unkeyed]" : tables.keys[Int(number) - 1]
      }
      next = front
    }
    guard next > shape.pointee.fields.pinned(0) else { return nil }
    let field = next.previous
    if field.pointee.keyNumber != 0 { return tables.keys[Int(field.pointee.keyNumber) - 1] }
    return "[\(shape.pointee.fields[0].unkeyedCount - field.pointee.unkeyedCount)]"
  }
}

extension GCodableError {
  /// Longer paths keep their beginning and their end.
  package static let maximumKeyPathCount = 64

  /// Prepends a key to the path.
  mutating func prepend(_ key: String) {
    keyPath.insert(key, at: 0)
    keyPath.shorten(to: Self.maximumKeyPathCount)
  }
}

extension [String] {
  /// Replaces the middle of a long path with an ellipsis.
  package mutating func shorten(to maximumCount: Int) {
    guard count > maximumCount else { return }
    let middle = maximumCount / 2
    replaceSubrange(middle..<(count - middle + 1), with: CollectionOfOne("…"))
  }
}
