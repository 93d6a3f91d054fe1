import _GraphFiles
import _GraphSupport

extension GraphLeaf {
  /// The step to the value of a key of a dictionary.
  package var name: GraphPath.Step? {
    switch self {
    case .string(let bytes): unsafe String(validatingUTF8Bytes: bytes).map { .key($0) }
    case .signed(let number): .index(Int(number))
    case .unsigned(let number): Int(exactly: number).map { .index($0) } ?? .key("\(number)")
    default: nil
    }
  }
}

extension DecoderShape {
  /// The kind of the only field of a record that has no key, as single values have it; nil for other records.
  package var wrappedKind: GraphKind? {
    fieldCount == 1 && fields[0].keyNumber == 0 && !isOpen && !isClass && !isList
      ? fields[0].kind : nil
  }
}
