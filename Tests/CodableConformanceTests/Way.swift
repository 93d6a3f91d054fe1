import CodableTestSupport
import CyclicCoding
import Foundation
import GraphCodable

/// A way to store and decode a model.
enum Way: String, CaseIterable, Sendable {
  case json, xmlPropertyList, binaryPropertyList, strict
  case flattened, flattenedJSON, flattenedXML, flattenedBinary, flattenedStrict
  case archive, canonicalArchive, archiveFile

  /// Those that distinguish nil from no value, and store each number exactly.
  static let exact: Set<Way> = [.archive, .canonicalArchive, .archiveFile]

  /// Those that preserve the identity of objects.
  static let withIdentity: Set<Way> = exact.union([
    .flattened, .flattenedJSON, .flattenedXML, .flattenedBinary, .flattenedStrict,
  ])

  /// Those that accept containers in any order, unlike the strict encoder.
  static let inAnyOrder = Set(allCases).subtracting([.strict])

  func copy<Value: Codable>(_ value: Value) throws -> Value {
    switch self {
    case .json, .xmlPropertyList, .binaryPropertyList, .strict:
      // Property lists have no simple values as their roots.
      return try coder.copy(Root(value: value), as: Root<Value>.self).value
    case .flattened:
      return try CyclicDecoder().decode(Value.self, from: CyclicEncoder().flatten(value))
    case .flattenedJSON, .flattenedXML, .flattenedBinary, .flattenedStrict:
      let flattened = try coder.copy(CyclicEncoder().flatten(value), as: FlattenedContainer.self)
      return try CyclicDecoder().decode(Value.self, from: flattened)
    case .archive, .canonicalArchive:
      let options: GraphEncoder.Options = self == .archive ? [] : .canonicalOrder
      let bytes = try GraphEncoder(options).encode(codable: value) as Bytes
      return try GraphDecoder().decode(codable: Value.self, from: bytes)
    case .archiveFile:
      let name = "GraphCodable conformance \(UUID().uuidString)"
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      defer { try? FileManager.default.removeItem(at: url) }
      try GraphEncoder().write(codable: value, to: url)
      return try GraphDecoder().read(codable: Value.self, from: url)
    }
  }

  private var coder: AnyCoder {
    switch self {
    case .xmlPropertyList, .flattenedXML: .xmlPropertyList
    case .binaryPropertyList, .flattenedBinary: .binaryPropertyList
    case .strict, .flattenedStrict: .strict
    default: .json
    }
  }
}

private struct Root<Value: Codable>: Codable {
  var value: Value
}
