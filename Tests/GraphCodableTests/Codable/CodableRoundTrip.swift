import GraphCodable

/// Encodes and decodes a value that is `Codable`.
///
/// - Parameter depth: how deep values may lie inside each other.
func codableCopy<Value: Codable>(
  _ value: Value, _ options: GraphEncoder.Options = [], depth: Int? = nil
) throws -> Value {
  try codableCopy(value, as: Value.self, options, depth: depth)
}

/// What becomes of a value that is decoded as another type.
func codableCopy<Value: Encodable, Result: Decodable>(
  _ value: Value, as type: Result.Type, _ options: GraphEncoder.Options = [], depth: Int? = nil
) throws -> Result {
  let (encoder, decoder) = (GraphEncoder(options), GraphDecoder())
  if let depth { (encoder.maximumDepth, decoder.limits.depth) = (depth, depth) }
  return try decoder.decode(codable: type, from: encoder.encode(codable: value) as Bytes)
}

/// The path of a `DecodingError` as one string, and which one it is.
func description(_ error: any Error) -> String {
  func text(_ name: String, _ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return ([name] + (key.map { ["\"\($0.stringValue)\""] } ?? []) + ["at", path.joined(separator: ".")])
      .joined(separator: " ")
  }
  return switch error {
  case DecodingError.keyNotFound(let key, let context): text("keyNotFound", context, key)
  case DecodingError.typeMismatch(_, let context): text("typeMismatch", context)
  case DecodingError.valueNotFound(_, let context): text("valueNotFound", context)
  case DecodingError.dataCorrupted(let context): text("dataCorrupted", context)
  case let error as GCodableError: "GCodableError \(error.code)"
  default: "\(error)"
  }
}
