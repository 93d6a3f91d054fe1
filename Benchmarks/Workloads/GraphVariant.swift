import Foundation
import GraphCodable

/// GraphCodable as it is measured: without and with compression, by so many threads, on one with a small stack,
/// or with dictionaries in canonical order.
///
/// Each call uses a new coder, as most programs do.
enum GraphVariant {
  case none
  case lz4
  /// Where others of so many threads are compared with it.
  case lz4OneThread
  case lz4TwoThreads
  case smallStack
  case canonical

  static let standard: [GraphVariant] = [.none, .lz4]

  var subject: Subject {
    switch self {
    case .none: .graphNone
    case .lz4: .graphLZ4
    case .lz4OneThread: .graphLZ4OneThread
    case .lz4TwoThreads: .graphLZ4TwoThreads
    case .smallStack: .graphSmallStack
    case .canonical: .graphCanonical
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
    try makeDecoder().decode(type, from: bytes)
  }

  func read<Model: GDecodable>(_ type: Model.Type, from url: URL) throws -> Model {
    try makeDecoder().read(type, from: url)
  }

  func makeEncoder() -> GraphEncoder {
    let encoder = GraphEncoder(self == .canonical ? .canonicalOrder : [])
    encoder.compression = isCompressed ? .lz4 : .none
    if let threadCount { encoder.threadCount = threadCount }
    return encoder
  }

  private func makeDecoder() -> GraphDecoder {
    let decoder = GraphDecoder()
    if let threadCount { decoder.threadCount = threadCount }
    return decoder
  }

  private var isCompressed: Bool {
    switch self {
    case .lz4, .lz4OneThread, .lz4TwoThreads: true
    case .none, .smallStack, .canonical: false
    }
  }

  /// `nil` for as many as the library takes by itself.
  private var threadCount: Int? {
    switch self {
    case .lz4OneThread: 1
    case .lz4TwoThreads: 2
    default: nil
    }
  }
}
