import Foundation
import GraphCodable

/// GraphCodable without and with compression; each call uses a new coder, as most programs do.
enum GraphVariant: CaseIterable {
  case none
  case lz4

  var subject: Subject {
    switch self {
    case .none: .graphNone
    case .lz4: .graphLZ4
    }
  }

  func encode<Model: GEncodable>(_ model: Model) throws -> [UInt8] {
    try makeEncoder().encode(model)
  }

  func write<Model: GEncodable>(_ model: Model, to url: URL) throws {
    try makeEncoder().write(model, to: url)
  }

  func decode<Model: GDecodable>(_ type: Model.Type, from bytes: [UInt8]) throws -> Model {
    try GraphDecoder().decode(type, from: bytes)
  }

  func read<Model: GDecodable>(_ type: Model.Type, from url: URL) throws -> Model {
    try GraphDecoder().read(type, from: url)
  }

  private func makeEncoder() -> GraphEncoder {
    let encoder = GraphEncoder()
    switch self {
    case .none: encoder.compression = .none
    case .lz4: encoder.compression = .lz4
    }
    return encoder
  }
}
