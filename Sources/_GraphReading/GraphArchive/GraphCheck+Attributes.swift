import _GraphCoding
import _GraphFiles
import _GraphSupport

/// The values that the contents say have attributes, crossed out where the graph stream has them.
struct AttributeCheck {
  private let origin: UInt64
  private var missing: Set<UInt64>

  /// - Throws: `malformed`.
  init(_ contents: Contents) throws {
    origin = contents.extensions.attributes?.origin ?? 0
    missing = Set(try contents.extensions.attributeTable().entries.map(\.offset))
  }

  /// Whether there are none left.
  var isEmpty: Bool { missing.isEmpty }

  /// Notes a value that begins at an offset.
  mutating func note(_ offset: UInt64) { missing.remove(offset) }

  /// - Throws: `malformed` where there is no value.
  func checkEnd() throws {
    guard let offset = missing.min() else { return }
    throw GCodableError(
      .malformed, "there are attributes of a value at \(offset) in the graph stream, where none begins",
      byteOffset: origin)
  }
}

extension GraphCursor.Event {
  /// Whether it may have attributes: they are those of the value that a reference leads to.
  var mayHaveAttributes: Bool {
    switch self {
    case .null, .reference: false
    default: true
    }
  }
}
