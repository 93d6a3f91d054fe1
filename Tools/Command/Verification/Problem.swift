import GraphCodable

/// Something in a file that is not as it was written, or cannot be read; its properties are the keys in JSON.
struct Problem: Encodable {
  /// The name of a `GCodableError.Code`.
  let code: String
  let message: String
  /// From the start of the file.
  let byteOffset: UInt64?
  /// The number of an entry, where the problem is in one.
  let entry: Int?

  /// - Parameter entry: the entry of a series whose archive the error is about.
  init(_ error: GCodableError, in entry: GraphArchiveSeries.Entry? = nil) {
    code = error.code.name
    message = error.reason
    byteOffset = error.byteOffset.map { $0 + (entry?.offset ?? 0) }
    self.entry = entry?.number
  }

  /// The file could not be looked at.
  var isUnreadable: Bool { code == GCodableError.Code.file.name }

  var text: String { "\(code): \(message)" + (byteOffset.map { " (byte \($0))" } ?? "") }
}
