import Foundation

/// The two coders of Foundation that keep any `Codable` value.
enum FoundationCoder: CaseIterable {
  case json
  case plist

  var subject: Subject {
    switch self {
    case .json: .json
    case .plist: .plist
    }
  }

  /// Encodes with a new coder and its default settings, as most programs do.
  func encode<Value: Encodable>(_ value: Value) throws -> Data {
    switch self {
    case .json:
      return try JSONEncoder().encode(value)
    case .plist:
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      return try encoder.encode(value)
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    switch self {
    case .json: try JSONDecoder().decode(type, from: data)
    case .plist: try PropertyListDecoder().decode(type, from: data)
    }
  }
}
