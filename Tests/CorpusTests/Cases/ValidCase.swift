import GraphCodable
import Testing

/// A file of Tests/Corpus/valid.
struct ValidCase: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: Bytes
  var isSeries = false

  init(_ name: String, bytes: Bytes) { (self.name, self.bytes) = (name, bytes) }

  init(series name: String, _ bytes: Bytes) { (self.name, self.bytes, isSeries) = (name, bytes, true) }

  init(_ name: String, _ root: Bytes, _ change: (inout Draft) -> Void = { _ in }) {
    self.init(name, bytes: Draft(root, change).bytes)
  }

  /// Key, kind and value.
  typealias Field = (String, UInt8, Bytes)

  /// An archive whose root is a record of the only shape, all of whose fields have keys.
  init(_ name: String, record fields: [Field]) {
    self.init(name, bytes: Draft(record: fields).bytes)
  }

  var file: String { name + (isSeries ? ".gcseries" : ".gcodable") }
  var testDescription: String { name }

  static let all: [ValidCase] =
    values + containers + packedArrays + nestedArrays + records + objects + tables + segments + swift + series
    + shared + unknown + numbersCodec
}

extension Draft {
  init(record fields: [ValidCase.Field]) {
    self.init(join([Kind.record], varint(1), joined(fields.map(\.2)))) { draft in
      draft.keys = fields.map { Bytes($0.0.utf8) }
      draft.shapes = [DraftShape(flags: 16, fields: fields.map { (nil, $0.1) })]
    }
  }
}

/// Bytes of a list one after the other.
func joined(_ parts: [Bytes]) -> Bytes { Array(parts.joined()) }
