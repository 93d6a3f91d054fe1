import Foundation

/// The coders that everything `Codable` must survive.
package enum AnyCoder: CaseIterable, Sendable {
  case json, xmlPropertyList, binaryPropertyList, strict

  /// The result of storing `value` and decoding it as a `Result`.
  package func copy<Value: Encodable, Result: Decodable>(
    _ value: Value, as type: Result.Type
  ) throws -> Result {
    switch self {
    case .json:
      return try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
    case .xmlPropertyList, .binaryPropertyList:
      let encoder = PropertyListEncoder()
      encoder.outputFormat = self == .xmlPropertyList ? .xml : .binary
      return try PropertyListDecoder().decode(type, from: encoder.encode(value))
    case .strict:
      return try StrictDecoder().decode(type, from: StrictEncoder().encode(value))
    }
  }
}
