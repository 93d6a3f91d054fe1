import _GraphFiles
import _GraphSupport

// What users of `Codable` expect: a missing key, nil and another type are `DecodingError`s. Faults of the archive
// itself stay `GCodableError`s.

extension CodableReader {
  /// An error from inside a field as a `DecodingError`, if it is about the value.
  ///
  /// - Parameter key: the field's key, if it matters.
  @inline(never)
  package func translated(
    _ error: any Error, _ type: Any.Type, in serial: Int, _ key: (any CodingKey)?
  ) -> any Error {
    guard var error = error as? GCodableError else { return error }
    countError()
    if graph.pointee.cursor.stepsLeft < 0, error.code != .limitExceeded { return decoder.noSteps() }
    func context() -> DecodingError.Context {
      DecodingError.Context(
        codingPath: path(
          of: serial, then: (key.map { [$0] } ?? []) + error.keyPath.map { ArchiveKey(pathKey: $0) }),
        debugDescription: error.context.debugDescription, underlyingError: error)
    }
    switch error.code {
    case .typeMismatch: return DecodingError.typeMismatch(type, context())
    case .valueNotFound: return DecodingError.valueNotFound(type, context())
    case .keyNotFound: return DecodingError.keyNotFound(key ?? ArchiveKey.super, context())
    case .invalidValue: return DecodingError.dataCorrupted(context())
    default:
      if let key { error.prepend(key.intValue.map { "[\($0)]" } ?? key.stringValue) }
      graph.pointee.isRecordAtFault = true  // Its key is known: the record adds none.
      return error
    }
  }

  /// An error from inside an element of a container as a `DecodingError`, if it is about the value.
  @inline(never)
  func inElement(_ error: any Error, _ type: Any.Type, of serial: Int, _ key: ArchiveKey) -> any Error {
    let error = translated(error, type, in: serial, key)
    graph.pointee.isRecordAtFault = false  // The record around the container adds its own key.
    return error
  }

  /// An error from inside the field at the cursor; `keyNotFound` if the field was left out.
  @inline(never)
  func failed(_ error: any Error, _ type: Any.Type, _ key: some CodingKey, in serial: Int) -> any Error {
    if graph.pointee.frame.field.pointee.kind == .tagged, isAbsent(graph.pointee.stream.input.cursor) {
      return keyNotFound(key, in: serial)
    }
    return translated(error, type, in: serial, key)
  }

  /// Counts an error, which takes a microsecond: an `init(from:)` may catch it and try another type, as often as there are values.
  private func countError() { graph.pointee.cursor.stepsLeft -= Self.errorStepCount }

  private static let errorStepCount = 12

  @inline(never)
  func keyNotFound(_ key: some CodingKey, in serial: Int) -> DecodingError {
    countError()
    return DecodingError.keyNotFound(
      key,
      .init(
        codingPath: path(of: serial), debugDescription: "No value associated with key \"\(key.stringValue)\"."
      ))
  }

  @inline(never)
  func noSuchContainer(_ type: Any.Type, _ what: String, in serial: Int) -> DecodingError {
    countError()
    return DecodingError.typeMismatch(
      type, .init(codingPath: path(of: serial), debugDescription: "The archive has a value without \(what)."))
  }

  @inline(never)
  func atEnd(_ type: Any.Type, _ index: Int, in serial: Int) -> DecodingError {
    countError()
    return DecodingError.valueNotFound(
      type,
      .init(
        codingPath: path(of: serial, then: [ArchiveKey(intValue: index)]),
        debugDescription: "Unkeyed container is at end."))
  }
}
