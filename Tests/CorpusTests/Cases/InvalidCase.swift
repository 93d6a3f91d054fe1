import GraphCodable
import Testing

/// A file of Tests/Corpus/invalid.
struct InvalidCase: Sendable, CustomTestStringConvertible {
  /// The rule of Documentation/Format.md that it breaks.
  let rule: String
  let name: String
  let reason: String
  let bytes: Bytes
  var isSeries = false

  init(_ rule: String, _ name: String, _ reason: String, _ bytes: Bytes, isSeries: Bool = false) {
    (self.rule, self.name, self.reason, self.bytes) = (rule, name, reason, bytes)
    self.isSeries = isSeries
  }

  init(
    _ rule: String, _ name: String, _ reason: String, root: Bytes = [Kind.bool, 1],
    _ change: (inout Draft) -> Void = { _ in }
  ) {
    self.init(rule, name, reason, Draft(root, change).bytes)
  }

  var file: String { rule.lowercased() + "-" + name + (isSeries ? ".gcseries" : ".gcodable") }
  var testDescription: String { file }

  static let all: [InvalidCase] =
    headers + contents + tables + shapes + objectTables + segmentHeaders + segmentPlaces + objectIndexes
    + ends
    + blockEnds + numbersCodec + references + kinds + containers + numbers + packed + nested + depth + series
    + shared
}

/// The bytes of a name.
func utf8(_ text: String) -> Bytes { Bytes(text.utf8) }
