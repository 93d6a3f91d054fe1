import _GraphFiles
import _GraphSupport

// What errors say of strings and numbers that were decoded: those of other types may have a description that traps.

extension GDecoder {
  /// An error from inside the value of a pair, with the key in its path; with the pair's place where a path has that.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func inValue<Key>(of key: Key, _ index: Int, _ error: any Error) -> any Error {
    guard var graphError = error as? GCodableError else { return error }
    graphError.prepend(stepText(key) ?? "[\(index)]")
    return graphError
  }

  /// The error of a raw value that its type does not have.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func noRawValue<RawValue>(_ rawValue: RawValue, of type: Any.Type) -> GCodableError {
    invalidValue(type, "\(rawValueText(rawValue)) is not one of its raw values")
  }
}

extension GEncoder {
  /// An error from inside a pair, with the key or the pair's place in its path.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func failed<Key>(_ error: any Error, inPairOf key: Key, _ index: Int) -> any Error {
    guard var graphError = error as? GCodableError else { return noted(error) }
    graphError.prepend(stepText(key) ?? "[\(index)]")
    tables.failure = graphError
    return graphError
  }
}

/// A key as the path of an error has it; nil where paths have the places of pairs.
private func stepText(_ key: Any) -> String? {
  switch key {
  case let key as any StringProtocol:
    let text = ValueText.shortened(String(key))
    return text.hasPrefix("[") || text.hasPrefix("<") ? PathText.quoted(text) : text
  case let key as Character: return stepText(String(key))
  case let key as any FixedWidthInteger: return Int(exactly: key).map { "[\($0)]" } ?? "\(key)"
  case let key as any RawRepresentable:
    let rawValue: Any = key.rawValue
    return rawValue is any RawRepresentable ? nil : stepText(rawValue)  // It may be its own.
  default: return nil
  }
}

/// What an error calls a raw value that its type does not have.
func rawValueText(_ rawValue: Any) -> String {
  let text: String? =
    switch rawValue {
    case let value as any StringProtocol: Quotation(String(value)).description
    case let value as Character: Quotation(String(value)).description
    case let value as any FixedWidthInteger: "\(value)"
    case let value as any BinaryFloatingPoint & CustomStringConvertible: value.description
    case let value as Bool: "\(value)"
    default: nil
    }
  return "the stored raw value" + (text.map { " \($0)" } ?? "")
}
