import Foundation
import GraphCodable

/// GraphCodable as it is measured: without and with compression, or on a thread with a small stack.
///
/// Each call uses a new coder, as most programs do.
enum GraphVariant {
  case none
  case lz4
  case smallStack

  static let standard: [GraphVariant] = [.none, .lz4]

  var subject: Subject {
    switch self {
    case .none: .graphNone
    case .lz4: .graphLZ4
    case .smallStack: .graphSmallStack
    }
  }

  /// The stack of the thread to run on; `nil` for the main thread.
  var stackByteCount: Int? {
    self == .smallStack ? 512 << 10 : nil
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

  func makeEncoder() -> GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression = self == .lz4 ? .lz4 : .none
    return encoder
  }
}
