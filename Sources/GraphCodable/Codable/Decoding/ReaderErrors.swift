// What users of `Codable` expect: a missing key, nil and another type are `DecodingError`s. What is wrong with the
// archive itself stays a `GCodableError`.

extension CodableReader {
  /// An error from inside a field as a `DecodingError`, where it is about the value.
  ///
  /// - Parameter key: the field, if it has one of interest.
  func translated(
    _ error: any Error, _ type: Any.Type, in serial: Int, _ key: @autoclosure () -> (any CodingKey)?
  ) -> any Error {
    guard let error = error as? GCodableError else { return error }
    func context() -> DecodingError.Context {
      DecodingError.Context(
        codingPath: path(of: serial) + (key().map { [$0] } ?? []) + error.keyPath.map { ArchiveKey(pathKey: $0) },
        debugDescription: error.context.debugDescription, underlyingError: error)
    }
    switch error.code {
    case .typeMismatch: return DecodingError.typeMismatch(type, context())
    case .valueNotFound: return DecodingError.valueNotFound(type, context())
    case .keyNotFound: return DecodingError.keyNotFound(key() ?? ArchiveKey.super, context())
    case .invalidValue: return DecodingError.dataCorrupted(context())
    default: return error
    }
  }

  func keyNotFound(_ key: some CodingKey, in serial: Int) -> DecodingError {
    DecodingError.keyNotFound(
      key,
      .init(
        codingPath: path(of: serial), debugDescription: "No value associated with key \"\(key.stringValue)\"."))
  }

  func atEnd(_ type: Any.Type, _ index: Int, in serial: Int) -> DecodingError {
    DecodingError.valueNotFound(
      type,
      .init(
        codingPath: path(of: serial) + [ArchiveKey(intValue: index)],
        debugDescription: "Unkeyed container is at end."))
  }
}
